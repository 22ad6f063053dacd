// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/record_stream.h"
#include "instrument/cupti/counting/program_counting.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/profile/program_log.h"
#include "instrument/cupti/sampling/sampler.h"
#include "instrument/cupti/stalls/stall_profile.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
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
    /// `again` launches the kernel once more, in the same stream; false: CUDA refused. No graph has it.
    using Again = std::function<bool()>;
    void launchBegins(profile::SeenLaunch launch, const passes::Place& place, const void* stream = nullptr);
    void launchEnds(std::uint32_t correlationId, bool failed, const void* stream = nullptr,
                    const Again& again = {});
    void memoryCalled(const passes::MemoryApiCall& call);
    /// The program waited for the GPU, for all that its context had (`context`) or some: it may end any
    /// moment, without saying so.
    void waited(bool context);
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
    /// At a kernel's first launch by a thread, when the driver has loaded it: a short program's launches
    /// would be over before they are sampled.
    void awaitSampler(const profile::SeenLaunch& launch);
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

    ProgramCounting m_counting;

    [[nodiscard]] bool flushDue(std::int64_t apartNs) const;
    /// Asks for what has ended, unless that was done a moment ago. Where launches are counted only when
    /// nothing is under way: with user ranges configured, CUPTI (13.0) gives up what it delivers unfinished,
    /// and those launches never get times.
    void flush(std::int64_t apartNs);
    std::timed_mutex m_flushMutex;
    std::atomic<std::int64_t> m_flushedNs = 0, m_flushCostNs = 0; ///< when last, and what it took of a core
    std::thread m_flusher; ///< asks for what has ended, many times a second
};

} // namespace dormer::instrument::cupti
