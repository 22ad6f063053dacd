// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/stall_watch.h"

#include <algorithm>
#include <cmath>

namespace dormer::emulator::replay {

namespace {

/// Looks of one distance; then it doubles.
constexpr std::size_t kLooks = 1024;
constexpr double kShortestDistance = 16; // cycles
constexpr double kGoldenRatio = 0.6180339887498949;

} // namespace

StallWatch::StallWatch(std::size_t instructions, std::size_t warps)
    : m_sums(instructions), m_distance(std::max(kShortestDistance, static_cast<double>(warps))) {
    m_looks.reserve(kLooks);
    plan();
}

/// Somewhere in the distance that follows: multiples of the golden ratio fill an interval evenly, and no loop
/// keeps step with them.
void StallWatch::plan() {
    const double place = std::fmod(static_cast<double>(m_looks.size() + 1) * kGoldenRatio, 1);
    m_next = m_begin + place * m_distance;
}

StallWatch::Look& StallWatch::take() {
    Look& look = m_looks.emplace_back();
    look.at = m_next;
    look.weight.fill(static_cast<float>(m_distance));
    m_begin += m_distance;
    if (m_looks.size() % kLooks == 0) m_distance *= 2;
    plan();
    return look;
}

counts::StallShares StallWatch::shares(double middleAgain) const {
    double all = 0;
    for (const auto& states : m_sums)
        for (const Sum& sum : states)
            all += sum.all + middleAgain * sum.middle;
    counts::StallShares shares;
    if (all <= 0) return shares;
    for (std::size_t i = 0; i < m_sums.size(); ++i)
        for (std::size_t state = 0; state < m_sums[i].size(); ++state)
            if (const Sum& sum = m_sums[i][state]; sum.all > 0)
                shares.push_back({static_cast<std::uint32_t>(i), static_cast<counts::Stall>(state),
                                  (sum.all + middleAgain * sum.middle) / all,
                                  (sum.notIssued + middleAgain * sum.middleNotIssued) / all});
    return shares;
}

} // namespace dormer::emulator::replay
