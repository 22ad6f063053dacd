// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/clock_offset.h"

#include <algorithm>
#include <numeric>

namespace dormer::instrument::cupti::sampling {

namespace {

constexpr std::int64_t kUsualNs = 900;

/// Stretches of time with a kernel, apart from each other and in order.
std::vector<KernelInterval> busyStretches(std::span<const KernelInterval> kernels) {
    std::vector<KernelInterval> merged;
    for (const KernelInterval& kernel : kernels) {
        if (!merged.empty() && kernel.startNs <= merged.back().endNs)
            merged.back().endNs = std::max(merged.back().endNs, kernel.endNs);
        else
            merged.push_back(kernel);
    }
    return merged;
}

} // namespace

void ClockOffset::learn(const Burst& burst, std::span<const double> busy,
                        std::span<const KernelInterval> kernels) {
    if (burst.size() == 0) return;
    const std::vector<KernelInterval> stretches = busyStretches(kernels);
    const std::int64_t whole = burst.endNs.back() - burst.startNs.front();
    std::int64_t covered = 0;
    for (const KernelInterval& stretch : stretches)
        covered += std::max<std::int64_t>(0, std::min(stretch.endNs, burst.endNs.back()) -
                                                 std::max(stretch.startNs, burst.startNs.front()));
    // Edges are what tells.
    if (stretches.empty() || covered > whole * 95 / 100) return;
    for (std::size_t step = 0; step < kSteps; ++step) {
        const std::int64_t offset = kFirstNs + static_cast<std::int64_t>(step) * kStepNs;
        std::size_t next = 0;
        for (std::size_t i = 0; i < burst.size(); ++i) {
            const std::int64_t from = burst.startNs[i] + offset, to = burst.endNs[i] + offset;
            while (next < stretches.size() && stretches[next].endNs <= from)
                ++next;
            std::int64_t inside = 0;
            for (std::size_t at = next; at < stretches.size() && stretches[at].startNs < to; ++at)
                inside += std::min(stretches[at].endNs, to) - std::max(stretches[at].startNs, from);
            // What a sample counted is spread evenly over it, for want of better.
            m_leaked[step] += busy[i] * (1 - static_cast<double>(inside) / static_cast<double>(to - from));
        }
    }
    m_learned = true;
}

std::int64_t ClockOffset::ns() const {
    if (!m_learned) return kUsualNs;
    // Samples of several microseconds leave a plateau: its middle.
    const double least = *std::ranges::min_element(m_leaked);
    std::size_t first = kSteps, last = 0;
    for (std::size_t step = 0; step < kSteps; ++step) {
        if (m_leaked[step] > least * 1.001) continue;
        first = std::min(first, step);
        last = step;
    }
    return kFirstNs + static_cast<std::int64_t>(first + last) * kStepNs / 2;
}

} // namespace dormer::instrument::cupti::sampling
