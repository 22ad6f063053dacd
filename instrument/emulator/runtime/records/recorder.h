// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "analysis/session/record.h"
#include "instrument/collect/call_site.h"
#include "instrument/collect/launch_filter.h"
#include "instrument/collect/nvtx_ranges.h"
#include "instrument/collect/source_files.h"
#include "instrument/collect/transfer_join.h"
#include "instrument/collector_abi.h"
#include "instrument/emulator/engine/engine.h"
#include "instrument/emulator/runtime/executor.h"
#include "instrument/emulator/runtime/records/stall_log.h"

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <set>

namespace dormer::emulator::runtime {

/// Writes the records of an emulated process: the same as a GPU's collector, in one pass. Thread-safe.
class Recorder {
public:
    using Emit = std::function<void(const session::Record&)>;
    Recorder(Emit emit, instrument::stream::CollectOptions options, std::vector<session::Note> problems);
    /// The one of this process; null when no launcher waits for records (DORMER_STREAM is not set).
    static Recorder* instance();

    [[nodiscard]] const instrument::stream::CollectOptions& options() const { return m_options; }
    [[nodiscard]] instrument::collect::NvtxRanges& nvtx() { return m_nvtx; }
    /// The device the process runs on; `counters` tells which of the set's it gives, when the first record is
    /// due.
    void describe(session::Device device, std::function<std::vector<std::string>()> counters);

    /// The program's pass loop: one pass is enough.
    bool nextPass();
    /// A known answer, workload or sweep that the program names.
    void declare(const session::Record& record);
    void check(const char* workload, bool passed, const char* detail);
    void note(const std::string& code, const std::string& text);
    /// Where the calling thread is.
    [[nodiscard]] instrument::collect::CallSite site() const;

    /// What to make of a launch.
    struct Plan {
        bool recorded = false;
        bool counted = false; ///< the launch has to run with counting
        std::int64_t startNs = 0;
        instrument::collect::LaunchCall call;
        std::string notCounted;
        std::optional<std::uint64_t> graphNode;
    };
    [[nodiscard]] Plan begins(instrument::collect::LaunchCall call);
    /// The same for one that the program asked for somewhere else.
    [[nodiscard]] Plan begins(instrument::collect::LaunchCall call, instrument::collect::CallSite site);
    /// The same for a launch that a graph makes: by which node, made where.
    [[nodiscard]] Plan begins(instrument::collect::LaunchCall call,
                              const instrument::collect::CallSite& created, std::uint64_t node);
    struct Ran {
        std::uint64_t stream = 0;
        std::optional<std::uint32_t> blocksPerSm;
        std::optional<LaunchReport> report; ///< of a counted launch
        std::vector<session::LineCounts> lines;
        std::vector<engine::InstructionStall> stalls;
        const program::Kernel* kernel = nullptr; ///< whose code goes with lines and stalls; null: none does
    };
    void ends(const Plan& plan, const program::KernelFacts& facts, Ran ran);
    void failed(const Plan& plan, const program::KernelFacts& facts, const std::string& why);
    /// A copy or fill was done for code at this site, and a call for memory by the calling thread. Equal ones
    /// of one run of a workload are written as one.
    void transferred(session::Transfer transfer, const instrument::collect::CallSite& where);
    void memoryCalled(session::MemoryCall call);
    /// The program ends: who waits for records learns that it was here, even if it launched nothing. Nothing
    /// in a child of fork() that did nothing here.
    void programEnds();

private:
    void becomeOwn();
    void begin(); ///< writes the process record once; the caller holds m_mutex
    session::Launch launchOf(const Plan& plan, const program::KernelFacts& facts);
    void emitCode(std::uint64_t kernel, const program::Kernel& code);
    void emitStalls();
    void emitProgress(const instrument::collect::LaunchCall& call);
    /// Readies for one more transfer or call; false when it is not to be recorded. The caller holds m_mutex.
    bool joining(std::int64_t nowNs);
    void emitJoined();

    Emit m_emit;
    instrument::stream::CollectOptions m_options;
    std::vector<session::Note> m_problems;
    instrument::collect::NvtxRanges m_nvtx;
    std::mutex m_mutex; ///< guards what follows
    instrument::collect::LaunchFilter m_filter;
    session::Device m_device;
    std::function<std::vector<std::string>()> m_counters;
    std::atomic<pid_t> m_pid;
    bool m_forked = false; ///< this process is a child of the one that made the recorder
    bool m_began = false;
    bool m_inPass = false;
    std::uint64_t m_nextLaunch = 0;
    std::map<const void*, std::uint64_t> m_kernels;
    std::map<std::uint64_t, std::int64_t> m_streamEndNs; ///< by stream: end of its last launch
    std::set<std::string> m_notesGiven;
    instrument::collect::SourceFiles m_sources;
    std::set<std::uint64_t> m_codeGiven; ///< kernels
    StallLog m_stalls;
    std::int64_t m_lastProgressNs = 0;
    instrument::collect::TransferJoin m_joined; ///< not written yet
    std::uint64_t m_joinedRun = 0;
    std::int64_t m_joinedSinceNs = 0;
};

} // namespace dormer::emulator::runtime
