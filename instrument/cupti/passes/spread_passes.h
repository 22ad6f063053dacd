// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <atomic>
#include <functional>
#include <unordered_map>

namespace dormer::instrument::cupti::passes {

/// Counters that take several passes, spread over successive launches of a group (a kernel and how it is
/// launched): each pass stays open while the program goes on, and counts one launch of each group. Nothing is
/// run twice. One round of passes serves many groups, in whatever order they come.
class SpreadPasses {
public:
    struct Host {
        /// Whether a group's counters are still to be had.
        std::function<bool(std::uint32_t group)> wants;
        /// A round is over: the group's values, or none where a pass met no launch of it.
        std::function<void(std::uint32_t group, std::map<std::string, double> values)> counted;
        /// Counters can't be had, for good.
        std::function<void(const Error&)> failed;
    };
    SpreadPasses(CounterBackend& counters, Host host) : m_counters(counters), m_host(std::move(host)) {}

    /// The program launches something; from any thread.
    void saw() { ++m_launches; }
    /// Whether begin() has anything to do for a launch of the group.
    [[nodiscard]] bool due(std::uint32_t group, std::int64_t nowNs) const;
    /// Before a launch that nothing runs beside; true: it is counted, and end() follows.
    [[nodiscard]] bool begin(std::uint32_t group, std::int64_t nowNs);
    /// After it has ended. Not `alone`: others ran beside it, so its counts are worth nothing.
    void end(bool alone);
    /// Ends the pass that is open and forgets the round: someone else needs the counters.
    void interrupt();
    /// No more launches come: what the round has is told if it is its last pass.
    void finish(std::int64_t nowNs);
    [[nodiscard]] bool open() const { return m_pass >= 0; }

private:
    struct Entry {
        std::uint32_t group = 0;
        int passes = 0; ///< that counted a launch of it
        bool lost = false;
    };
    [[nodiscard]] bool isDue(const Entry& entry) const { return !entry.lost && entry.passes == m_pass; }
    /// Whether the open pass has waited long enough.
    [[nodiscard]] bool over(std::int64_t nowNs) const;
    [[nodiscard]] bool startRound(std::int64_t nowNs);
    void startPass(std::int64_t nowNs);
    void endPass(std::int64_t nowNs);
    void endRound();
    void fail(const Error& error);

    CounterBackend& m_counters;
    Host m_host;
    int m_pass = -1; ///< the open one; -1: none
    std::vector<Entry> m_entries;
    std::unordered_map<std::uint32_t, std::size_t> m_places; ///< of groups in m_entries
    std::size_t m_missing = 0;                               ///< entries the pass still waits for
    std::size_t m_counting = 0;                              ///< entry between begin() and end()
    std::int64_t m_passBeganNs = 0, m_progressNs = 0, m_firstPassNs = 0;
    std::atomic<std::uint64_t> m_launches = 0; ///< of the pass
    std::uint64_t m_launchesAtProgress = 0, m_launchesOfFirst = 0;
    bool m_failed = false;
};

} // namespace dormer::instrument::cupti::passes
