// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/launch_filter.h"
#include "instrument/cupti/passes/launch_replay.h"
#include "instrument/cupti/passes/spread_passes.h"

#include <set>
#include <vector>

namespace dormer::instrument::cupti::passes {

/// Counters of chosen launches of a program that goes on meanwhile: by replaying one of a group, while that
/// is worth its time, else by passes spread over several. A kernel that takes long is let go, since it
/// may wait for what the program does next, and not counted. Calls are serialized by the caller, but for
/// saw() and due(), which may come from threads side by side between them.
class LaunchCounting {
public:
    struct Options {
        stream::Replay replay = stream::Replay::Auto;
        std::optional<std::uint32_t> launches{}; ///< of a group; absent: all
        std::optional<double> budgetSeconds{};   ///< for replays; absent: see kReplaySeconds
        std::int64_t beganNs = 0;                ///< the program, by Host::nowNs
    };
    /// What replays take at most where nobody says how much: so many seconds, and this share of the time that
    /// the program itself has run for.
    static constexpr double kReplaySeconds = 2, kReplayShare = 0.25;
    /// Kernels that take longer are not run patched unless replays are asked for by name: they take 9 to 270
    /// times as long then (H200).
    static constexpr std::int64_t kLongestPatchedNs = 300'000'000;

    struct Host {
        CounterBackend& counters;
        MemoryBackend* memory = nullptr; ///< null: nothing can be run twice
        RunningBackend& running;
        std::function<std::int64_t()> nowNs;
        std::function<void()> quiet;    ///< nothing is under way just now
        std::function<void()> launched; ///< what is counted has been launched, and may run on for long
        /// Mean time of launches of a group that were not counted; 0: not known.
        std::function<double(std::uint32_t group)> takesNs;
        /// Values of a group that several launches gave.
        std::function<void(std::uint32_t group, std::map<std::string, double> values)> counted;
        std::function<void(const std::string& code, const std::string& text)> note;
    };
    LaunchCounting(Options options, Host host);

    /// The program launches something; from any thread.
    void saw() { m_spread.saw(); }
    /// Whether begin() has anything to do for a launch of the group.
    [[nodiscard]] bool due(std::uint32_t group) const;

    enum class Way { Not, Replayed, Spread };
    /// Before a launch.
    [[nodiscard]] Way begin(std::uint32_t group);
    /// After the call of one that begin() didn't answer Not; its counters if it was replayed. `launched`:
    /// CUDA did not refuse it.
    [[nodiscard]] std::optional<Result<std::map<std::string, double>>>
    end(const void* stream, bool launched, const std::function<bool()>& again);
    /// The group's kernel must not run twice.
    void neverReplay(std::uint32_t group) { groupOf(group).noReplay = true; }
    /// Someone else needs the counters for a while; false: a launch that was let go still has them.
    [[nodiscard]] bool interrupt();
    /// The program is over.
    void finish();

private:
    struct Group {
        std::uint32_t launches = 0; ///< counted
        int tries = 0;              ///< in vain
        bool seen = false;          ///< a launch was left alone
        bool noReplay = false;
    };
    [[nodiscard]] bool wants(std::uint32_t group) const;
    [[nodiscard]] bool replays(const Group& group) const;
    [[nodiscard]] bool isInBudget() const;
    [[nodiscard]] std::int64_t patienceNs(const Group& group) const;
    [[nodiscard]] Group& groupOf(std::uint32_t group);
    [[nodiscard]] bool tooLong(double ns) const;
    void leave(Group& group, double ns);
    /// Tells each reason once, however many groups meet it.
    void noteNotReplayed(const std::string& why);
    /// Whether what was let go has ended; then it is done with.
    bool settle();
    void spreadCounted(std::uint32_t group, std::map<std::string, double> values);

    Options m_options;
    Host m_host;
    LaunchReplay m_replay;
    SpreadPasses m_spread;
    std::vector<Group> m_groups; ///< by number
    Way m_way = Way::Not;        ///< of the launch between begin() and end(), or let go
    std::uint32_t m_group = 0;   ///< its group
    bool m_letGo = false;
    std::set<std::string> m_noted;
    std::int64_t m_beganNs = 0, m_launchedNs = 0, m_replayedNs = 0;
};

} // namespace dormer::instrument::cupti::passes
