// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/clock_offset.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace dormer::instrument::cupti::sampling {

namespace {

constexpr std::int64_t kUsualNs = 500;
/// So much of the misses at the worst offset must go away at the best for the offset to be believed,
constexpr double kTelling = 0.5;
/// and at the worst they must be at least this part of the largest value: less is rounding.
constexpr double kVisible = 0.01;

struct Rate {
    double value = 0, ns = 0;
};

} // namespace

void ClockOffset::learn(const Burst& burst, std::span<const double> values,
                        std::span<const KernelInterval> kernels) {
    if (burst.size() == 0 || kernels.empty()) return;
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::isfinite(value) ? value : 0);
    if (largest <= 0) return;
    std::vector<std::pair<std::size_t, std::size_t>> within(burst.size());
    for (std::size_t step = 0; step < kSteps; ++step) {
        const std::int64_t offset = kFirstNs + static_cast<std::int64_t>(step) * kStepNs;
        const auto overlap = [&](std::size_t sample, const KernelInterval& kernel) {
            return static_cast<double>(std::min(burst.endNs[sample] + offset, kernel.endNs) -
                                       std::max(burst.startNs[sample] + offset, kernel.startNs));
        };
        std::unordered_map<std::uint32_t, Rate> rates;
        std::size_t next = 0;
        for (std::size_t i = 0; i < burst.size(); ++i) {
            while (next < kernels.size() && kernels[next].endNs <= burst.startNs[i] + offset)
                ++next;
            std::size_t end = next;
            while (end < kernels.size() && kernels[end].startNs < burst.endNs[i] + offset)
                ++end;
            within[i] = {next, end};
            const auto length = static_cast<double>(burst.endNs[i] - burst.startNs[i]);
            if (end != next + 1 || overlap(i, kernels[next]) < length || !std::isfinite(values[i])) continue;
            Rate& rate = rates[kernels[next].signature];
            rate.value += values[i];
            rate.ns += length;
        }
        for (std::size_t i = 0; i < burst.size(); ++i) {
            const auto [begin, end] = within[i];
            const auto length = static_cast<double>(burst.endNs[i] - burst.startNs[i]);
            if (begin == end || !std::isfinite(values[i])) continue;
            if (end == begin + 1 && overlap(i, kernels[begin]) >= length) continue;
            double foretold = 0;
            bool known = true;
            for (std::size_t at = begin; at < end; ++at) {
                const auto rate = rates.find(kernels[at].signature);
                known = known && rate != rates.end();
                if (known)
                    foretold += rate->second.value / rate->second.ns * std::max(0.0, overlap(i, kernels[at]));
            }
            if (!known) continue;
            m_missed[step] += std::pow((values[i] - foretold) / largest, 2);
            ++m_samples;
        }
    }
}

std::int64_t ClockOffset::ns() const {
    const auto best = std::ranges::min_element(m_missed);
    const double worst = *std::ranges::max_element(m_missed);
    const double visible = static_cast<double>(m_samples) / kSteps * kVisible * kVisible;
    if (m_samples == 0 || *best > kTelling * worst || worst < visible) return kUsualNs;
    return kFirstNs + static_cast<std::int64_t>(best - m_missed.begin()) * kStepNs;
}

} // namespace dormer::instrument::cupti::sampling
