// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/stalls/stall_profile.h"

#include "instrument/cupti/activity/own_calls.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>

namespace dormer::instrument::cupti {

namespace {

constexpr std::int64_t kFirstTellNs = 1'000'000'000;
/// The program waits for its end meanwhile: kernels beyond it are listed without nvdisasm.
constexpr std::int64_t kDisassemblyNs = 300'000'000;

} // namespace

void StallProfile::note(const std::string& code, const std::string& text) {
    if (m_noted.insert(text).second) m_host.emit(session::Note{0, code, text});
}

void StallProfile::contextUsed() {
    const activity::OwnCalls ours;
    CUcontext context = nullptr;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr) return;
    static thread_local CUcontext last = nullptr;
    if (std::exchange(last, context) == context) return;
    const std::lock_guard lock(m_mutex);
    if (m_over) return;
    const auto [sampler, isNew] = m_samplers.try_emplace(context);
    if (!isNew) return;
    auto started = PcSampler::start(context);
    if (started)
        sampler->second = std::move(*started);
    else
        note("no-stalls", "what warps wait for is not sampled: " + started.error().message);
}

void StallProfile::read(PcSampler& sampler, Result<void> (PcSampler::*how)(profile::StallLog&)) {
    if (const Result<void> came = (sampler.*how)(m_log); !came)
        note("stalls-incomplete", "samples of warps are missing: " + came.error().message);
}

void StallProfile::drain() {
    const std::lock_guard lock(m_mutex);
    if (m_over) return;
    for (const auto& [context, sampler] : m_samplers)
        if (sampler != nullptr) read(*sampler, &PcSampler::drain);
    const std::int64_t nowNs = m_host.nowNs();
    if (m_nextTellNs == 0) m_nextTellNs = nowNs + kFirstTellNs;
    if (nowNs < m_nextTellNs) return;
    tell();
    m_tellEveryNs = std::max(kFirstTellNs, 2 * m_tellEveryNs);
    m_nextTellNs = nowNs + m_tellEveryNs;
}

void StallProfile::tell() {
    for (const profile::StallLog::Untold& each : m_log.untold()) {
        const auto kernel = m_host.kernel(each.function.name);
        if (!kernel) continue; // its launch is not told yet
        m_kernels.emplace(each.function, *kernel);
        for (const session::WarpSamples& samples : m_log.take(each.function, *kernel)) {
            m_told[each.function].insert(samples.pc);
            m_host.emit(samples);
        }
    }
}

void StallProfile::tellCode() {
    std::vector<session::LineCounts> lines;
    const std::int64_t untilNs = m_host.nowNs() + kDisassemblyNs;
    for (const auto& [function, pcs] : m_told) {
        if (m_host.sources)
            for (const std::uint64_t pc : pcs) {
                session::LineCounts& line = lines.emplace_back();
                line.pc = pc;
                m_places.describe(line, function.cubin, function.name);
            }
        auto code = m_host.nowNs() < untilNs ? m_places.code(function.cubin, function.name)
                                             : m_places.listed(function.cubin, function.name, pcs);
        if (!code || code->lines.empty()) continue;
        code->kernel = m_kernels.at(function);
        m_host.emit(std::move(*code));
    }
    for (const session::Record& record : m_sources.named(lines))
        m_host.emit(record);
    if (!m_places.limitation().empty()) note("no-disassembler", m_places.limitation());
}

void StallProfile::finish() {
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_over, true)) return;
    for (const auto& [context, sampler] : m_samplers)
        if (sampler != nullptr) read(*sampler, &PcSampler::stop);
    tell();
    tellCode();
    if (m_log.dropped() > 0)
        note("samples-dropped", fmt::format("the GPU dropped {} of {} samples of warps", m_log.dropped(),
                                            m_log.dropped() + m_log.samples()));
    m_samplers.clear();
}

} // namespace dormer::instrument::cupti
