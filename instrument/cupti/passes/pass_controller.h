// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "instrument/collect/launch_filter.h"
#include "instrument/cupti/passes/backends.h"
#include "instrument/cupti/passes/kernel_registry.h"
#include "instrument/cupti/passes/line_records.h"
#include "instrument/cupti/passes/seen_call.h"
#include "instrument/cupti/passes/transfer_log.h"

#include <functional>
#include <memory>
#include <set>

namespace dormer::instrument::cupti::passes {

/// Runs one sequence of launches after the other through its passes: first undisturbed for durations, then
/// once for each counter pass with one range around each chosen launch, and once for counts per instruction,
/// if those are wanted. Records go to `emit` as soon as they are known: launches with their durations after
/// the first pass, lines as they are counted, counters after the last pass of the sequence. Not thread-safe:
/// the caller holds its lock.
class PassController {
public:
    using Emit = std::function<void(const session::Record&)>;

    PassController(stream::CollectOptions options, std::unique_ptr<TimingBackend> timing,
                   std::unique_ptr<CounterBackend> counters, std::unique_ptr<ContextBackend> context,
                   Emit emit, std::unique_ptr<LineBackend> lines = nullptr, GraphBackend* graphs = nullptr);
    ~PassController();

    /// True: the program should run its sequence (again). False: it is done.
    bool nextPass();
    /// Around each launch call of the program, in any pass.
    void launchBegins(const collect::LaunchCall& call);
    void launchEnds();
    /// Around each launch of a graph; `function` is the executable graph. In a counting pass it runs here,
    /// one node at a time, and the program's own launch then finds every node switched off.
    void graphBegins(const collect::LaunchCall& call);
    void graphEnds(const void* executable);
    /// The program copied, filled, or called for memory.
    void memoryCalled(const MemoryApiCall& call);
    /// A workload's range closed.
    void workloadRan(const Place& place, std::int64_t startNs, std::int64_t endNs);
    /// Calls for memory and ranges of workloads are of interest now.
    [[nodiscard]] bool undisturbed() const { return m_phase == Phase::Timing; }
    /// An NVTX range of the program closed (only kept for the undisturbed pass).
    void rangeEnded(const std::string& path, std::int64_t startNs, std::int64_t endNs);

private:
    enum class Phase { Idle, Timing, Counting, Lines };
    class KernelTimings;

    void startTiming();
    bool finishTiming();
    void describeLaunch(SeenCall& seen, const KernelTimings& timings);
    void describeGraph(SeenCall& seen, const KernelTimings& timings);
    [[nodiscard]] std::optional<std::uint32_t> blocksPerSm(const collect::LaunchCall& call);
    void emitLaunch(SeenKernel& kernel, const collect::LaunchCall& call, const KernelTiming* timing,
                    const std::string& cannotCount);
    void emitTransfers(std::vector<TransferTiming> transfers);
    [[nodiscard]] Place placeOfNode(const Place& replay, std::uint64_t node);
    /// Empties the caches before a launch, unless that would undo the program's own overlap.
    void flushBeforeTimed(const collect::LaunchCall& call);
    void flush();
    /// Around a kernel that is to be counted in the running pass; does nothing for others.
    void openRange(const SeenKernel& kernel);
    void closeRange();
    void emitLines(const SeenKernel& kernel, std::vector<session::LineCounts> lines);
    [[nodiscard]] std::optional<std::size_t> stepOf(const SeenCall& seen, std::uint64_t node);
    void runGraphNodes(const SeenCall& seen, const collect::LaunchCall& call);
    bool startCounting();
    bool finishCountingPass();
    bool startLines();
    /// The pass launches something else than the first did: nothing of the sequence is used.
    void breakSequence(const std::string& what);
    [[nodiscard]] bool continuesSequence(const collect::LaunchCall& call, bool graph,
                                         std::size_t ordinal) const;
    /// What the first pass saw where this call stands; null once the sequence is broken.
    const SeenCall* nextCall(const collect::LaunchCall& call, bool graph);
    void checkLaunchCount();
    void finishSequence();
    void note(const std::string& code, const std::string& text);
    void abandonCounting(const std::string& code, const std::string& text);
    void abandonLines(const std::string& text);
    [[nodiscard]] std::string whyNotCounted(const collect::LaunchCall& call);
    void emitProgress(const char* phase, int pass);

    stream::CollectOptions m_options;
    std::unique_ptr<TimingBackend> m_timing;
    std::unique_ptr<CounterBackend> m_counters; ///< null = timing only
    std::unique_ptr<LineBackend> m_lines;       ///< null = no counts per instruction
    GraphBackend* m_graphs;                     ///< null = graphs are timed, not counted; outlives this
    std::unique_ptr<ContextBackend> m_context;
    Emit m_emit;
    collect::LaunchFilter m_filter;
    collect::LaunchFilter m_lineFilter; ///< the same, but --set none does not keep lines from being counted

    Phase m_phase = Phase::Idle;
    int m_pass = 0;                ///< 1-based counter pass
    std::vector<SeenCall> m_calls; ///< that launch, of this sequence, in order
    std::size_t m_ordinal = 0;     ///< next call of the running pass
    std::size_t m_kernelCount = 0; ///< launches that the calls came to
    std::size_t m_countedKernels = 0;
    const SeenKernel* m_openRange = nullptr; ///< in m_calls: what runs in a range, or with lines counted
    LineRecords m_lineRecords;
    TransferLog m_transfers;
    bool m_copiesUnderWay = false;    ///< asynchronous ones were called since everything was last waited for
    const void* m_isolated = nullptr; ///< executable graph with all nodes switched off
    bool m_counterPassesDone = false; ///< of this sequence
    bool m_sequenceBroken = false;
    std::uint64_t m_nextLaunchId = 0;
    std::int64_t m_launchesDone = 0;
    std::int64_t m_passStartNs = 0;
    std::int64_t m_timingPassNs = 0;
    KernelRegistry m_kernels;
    std::set<std::string> m_notesGiven; ///< each is said once
};

} // namespace dormer::instrument::cupti::passes
