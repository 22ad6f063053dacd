// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sampling/attribution.h"

#include <algorithm>
#include <map>
#include <random>

namespace dormer::tests {

using namespace instrument::cupti::sampling;

/// A device that counts exactly: each signature has a rate of its own, and a sample holds what ran in it.
struct SampledDevice {
    std::map<std::uint32_t, double> perNs; ///< rate of each signature
    std::vector<KernelInterval> kernels;   ///< in order of start
    std::int64_t stampedEarlyNs = 0;       ///< samples carry a time that much before the kernels'

    /// Appends a launch after the last one's end and a gap.
    void launch(std::uint32_t signature, std::int64_t durationNs, std::int64_t gapNs) {
        const std::int64_t start = (kernels.empty() ? 1'000'000 : kernels.back().endNs) + gapNs;
        kernels.push_back({start, start + durationNs, signature});
    }

    [[nodiscard]] double countedBetween(std::int64_t from, std::int64_t to) const {
        double counted = 0;
        for (const KernelInterval& kernel : kernels)
            counted += perNs.at(kernel.signature) *
                       static_cast<double>(std::max<std::int64_t>(0, std::min(to, kernel.endNs) -
                                                                         std::max(from, kernel.startNs)));
        return counted;
    }

    /// Samples of one counter over all that ran, from `phase` before the first launch.
    [[nodiscard]] Burst burst(std::int64_t intervalNs, std::int64_t phase = 0) const {
        Burst burst;
        burst.intervalNs = intervalNs;
        std::int64_t last = 0;
        for (const KernelInterval& kernel : kernels)
            last = std::max(last, kernel.endNs);
        for (std::int64_t at = kernels.front().startNs - intervalNs - phase; at < last + intervalNs;
             at += intervalNs) {
            burst.startNs.push_back(at - stampedEarlyNs);
            burst.endNs.push_back(at + intervalNs - stampedEarlyNs);
            burst.values.push_back(countedBetween(at, at + intervalNs));
        }
        return burst;
    }

    /// Several signatures in random order.
    static SampledDevice program(std::map<std::uint32_t, double> perNs, std::int64_t shortestNs,
                                 std::int64_t longestNs, int launches, std::int64_t longestGapNs) {
        SampledDevice device{.perNs = perNs, .kernels = {}};
        std::mt19937 random(7); // NOLINT: the same in every run
        std::uniform_int_distribution<std::int64_t> duration(shortestNs, longestNs), gap(0, longestGapNs);
        std::map<std::uint32_t, std::int64_t> usual;
        for (const auto& [signature, rate] : perNs)
            usual[signature] = duration(random);
        std::vector<std::uint32_t> signatures;
        for (const auto& [signature, rate] : perNs)
            signatures.push_back(signature);
        std::uniform_int_distribution<std::size_t> which(0, signatures.size() - 1);
        for (int i = 0; i < launches; ++i) {
            const std::uint32_t signature = signatures[which(random)];
            device.launch(signature, usual[signature] * 99 / 100 + gap(random) % 100, gap(random));
        }
        return device;
    }
};

inline const SampleGroup kOneSum{{"dram__bytes_read.sum", "dram__bytes_read.sum", Meaning::Sum}};

} // namespace dormer::tests
