// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/transfer_log.h"

#include "instrument/collect/transfer_join.h"

#include <algorithm>
#include <tuple>

namespace dormer::instrument::cupti::passes {

using namespace session;

namespace {

Transfer recordOf(const TransferTiming& timing, const Place& place) {
    Transfer transfer;
    transfer.device = timing.device;
    transfer.kind = timing.kind;
    transfer.direction = timing.direction;
    transfer.source = timing.source;
    transfer.destination = timing.destination;
    transfer.count = timing.count;
    transfer.bytes = timing.bytes;
    transfer.startNs = timing.startNs;
    transfer.endNs = timing.endNs;
    if (timing.startNs != 0) transfer.durationNs = static_cast<double>(timing.endNs - timing.startNs);
    transfer.stream = timing.stream;
    transfer.asynchronous = timing.asynchronous;
    transfer.workload = place.workload;
    transfer.nvtx = place.nvtx;
    return transfer;
}

auto callOrder(const TransferTiming& timing) {
    return std::tuple(timing.correlationId, timing.graphNode, timing.startNs);
}

/// Copies that the driver does in several steps are one transfer of the program.
std::vector<TransferTiming> whole(std::vector<TransferTiming> timings) {
    std::ranges::sort(timings, {}, callOrder);
    std::vector<TransferTiming> merged;
    for (TransferTiming& timing : timings) {
        const bool continues = !merged.empty() && timing.correlationId != 0 &&
                               merged.back().correlationId == timing.correlationId &&
                               merged.back().graphNode == timing.graphNode &&
                               merged.back().kind == timing.kind;
        if (!continues) {
            merged.push_back(std::move(timing));
            continue;
        }
        merged.back().bytes += timing.bytes;
        merged.back().endNs = std::max(merged.back().endNs, timing.endNs);
    }
    return merged;
}

} // namespace

void TransferLog::clear() {
    *this = {};
}

std::uint32_t TransferLog::indexOf(const Place& place) {
    if (m_places.empty() || m_places.back() != place) m_places.push_back(place);
    return static_cast<std::uint32_t>(m_places.size() - 1);
}

std::uint32_t TransferLog::indexOf(const ApiCall& function) {
    const auto found = std::ranges::find(m_functions, function.name, &ApiCall::name);
    if (found != m_functions.end()) return static_cast<std::uint32_t>(found - m_functions.begin());
    m_functions.push_back(function);
    return static_cast<std::uint32_t>(m_functions.size() - 1);
}

void TransferLog::called(const MemoryApiCall& call) {
    m_calls.push_back({.kind = call.function.kind,
                       .function = indexOf(call.function),
                       .place = indexOf(call.place),
                       .correlationId = call.correlationId,
                       .bytes = call.bytes,
                       .startNs = call.startNs,
                       .endNs = call.endNs});
}

void TransferLog::replayed(std::uint32_t correlationId, const Place& place) {
    m_calls.push_back({.replay = true, .place = indexOf(place), .correlationId = correlationId});
}

void TransferLog::kernelRan(const Place& place, std::int64_t startNs, std::int64_t endNs) {
    m_kernels.push_back({startNs, endNs, place});
}

void TransferLog::workloadRan(const Place& place, std::int64_t startNs, std::int64_t endNs) {
    m_workloads.push_back({startNs, endNs, place});
}

Place TransferLog::placeAt(std::int64_t timeNs) const {
    const auto during = [timeNs](const Span& span) { return span.startNs <= timeNs && timeNs <= span.endNs; };
    if (const auto found = std::ranges::find_if(m_kernels, during); found != m_kernels.end())
        return found->place;
    // Ranges nest: the innermost began last.
    const Span* best = nullptr;
    const Span* last = nullptr;
    for (const Span& span : m_workloads) {
        if (span.startNs > timeNs) continue;
        if (last == nullptr || span.startNs >= last->startNs) last = &span;
        if (during(span) && (best == nullptr || span.startNs >= best->startNs)) best = &span;
    }
    if (best == nullptr) best = last;
    return best != nullptr ? best->place : Place{};
}

std::vector<Record> TransferLog::records(std::vector<TransferTiming> transfers,
                                         const PlaceOfNode& placeOfNode) {
    transfers = whole(std::move(transfers));
    collect::TransferJoin join;
    for (const Call& call : m_calls) {
        const Place& place = m_places[call.place];
        if (!call.replay && call.kind == ApiCall::Kind::Memory) {
            const ApiCall& function = m_functions[call.function];
            MemoryCall record;
            record.call = function.name;
            record.memory = function.memory;
            record.bytes = call.bytes;
            record.durationNs = static_cast<double>(call.endNs - call.startNs);
            record.startNs = call.startNs;
            record.workload = place.workload;
            record.nvtx = place.nvtx;
            join.add(record, place.run);
            continue;
        }
        // A graph's launch and the collector's own fill before a kernel have ids of calls that don't copy:
        // nodes tell a replay's transfers from them.
        for (const TransferTiming& timing :
             std::ranges::equal_range(transfers, call.correlationId, {}, &TransferTiming::correlationId)) {
            if (call.replay != (timing.graphNode != 0)) continue;
            if (call.replay) {
                join.add(recordOf(timing, placeOfNode(place, timing.graphNode)), place.run);
                continue;
            }
            Transfer record = recordOf(timing, place);
            record.callNs = static_cast<double>(call.endNs - call.startNs);
            join.add(record, place.run);
        }
    }
    for (const TransferTiming& timing : transfers) {
        if (timing.correlationId != 0) break; // sorted: those of the driver come first
        const Place place = placeAt(timing.startNs);
        join.add(recordOf(timing, place), place.run);
    }
    return join.take();
}

} // namespace dormer::instrument::cupti::passes
