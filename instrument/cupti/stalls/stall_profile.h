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

/// Samples what the warps of a program's kernels do, in each context that launches some, and tells it kernel by
/// kernel. Thread-safe.
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

    /// At launches: samples the current context from now on, unless it is sampled already.
    void contextUsed();
    /// Now and then: takes what has come, and tells it more and more rarely.
    void drain();
    /// The contexts are idle and the program ends: tells the rest, and the code that was sampled.
    void finish();

private:
    void note(const std::string& code, const std::string& text);
    void read(PcSampler& sampler, Result<void> (PcSampler::*how)(profile::StallLog&));
    void tell();
    void tellCode();

    Host m_host;
    std::mutex m_mutex; ///< guards what follows
    std::map<CUctx_st*, std::unique_ptr<PcSampler>> m_samplers; ///< null: it can't be sampled
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
