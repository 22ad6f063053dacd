// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/stalls/stall_profile.h"

#include "instrument/cupti/activity/own_calls.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dormer::instrument::cupti {

namespace {

constexpr std::int64_t kFirstTellNs = 1'000'000'000;
/// Setting up to sample counters takes as long, and counters have to wait: the first turn costs them nothing.
constexpr std::int64_t kTurnNs = 400'000'000;
constexpr std::int64_t kShortestPauseNs = 4'000'000'000, kLongestPauseNs = 120'000'000'000;
/// The program waits for its end meanwhile: kernels beyond it are listed without nvdisasm.
constexpr std::int64_t kDisassemblyNs = 150'000'000;

} // namespace

void StallProfile::note(const std::string& code, const std::string& text) {
    if (m_noted.insert(text).second) m_host.emit(session::Note{0, code, text});
}

void StallProfile::start(CUctx_st* context) {
    auto started = PcSampler::start(context);
    if (started) {
        m_samplers.emplace(context, std::move(*started));
    } else {
        note("no-stalls", "what warps wait for is not sampled: " + started.error().message);
        m_contexts.erase(context);
    }
}

void StallProfile::begin(std::int64_t nowNs) {
    if (!m_host.turns->enterWarps()) return;
    m_sampling = true;
    m_untilNs = nowNs + kTurnNs;
    const auto alone = m_host.alone();
    for (CUctx_st* context : std::set(m_contexts))
        start(context);
}

void StallProfile::end(std::int64_t nowNs) {
    {
        const auto alone = m_host.alone();
        for (const auto& [context, sampler] : m_samplers)
            read(*sampler, &PcSampler::stop);
    }
    m_samplers.clear();
    m_sampling = false;
    m_host.turns->leaveWarps();
    m_pauseNs = std::clamp(2 * m_pauseNs, kShortestPauseNs, kLongestPauseNs);
    m_nextNs = nowNs + m_pauseNs;
}

void StallProfile::contextUsed() {
    const activity::OwnCalls ours;
    CUcontext context = nullptr;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr) return;
    static thread_local CUcontext last = nullptr;
    if (std::exchange(last, context) == context) return;
    const std::lock_guard lock(m_mutex);
    if (m_over || !m_contexts.insert(context).second) return;
    if (m_sampling) {
        const auto alone = m_host.alone();
        start(context);
    } else if (m_nextNs == 0) {
        begin(m_host.nowNs());
    }
}

void StallProfile::contextEnds(CUctx_st* context) {
    const std::lock_guard lock(m_mutex);
    m_contexts.erase(context);
    const auto sampler = m_samplers.find(context);
    if (sampler == m_samplers.end()) return;
    read(*sampler->second, &PcSampler::stop);
    m_samplers.erase(sampler);
}

void StallProfile::read(PcSampler& sampler, Result<void> (PcSampler::*how)(profile::StallLog&)) {
    if (const Result<void> came = (sampler.*how)(m_log); !came)
        note("stalls-incomplete", "samples of warps are missing: " + came.error().message);
}

void StallProfile::tick() {
    const std::lock_guard lock(m_mutex);
    const std::int64_t nowNs = m_host.nowNs();
    if (m_over || m_contexts.empty()) return;
    if (m_sampling && nowNs >= m_untilNs)
        end(nowNs);
    else if (!m_sampling && nowNs >= m_nextNs)
        begin(nowNs);
    for (const auto& [context, sampler] : m_samplers)
        read(*sampler, &PcSampler::drain);
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

void StallProfile::stop() {
    const std::lock_guard lock(m_mutex);
    m_over = true;
    if (m_sampling) end(m_host.nowNs());
}

void StallProfile::finish() {
    stop();
    const std::lock_guard lock(m_mutex);
    tell();
    tellCode();
    if (m_log.dropped() > 0)
        note("samples-dropped", fmt::format("the GPU dropped {} of {} samples of warps", m_log.dropped(),
                                            m_log.dropped() + m_log.samples()));
}

} // namespace dormer::instrument::cupti
