// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/transfer_join.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace dormer::instrument::collect {

using namespace session;

namespace {

/// How far back an equal record is looked for: a loop that copies in this many ways is joined whole, and a
/// program that copies in ever new ways doesn't pay for it.
constexpr std::size_t kWaysLookedThrough = 64;

auto keyOf(const Transfer& t) {
    return std::tie(t.device, t.kind, t.direction, t.source, t.destination, t.asynchronous, t.stream,
                    t.workload, t.nvtx);
}

auto keyOf(const MemoryCall& c) {
    return std::tie(c.call, c.memory, c.workload, c.nvtx);
}

/// A sum is known when all of its parts are.
void addTo(std::optional<double>& sum, const std::optional<double>& part) {
    sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

void addSpan(Transfer& into, const Transfer& more) {
    if (more.startNs <= 0 || more.endNs < more.startNs || into.startNs <= 0) return;
    auto& spans = into.spans.spans;
    if (into.count == 1) spans.push_back({0, into.endNs - into.startNs});
    if (more.startNs < into.startNs)
        for (Spans::Span& span : spans)
            span.beginNs += into.startNs - more.startNs;
    if (spans.size() < Spans::kMost)
        spans.push_back({std::max<std::int64_t>(0, more.startNs - into.startNs), more.endNs - more.startNs});
}

void join(Transfer& into, const Transfer& more) {
    addSpan(into, more);
    into.count += more.count;
    into.bytes += more.bytes;
    addTo(into.durationNs, more.durationNs);
    addTo(into.callNs, more.callNs);
    into.startNs = std::min(into.startNs, more.startNs);
    into.endNs = std::max(into.endNs, more.endNs);
}

void join(MemoryCall& into, const MemoryCall& more) {
    into.count += more.count;
    into.bytes += more.bytes;
    addTo(into.durationNs, more.durationNs);
    into.startNs = std::min(into.startNs, more.startNs);
}

} // namespace

template <typename T>
T* TransferJoin::find(const T& value, std::uint64_t run) {
    const std::size_t end = m_open.size() - std::min(m_open.size(), kWaysLookedThrough);
    for (std::size_t i = m_open.size(); i > end; --i) {
        Open& open = m_open[i - 1];
        if (open.run != run) continue;
        if (T* record = std::get_if<T>(&open.record); record != nullptr && keyOf(*record) == keyOf(value))
            return record;
    }
    return nullptr;
}

void TransferJoin::add(const Transfer& transfer, std::uint64_t run) {
    if (Transfer* equal = find(transfer, run))
        join(*equal, transfer);
    else
        m_open.push_back({run, transfer});
}

void TransferJoin::add(const MemoryCall& call, std::uint64_t run) {
    if (MemoryCall* equal = find(call, run))
        join(*equal, call);
    else
        m_open.push_back({run, call});
}

std::vector<Record> TransferJoin::take() {
    std::vector<Record> records;
    records.reserve(m_open.size());
    for (Open& open : std::exchange(m_open, {}))
        records.push_back(std::move(open.record));
    return records;
}

} // namespace dormer::instrument::collect
