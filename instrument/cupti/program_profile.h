// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/record_stream.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/lines/line_replay.h"
#include "instrument/cupti/profile/program_log.h"
#include "instrument/cupti/sampling/sampler.h"
#include "instrument/cupti/stalls/stall_profile.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace dormer::instrument::cupti {

/// Profiles the process it lives in, whatever program that is: tells every launch and copy, and samples the
/// devices while it runs. Lives until the process ends.
class ProgramProfile {
public:
    /// `problems` with the options are told when there is something to tell.
    ProgramProfile(stream::CollectOptions options, collect::RecordStream& stream,
                   std::vector<session::Note> problems);

    /// From CUPTI's callbacks, on the program's threads.
    void contextCreated();
    /// `again` launches the kernel once more, before it is launched by the program; false: CUDA refused.
    void launchBegins(profile::SeenLaunch launch, const passes::Place& place,
                      const std::function<bool()>& again = {});
    void launchEnds(std::uint32_t correlationId, bool failed);
    void memoryCalled(const passes::MemoryApiCall& call);
    void rangeEnded(const std::string& path, std::int64_t startNs, std::int64_t endNs);
    /// A check, known answer, workload or sweep that the program names.
    void declare(const session::Record& record);
    /// A context is about to go: waits for what runs and tells it.
    void contextEnds(CUctx_st* context);
    /// For good: the main thread ends, perhaps by calling exit().
    void stopSampling();

private:
    /// At the first context: CUDA is up, so devices can be described.
    void begin();
    /// At the first launch or copy: from now on there is something to flush, and an end.
    void run();
    void end();
    void sample(std::int32_t device);
    /// Before a launch whose lines are wanted, on its thread.
    [[nodiscard]] Result<passes::CountedLines> countLines(std::int32_t device,
                                                          const std::function<bool()>& again);
    /// Around a launch whose counters are wanted, on its thread.
    void beginCounting(std::int32_t device);
    void endCounting(std::uint32_t correlationId);
    [[nodiscard]] bool counts() const;
    [[nodiscard]] static std::int32_t currentDevice();

    stream::CollectOptions m_options;
    collect::RecordStream& m_stream;
    std::vector<session::Note> m_problems;
    std::unique_ptr<passes::ContextBackend> m_context;
    profile::ProgramLog m_log;
    std::once_flag m_begun, m_running;
    std::mutex m_earlyMutex; ///< guards what was declared before there was a context
    std::vector<session::Record> m_early;
    bool m_told = false; ///< who the process is
    std::atomic<bool> m_over = false;

    std::mutex m_mutex;                                                    ///< guards the samplers
    std::map<std::int32_t, std::unique_ptr<sampling::Sampler>> m_samplers; ///< by device
    std::atomic<std::uint64_t> m_sampled = 0; ///< bit by device: it has a sampler

    std::unique_ptr<StallProfile> m_stalls; ///< null: not wanted

    /// Held by a launch that is counted; shared by all others, which must not run beside it.
    std::shared_mutex m_alone;
    struct Counters {
        std::unique_ptr<passes::ReplayBackend> replay;
        Result<void> begun;
        std::string problem; ///< why there is no replay
        std::unique_ptr<LineReplay> lines;
        std::string lineProblem; ///< why there are no lines
    };
    [[nodiscard]] Counters& countersOf(std::int32_t device);
    std::map<std::int32_t, Counters> m_counters; ///< by device; guarded by m_alone

    std::thread m_flusher; ///< asks for what has ended, many times a second
};

} // namespace dormer::instrument::cupti
