// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/burst_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace dormer::instrument::cupti::sampling {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kFirstStayNs = kSecond;
constexpr std::int64_t kLongestStayNs = 10 * kSecond;
constexpr std::int64_t kLongestNs = 100'000;
constexpr double kShortShare = 0.1;
constexpr std::int64_t kFirstNs = 2 * kSecond, kEagerNs = 10 * kSecond;
/// One takes some 90 µs to evaluate, and 57 kB of counter data twice.
constexpr std::size_t kEagerSamples = 200, kMostSamples = 800;

} // namespace

void BurstPlan::ran(std::int64_t durationNs) {
    const auto bucket = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(durationNs, 1)));
    m_timeNs[static_cast<std::size_t>(std::min(static_cast<int>(bucket), kBuckets - 1))] +=
        static_cast<double>(durationNs);
}

std::int64_t BurstPlan::intervalNs() const {
    const double all = std::reduce(m_timeNs.begin(), m_timeNs.end());
    if (all <= 0) return kShortestIntervalNs;
    double shorter = 0;
    std::int64_t duration = 0;
    for (int bucket = 0; bucket < kBuckets && shorter <= kShortShare * all; ++bucket) {
        shorter += m_timeNs[static_cast<std::size_t>(bucket)];
        duration = bucket > 0 ? std::int64_t{1} << (bucket - 1) : 0; // the shortest of its bucket
    }
    return std::clamp(duration / 5, kShortestIntervalNs, kLongestNs);
}

BurstPlan::Choice BurstPlan::choose(std::int64_t nowNs) {
    if (m_stayNs == 0) {
        if (m_beganNs == 0) launchesBegin(nowNs);
        m_stayNs = kFirstStayNs;
        m_now = {0, intervalNs(), kEagerSamples};
        return m_now;
    }
    if (nowNs - m_switchNs < m_stayNs) return m_now;
    m_switchNs = nowNs;
    m_stayNs = std::min(2 * m_stayNs, kLongestStayNs);
    ++m_turn;
    // First, second, first, third, first, second ...
    const std::size_t group = m_groups < 2 || m_turn % 2 == 0 ? 0 : 1 + (m_turn / 2) % (m_groups - 1);
    m_now = {group, intervalNs(), isEager(nowNs) ? kEagerSamples : kMostSamples};
    return m_now;
}

bool BurstPlan::isEager(std::int64_t nowNs) const {
    return nowNs - m_beganNs < kEagerNs;
}

std::int64_t BurstPlan::pauseNs(std::int64_t nowNs, std::int64_t evaluationNs) const {
    if (m_spareCores && nowNs - m_beganNs < kFirstNs) return 0;
    return isEager(nowNs) ? evaluationNs : 4 * evaluationNs;
}

} // namespace dormer::instrument::cupti::sampling
