// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dormer::instrument::cupti::sampling {

/// Shorter intervals with counters of the SMs fail (CUPTI 13.0, H100).
inline constexpr std::int64_t kShortestIntervalNs = 5'000;

/// Which group of counters is read, at what interval, in how many samples, and how much time the sampler
/// takes of a core. Thread-safe calls are the caller's.
class BurstPlan {
public:
    struct Choice {
        std::size_t group = 0;
        std::int64_t intervalNs = 0;
        std::size_t samples = 0; ///< of a burst
        bool operator==(const Choice&) const = default;
    };

    /// `spareCores`: the program leaves some idle.
    BurstPlan(std::size_t groups, bool spareCores) : m_groups(groups), m_spareCores(spareCores) {}
    /// With the durations that another one has seen.
    BurstPlan(std::size_t groups, const BurstPlan& seen)
        : m_groups(groups), m_spareCores(seen.m_spareCores), m_timeNs(seen.m_timeNs) {}

    /// The program's first launch is called: until now nothing was to be read, however long ago choose() was
    /// asked.
    void launchesBegin(std::int64_t nowNs) { m_beganNs = m_switchNs = nowNs; }
    /// A launch ran that long.
    void ran(std::int64_t durationNs);
    /// What to read now. It stays for a while, longer each time: to switch is dear. The first group tells
    /// most and gets every other turn. What a program does in its first seconds, perhaps its only ones, is
    /// met by many short bursts; later long ones cost less.
    [[nodiscard]] Choice choose(std::int64_t nowNs);
    /// How long to pause after a burst that took that long to evaluate: none in the first two seconds where
    /// cores are idle, else half of a core at first, and a fifth when the program has run for a while.
    [[nodiscard]] std::int64_t pauseNs(std::int64_t nowNs, std::int64_t evaluationNs) const;
    /// A fifth of the shortest launches that matter: 90 % of the time is in longer ones. Between 5 and 100
    /// µs.
    [[nodiscard]] std::int64_t intervalNs() const;

private:
    [[nodiscard]] bool isEager(std::int64_t nowNs) const;

    static constexpr int kBuckets = 40; ///< of durations, by power of two
    std::size_t m_groups;
    bool m_spareCores;
    std::array<double, kBuckets> m_timeNs{};
    std::int64_t m_beganNs = 0, m_switchNs = 0, m_stayNs = 0;
    std::size_t m_turn = 0;
    Choice m_now;
};

} // namespace dormer::instrument::cupti::sampling
