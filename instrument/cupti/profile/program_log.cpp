// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/profile/program_log.h"

#include "analysis/session/signature_counters.h"
#include "instrument/collect/call_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dormer::instrument::cupti::profile {

using namespace session;
using passes::Place;

namespace {

/// Graphs that were launched; their kernels come one by one, so the last is not known.
constexpr std::size_t kMostGraphs = 100'000;

} // namespace

ProgramLog::ProgramLog(stream::CollectOptions options, passes::ContextBackend& context,
                       passes::GraphBackend* graphs, Emit emit, OnKernel onKernel)
    : m_options(options)
    , m_context(context)
    , m_graphs(graphs)
    , m_emit(std::move(emit))
    , m_onKernel(std::move(onKernel))
    , m_filter([&] {
        // What follows is about signatures, not about launches one by one.
        options.counterSet = "live";
        options.launches.reset();
        return options;
    }())
    , m_kernels([this](const Record& record) { m_out.push_back(record); })
    , m_lineRecords(m_options.sources) {}

void ProgramLog::setDevices(std::vector<Device> devices) {
    const std::lock_guard lock(m_mutex);
    m_devices = std::move(devices);
}

sampling::Timeline& ProgramLog::timeline(std::int32_t device) {
    const std::lock_guard lock(m_mutex);
    auto& timeline = m_timelines[device];
    if (timeline == nullptr) timeline = std::make_unique<sampling::Timeline>();
    return *timeline;
}

std::uint32_t ProgramLog::placeNumber(const Place& place) {
    std::vector<std::uint32_t>& known = m_placesByNvtx[place.nvtx];
    for (const std::uint32_t number : known)
        if (m_places[number] == place) return number;
    known.push_back(static_cast<std::uint32_t>(m_places.size()));
    m_places.push_back(place);
    return known.back();
}

/// Not while the log is locked: a call of the driver may wait for a lock that CUPTI's thread holds while it
/// tells times, for which it waits for ours.
void ProgramLog::askDriver(const SeenLaunch& launch) {
    const Limit limit{launch.function, launch.block.count(), launch.dynamicSharedBytes};
    bool newFunction = false, newLimit = false;
    {
        const std::lock_guard lock(m_mutex);
        newFunction = !m_functions.contains(launch.function);
        newLimit = !m_blocksPerSm.contains(limit);
    }
    if (newFunction) {
        const passes::FunctionFacts facts = m_context.functionFacts(launch.function);
        const std::lock_guard lock(m_mutex);
        m_functions.emplace(launch.function, facts);
    }
    if (newLimit) {
        const auto blocks = m_context.blocksPerSm(launch.function, static_cast<std::uint32_t>(limit.threads),
                                                  limit.dynamicSharedBytes);
        const std::lock_guard lock(m_mutex);
        m_blocksPerSm.emplace(limit, blocks);
    }
}

ProgramLog::Choice ProgramLog::launchBegins(const SeenLaunch& launch, const Place& place,
                                            std::int64_t nowNs) {
    Pending pending;
    pending.function = launch.function;
    pending.beginNs = nowNs;
    pending.waitedUntilNs = launch.waitedUntilNs;
    pending.graph = launch.graph;
    pending.device = launch.device;
    Choice choice;
    timeline(launch.device).called(launch.correlationId, nowNs);
    if (!launch.graph) askDriver(launch);
    const std::lock_guard lock(m_mutex);
    pending.place = placeNumber(place);
    if (launch.graph) {
        m_transfers.replayed(launch.correlationId, place);
    } else {
        pending.id = m_nextId++;
        pending.blocksPerSm =
            m_blocksPerSm.at({launch.function, launch.block.count(), launch.dynamicSharedBytes});
        choice = choose(launch, place);
        if (choice.count) pending.group = choice.group;
    }
    m_pending.insert_or_assign(launch.correlationId, std::move(pending));
    return choice;
}

void ProgramLog::launchHeldUp(std::uint32_t correlationId, std::int64_t nowNs) {
    const std::lock_guard lock(m_mutex);
    if (const auto pending = m_pending.find(correlationId); pending != m_pending.end())
        pending->second.beginNs = nowNs;
}

void ProgramLog::launchEnds(std::uint32_t correlationId, bool failed, std::int64_t nowNs) {
    std::int32_t device = 0;
    {
        const std::lock_guard lock(m_mutex);
        const auto pending = m_pending.find(correlationId);
        if (pending == m_pending.end()) return;
        pending->second.endNs = nowNs;
        const auto untimed = pending->second.untimed;
        if (!failed && !untimed) return;
        device = pending->second.device;
        if (failed)
            m_pending.erase(pending);
        else
            tell(*untimed);
    }
    timeline(device).dropped(correlationId);
    write();
}

void ProgramLog::tellDevice(std::int32_t device) {
    if (!m_devicesTold.insert(device).second) return;
    if (const auto known = std::ranges::find(m_devices, device, &Device::id); known != m_devices.end())
        m_out.emplace_back(*known);
}

std::uint32_t ProgramLog::signatureNumber(const Launch& launch) {
    const auto [at, isNew] =
        m_numbers.try_emplace(session::signatureOf(launch), static_cast<std::uint32_t>(m_signatures.size()));
    if (isNew) {
        SignatureCounter counter;
        counter.device = launch.device;
        counter.kernel = launch.kernel;
        counter.workload = launch.workload;
        counter.grid = launch.grid;
        counter.block = launch.block;
        counter.dynamicSharedBytes = launch.dynamicSharedBytes;
        m_signatures.push_back(std::move(counter));
        m_left.push_back(true);
    }
    // A launch that is wanted is enough.
    if (launch.notCounted.empty()) m_left[at->second] = false;
    return at->second;
}

std::optional<std::uint64_t> ProgramLog::kernelNamed(const std::string& mangledName) {
    const std::lock_guard lock(m_mutex);
    return m_kernels.named(mangledName);
}

std::optional<SignatureCounter> ProgramLog::signature(std::uint32_t number) {
    const std::lock_guard lock(m_mutex);
    if (number >= m_signatures.size() || m_left[number]) return std::nullopt;
    return m_signatures[number];
}

void ProgramLog::tell(const passes::KernelTiming& timing) {
    const auto found = m_pending.find(timing.correlationId);
    if (found == m_pending.end()) return; // launched before we were there, or by us
    Pending& pending = found->second;
    if (pending.awaited > 0) {
        pending.timing = timing;
        return;
    }
    const double durationNs = static_cast<double>(timing.endNs - timing.startNs);
    Group* const group = pending.group ? &m_groups[*pending.group] : nullptr;
    if (group != nullptr && !pending.untimed) {
        group->timedNs += durationNs;
        ++group->timed;
    }
    const std::uint32_t signature = tellLaunch(timing, pending);
    if (pending.values) {
        tellCounters(signature, durationNs, *pending.values);
        m_out.emplace_back(LaunchCounters{pending.id, std::move(*pending.values), true});
    }
    if (group != nullptr) {
        group->signature = signature;
        group->counted = group->counted || pending.values;
    }
    if (!pending.graph) m_pending.erase(found);
}

std::uint32_t ProgramLog::tellLaunch(const passes::KernelTiming& timing, Pending& pending) {
    Place place = m_places[pending.place];
    const void* function = pending.function;
    Launch launch;
    if (pending.graph) {
        function = nullptr;
        if (m_graphs != nullptr) {
            const passes::GraphBackend::NodeFacts node = m_graphs->node(timing.graphNode);
            collect::CallSite whose =
                collect::attributed({node.workload, node.nvtx}, {place.workload, place.nvtx});
            place = {std::move(whose.workload), std::move(whose.nvtx), place.run};
            // The program may have given the node another kernel since.
            if (node.mangledName == timing.mangledName) function = node.function;
        }
        launch.id = m_nextId++;
        launch.graphNode = timing.graphNode;
        ++m_ofGraphs;
    } else {
        launch.id = pending.id;
        if (pending.endNs > pending.beginNs && pending.look == Look::None)
            launch.callNs = static_cast<double>(pending.endNs - pending.beginNs);
        launch.blocksPerSm = pending.blocksPerSm;
    }
    if (pending.look == Look::None) { // else the call came later than the program made it
        launch.calledNs = pending.beginNs;
        launch.waitedUntilNs = pending.waitedUntilNs;
    }
    tellDevice(timing.device);
    launch.device = timing.device;
    launch.kernel = m_kernels.number(function, timing.mangledName, &timing, [&] {
        const auto facts = m_functions.find(function);
        return facts != m_functions.end() ? facts->second : passes::FunctionFacts{};
    });
    launch.grid = timing.grid;
    launch.block = timing.block;
    launch.dynamicSharedBytes = timing.dynamicSharedBytes;
    launch.stream = timing.stream;
    launch.workload = place.workload;
    launch.nvtx = place.nvtx;
    launch.startNs = timing.startNs;
    if (timing.endNs > timing.startNs) launch.durationNs = static_cast<double>(timing.endNs - timing.startNs);
    if (!m_options.kernels.empty() || !m_options.nvtx.empty())
        launch.notCounted = m_filter.whyNotCounted({.function = function,
                                                    .mangledName = timing.mangledName,
                                                    .grid = launch.grid,
                                                    .block = launch.block,
                                                    .dynamicSharedBytes = launch.dynamicSharedBytes,
                                                    .workload = launch.workload,
                                                    .nvtx = launch.nvtx});
    const std::uint32_t signature = signatureNumber(launch);
    m_out.emplace_back(launch);
    if (pending.lines)
        m_lineRecords.tell(launch.kernel, launch.id, *std::exchange(pending.lines, {}),
                           [this](const Record& record) { m_out.push_back(record); });
    if (pending.untimed) return signature;
    m_transfers.kernelRan(place, timing.startNs, timing.endNs);
    auto& timeline = m_timelines[timing.device];
    if (timeline == nullptr) timeline = std::make_unique<sampling::Timeline>();
    timeline->ran(timing.correlationId, {{timing.startNs, timing.endNs, signature}, launch.id});
    return signature;
}

void ProgramLog::lined(std::uint32_t correlationId, Result<passes::CountedLines> lines) {
    {
        const std::lock_guard lock(m_mutex);
        if (!lines) noteOnce("lines-failed", "counts per instruction: " + lines.error().message);
        const auto found = m_pending.find(correlationId);
        if (found == m_pending.end()) return;
        if (lines) found->second.lines = std::move(*lines);
        arrived(found->second);
    }
    write();
}

void ProgramLog::noteOnce(const std::string& code, const std::string& text) {
    if (m_noted.insert(text).second) m_out.emplace_back(Note{0, code, text});
}

void ProgramLog::ran(passes::Timings timings) {
    {
        const std::lock_guard lock(m_mutex);
        for (const passes::KernelTiming& timing : timings.kernels)
            tell(timing);
        for (const passes::TransferTiming& timing : timings.transfers)
            transferRan(timing);
        std::ranges::move(timings.transfers, std::back_inserter(m_transferTimings));
        tellTransfers(false);
        tellGroups(false);
        if (m_pending.size() > kMostGraphs)
            std::erase_if(m_pending, [&](const auto& each) {
                return each.second.graph && each.second.beginNs < m_context.nowNs() - kNeverTimedNs;
            });
    }
    write();
    for (const passes::KernelTiming& timing : timings.kernels)
        m_onKernel(timing.device, timing.endNs - timing.startNs);
}

void ProgramLog::write() {
    const std::lock_guard writing(m_writeMutex);
    std::vector<Record> records;
    {
        const std::lock_guard lock(m_mutex);
        records.swap(m_out);
    }
    for (const Record& record : records)
        m_emit(record);
}

void ProgramLog::finish() {
    {
        const std::lock_guard lock(m_mutex);
        tellTransfers(true);
        tellGroups(true);
        noteNotCounted();
        const auto untimed =
            std::ranges::count_if(m_pending, [](const auto& each) { return !each.second.graph; });
        if (untimed > 0)
            m_out.emplace_back(Note{
                0, "launches-untimed",
                fmt::format("{} launches were called, but CUPTI told no times of them: they are left out",
                            untimed)});
    }
    write();
}

} // namespace dormer::instrument::cupti::profile
