// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/stalls/stall_profile.h"

#include "instrument/cupti/activity/own_calls.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace dormer::instrument::cupti {

namespace {

/// CUPTI takes 0.1 s, or waits for ever where another thread of the program is in the driver.
constexpr std::chrono::seconds kLongestStop{2};
constexpr std::int64_t kFirstTellNs = 100'000'000, kLongestTellNs = 60'000'000'000;

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

void StallProfile::contextEnds(CUctx_st* context) {
    const std::lock_guard lock(m_mutex);
    const auto sampler = m_samplers.find(context);
    if (sampler == m_samplers.end()) return;
    if (sampler->second != nullptr) read(*sampler->second, &PcSampler::stop);
    m_samplers.erase(sampler);
}

void StallProfile::tick() {
    const std::int64_t nowNs = m_host.nowNs();
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& [context, sampler] : m_samplers)
            if (sampler != nullptr) read(*sampler, &PcSampler::drain);
        if (nowNs >= m_nextTellNs) {
            tell();
            m_tellEveryNs = std::clamp(2 * m_tellEveryNs, kFirstTellNs, kLongestTellNs);
            m_nextTellNs = nowNs + m_tellEveryNs;
        }
    }
    m_places.listAhead();
    disassembleNext();
}

void StallProfile::tell() {
    for (const profile::StallLog::Untold& each : m_log.untold()) {
        const auto kernel = m_host.kernel(each.function.name);
        if (!kernel) continue; // its launch is not told yet
        Told& told = m_told[each.function];
        told.kernel = *kernel;
        for (const session::WarpSamples& samples : m_log.take(each.function, *kernel)) {
            told.instructions.insert(samples.pc);
            m_host.emit(samples);
        }
    }
}

void StallProfile::tellCode(const Function& function, std::optional<session::KernelCode> code) {
    Told& told = m_told.at(function);
    told.code = true;
    if (!code || code->lines.empty()) return;
    code->kernel = told.kernel;
    m_host.emit(std::move(*code));
}

/// One function in a tick: the program's end waits for it.
void StallProfile::disassembleNext() {
    const auto next = std::ranges::find_if(m_told, [](const auto& each) { return !each.second.code; });
    if (next != m_told.end()) tellCode(next->first, m_places.code(next->first.cubin, next->first.name));
}

void StallProfile::tellSources() {
    std::vector<session::LineCounts> lines;
    for (const auto& [function, told] : m_told)
        for (const std::uint64_t pc : told.instructions) {
            session::LineCounts& line = lines.emplace_back();
            line.pc = pc;
            m_places.describe(line, function.cubin, function.name);
        }
    collect::SourceFiles sources;
    for (const session::Record& record : sources.named(lines))
        m_host.emit(record);
}

void StallProfile::stopAtEnd(std::unique_ptr<PcSampler> sampler) {
    struct Ending {
        std::unique_ptr<PcSampler> sampler;
        profile::StallLog log;
        Result<void> result;
        std::promise<void> ended;
    };
    read(*sampler, &PcSampler::drain);
    const auto ending = std::make_shared<Ending>();
    ending->sampler = std::move(sampler);
    std::thread([ending] {
        ending->result = ending->sampler->stop(ending->log);
        ending->ended.set_value();
    }).detach();
    if (ending->ended.get_future().wait_for(kLongestStop) != std::future_status::ready)
        return note("stalls-incomplete",
                    "the last samples of warps are missing: threads of the program are in "
                    "the driver as it ends");
    if (!ending->result)
        note("stalls-incomplete", "samples of warps are missing: " + ending->result.error().message);
    m_log.add(std::move(ending->log));
}

void StallProfile::finish() {
    const std::lock_guard lock(m_mutex);
    m_over = true;
    for (auto& [context, sampler] : m_samplers)
        if (sampler != nullptr) stopAtEnd(std::move(sampler));
    m_samplers.clear();
    tell();
    for (const auto& [function, told] : m_told)
        if (!told.code) m_places.listAhead(function.cubin, function.name);
    for (const auto& [function, told] : m_told)
        if (!told.code) tellCode(function, m_places.listed(function.cubin, function.name, told.instructions));
    m_places.awaitListings(); // their processes and files go before the program does
    if (m_host.sources) tellSources();
    if (!m_places.limitation().empty()) note("no-disassembler", m_places.limitation());
    if (const std::string limitation = m_log.limitation(); !limitation.empty())
        note("samples-unattributed", limitation);
    if (m_log.dropped() > 0)
        note("samples-dropped", fmt::format("the GPU dropped {} of {} samples of warps", m_log.dropped(),
                                            m_log.dropped() + m_log.samples()));
}

} // namespace dormer::instrument::cupti
