// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/source_files.h"
#include "instrument/cupti/cubin_store.h"
#include "instrument/cupti/profile/stall_log.h"
#include "instrument/cupti/stalls/pc_sampler.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace dormer::instrument::cupti {

/// Samples what the warps of a program's kernels do, in each context that launches some, from its first
/// launch to the program's end, and tells it kernel by kernel. Thread-safe but where it says so.
///
/// Sampling never ends while the program runs: CUPTI waits for calls of the program that are in the driver,
/// and these for CUPTI (CUDA 13.0, H100). Nor is it together with PM sampling: the second is refused, or
/// crashes.
class StallProfile {
public:
    struct Host {
        std::function<void(const session::Record&)> emit;
        /// Number of a kernel that was told, by its mangled name.
        std::function<std::optional<std::uint64_t>(const std::string&)> kernel;
        std::function<std::int64_t()> nowNs;
        bool sources = true; ///< the text of source files is told too
    };
    explicit StallProfile(Host host) : m_host(std::move(host)) {}

    /// At launches, in the current context.
    void contextUsed();
    void contextEnds(CUctx_st* context);
    /// Many times a second, on one thread: takes what has come, tells it ever more rarely, and disassembles.
    void tick();
    /// When nothing ticks any more: tells the rest.
    void finish();

private:
    using Function = profile::StallLog::Function;
    void note(const std::string& code, const std::string& text);
    void read(PcSampler& sampler, Result<void> (PcSampler::*how)(profile::StallLog&));
    void stopAtEnd(std::unique_ptr<PcSampler> sampler);
    void tell();
    void tellCode(const Function& function, std::optional<session::KernelCode> code);
    void disassembleNext();
    void tellSources();

    Host m_host;
    std::mutex m_mutex;                                         ///< guards samplers and log
    std::map<CUctx_st*, std::unique_ptr<PcSampler>> m_samplers; ///< null: it can't be sampled
    profile::StallLog m_log;
    std::set<std::string> m_noted;
    bool m_over = false;

    // Of the thread that ticks.
    struct Told {
        std::uint64_t kernel = 0;
        std::set<std::uint64_t> instructions;
        bool code = false; ///< was told
    };
    std::map<Function, Told> m_told;
    SourcePlaces m_places;
    std::int64_t m_nextTellNs = 0, m_tellEveryNs = 0;
};

} // namespace dormer::instrument::cupti
