// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/lines/line_replay.h"
#include "instrument/cupti/passes/launch_counting.h"
#include "instrument/cupti/profile/program_log.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>

struct CUctx_st;

namespace dormer::instrument::cupti {

/// Exact counters and counts per instruction of chosen launches of a program that is profiled. A launch that
/// is counted runs by itself: others wait at their calls. Each call comes from the program's thread.
class ProgramCounting {
public:
    struct Host {
        profile::ProgramLog& log;
        std::function<void(const session::Record&)> emit;
        /// Asks CUPTI for what has ended; only when nothing is under way.
        std::function<void()> flush;
    };
    ProgramCounting(const stream::CollectOptions& options, Host host) : m_options(options), m_host(host) {}

    /// Counters are wanted, so activity must only be asked for by flush().
    [[nodiscard]] bool counts() const;
    /// Counters or lines are.
    [[nodiscard]] bool wanted() const { return counts() || m_options.lines; }

    /// Launches the same once more, in the same stream; false: CUDA refused.
    using Again = std::function<bool()>;
    void launchBegins(profile::SeenLaunch launch, const void* stream,
                      const profile::ProgramLog::Choice& choice);
    void launchEnds(std::uint32_t correlationId, bool failed, const void* stream, const Again& again);
    /// The program has waited for all that its context had: a good time to flush(), if nothing runs.
    void waited();
    /// A context is about to go, and with it what was made in it.
    void contextEnds(CUctx_st* context);
    void finish();

private:
    struct Counters {
        CUctx_st* context = nullptr;
        std::unique_ptr<passes::RunningBackend> running;
        std::unique_ptr<passes::MemoryBackend> memory, shared; ///< null: nothing can be run twice
        std::string memoryProblem;                             ///< why
        std::unique_ptr<passes::CounterBackend> profiler, untraced;
        std::unique_ptr<passes::LaunchCounting> counting; ///< null: not wanted, or not to be had
        std::unique_ptr<LineReplay> lines;
        std::string lineProblem; ///< why there are no lines
    };
    [[nodiscard]] Counters& countersOf(std::int32_t device);
    void startCounting(std::int32_t device, Counters& counters);
    /// Whether the counting of the device has anything to do for a launch of the group.
    [[nodiscard]] bool isDue(std::int32_t device, std::uint32_t group) const;
    [[nodiscard]] Result<void> beginLines(const profile::SeenLaunch& launch);
    void endLines(std::uint32_t correlationId, bool failed, bool ended, std::int64_t ownNs,
                  const Again& again);
    [[nodiscard]] bool beginCounting(profile::SeenLaunch launch, const void* stream, std::uint32_t group);
    void endCounting(std::uint32_t correlationId, bool failed, const void* stream, const Again& again);
    void flushWhereQuiet();

    stream::CollectOptions m_options;
    Host m_host;
    /// Held by a launch that is counted; shared by all others, which must not run beside it.
    std::shared_mutex m_alone;
    std::map<std::int32_t, Counters> m_counters; ///< by device; guarded by m_alone
    std::atomic<std::uint64_t> m_unflushed = 0;  ///< launches
};

} // namespace dormer::instrument::cupti
