// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/source_files.h"
#include "instrument/cupti/cubin_store.h"
#include "instrument/cupti/profile/stall_log.h"
#include "instrument/cupti/sampling/turns.h"
#include "instrument/cupti/stalls/pc_sampler.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>

namespace dormer::instrument::cupti {

/// Samples what the warps of a program's kernels do, in each context that launches some, and tells it kernel by
/// kernel. It does so at the program's start and again and again for a while, ever more rarely. Thread-safe.
class StallProfile {
public:
    struct Host {
        std::function<void(const session::Record&)> emit;
        /// Number of a kernel that was told, by its mangled name.
        std::function<std::optional<std::uint64_t>(const std::string&)> kernel;
        std::function<std::int64_t()> nowNs;
        /// No launch is in the driver while it is held: CUPTI would wait for the launch, and that for CUPTI.
        std::function<std::unique_lock<std::shared_mutex>()> alone;
        sampling::Turns* turns = nullptr; ///< with whoever samples counters; outlives this
        bool sources = true;              ///< the text of source files is told too
    };
    explicit StallProfile(Host host) : m_host(std::move(host)) {}

    /// At launches, in the current context.
    void contextUsed();
    void contextEnds(CUctx_st* context);
    /// Many times a second: begins and ends to sample, takes what has come, and tells it now and then.
    void tick();
    /// Ends sampling for good.
    void stop();
    /// The program ends: tells the rest, and the code that was sampled.
    void finish();

private:
    void note(const std::string& code, const std::string& text);
    void start(CUctx_st* context);
    void begin(std::int64_t nowNs);
    void end(std::int64_t nowNs);
    void read(PcSampler& sampler, Result<void> (PcSampler::*how)(profile::StallLog&));
    void tell();
    void tellCode();

    Host m_host;
    std::mutex m_mutex; ///< guards what follows
    std::set<CUctx_st*> m_contexts;                             ///< that can be sampled
    std::map<CUctx_st*, std::unique_ptr<PcSampler>> m_samplers; ///< while they sample
    bool m_sampling = false;
    std::int64_t m_untilNs = 0, m_nextNs = 0, m_pauseNs = 0;
    profile::StallLog m_log;
    SourcePlaces m_places;
    collect::SourceFiles m_sources;
    std::map<profile::StallLog::Function, std::set<std::uint64_t>> m_told; ///< instructions with samples
    std::map<profile::StallLog::Function, std::uint64_t> m_kernels;
    std::set<std::string> m_noted;
    std::int64_t m_nextTellNs = 0, m_tellEveryNs = 0;
    bool m_over = false;
};

} // namespace dormer::instrument::cupti
