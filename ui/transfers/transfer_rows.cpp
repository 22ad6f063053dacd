// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/transfers/transfer_rows.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace dormer::ui::transfers {
namespace {

using session::MemoryKind;
using session::TransferDirection;
using session::TransferKind;

constexpr double kNsPerSecond = 1e9;

session::Origin originOf(const session::Session& session, std::uint32_t process) {
    return process < session.processes().size() ? session.processes()[process].origin
                                                : session::Origin::Measured;
}

/// Adds what is known; a part that is not known leaves the whole unknown.
void add(std::optional<double>& sum, const std::optional<double>& part) {
    if (sum && part)
        *sum += *part;
    else
        sum.reset();
}

std::optional<double> rate(std::uint64_t bytes, const std::optional<double>& ns) {
    if (bytes == 0 || !ns || *ns <= 0) return std::nullopt;
    return static_cast<double>(bytes) / *ns * kNsPerSecond;
}

std::string_view towards(TransferDirection direction) {
    switch (direction) {
    case TransferDirection::HostToDevice:
        return " to device";
    case TransferDirection::DeviceToHost:
        return " to host";
    case TransferDirection::DeviceToDevice:
        return " on device";
    case TransferDirection::HostToHost:
        return " on host";
    case TransferDirection::Peer:
        return " to another device";
    default:
        return {};
    }
}

} // namespace

std::optional<double> TransferRow::engineBytesPerSecond() const {
    return rate(bytes, durationNs);
}
std::optional<double> TransferRow::callBytesPerSecond() const {
    return rate(bytes, callNs);
}
std::optional<double> MemoryCallRow::nsPerCall() const {
    if (count == 0 || !durationNs) return std::nullopt;
    return *durationNs / static_cast<double>(count);
}

std::vector<TransferRow> transferRows(const session::Session& session) {
    std::vector<TransferRow> rows;
    using Key = std::tuple<std::string, TransferKind, TransferDirection, MemoryKind, MemoryKind, bool>;
    std::map<Key, std::size_t> known;
    for (const session::Transfer& transfer : session.transfers()) {
        const std::string& place = transfer.workload.empty() ? transfer.nvtx : transfer.workload;
        const auto [found, isNew] =
            known.try_emplace({place, transfer.kind, transfer.direction, transfer.source,
                               transfer.destination, transfer.asynchronous},
                              rows.size());
        if (isNew) {
            rows.push_back({.place = place,
                            .workload = transfer.workload,
                            .kind = transfer.kind,
                            .direction = transfer.direction,
                            .source = transfer.source,
                            .destination = transfer.destination,
                            .asynchronous = transfer.asynchronous,
                            .origin = originOf(session, transfer.process),
                            .durationNs = 0,
                            .callNs = 0});
        }
        TransferRow& row = rows[found->second];
        row.count += transfer.count;
        row.bytes += transfer.bytes;
        add(row.durationNs, transfer.durationNs);
        add(row.callNs, transfer.callNs);
    }
    return rows;
}

std::vector<MemoryCallRow> memoryCallRows(const session::Session& session) {
    std::vector<MemoryCallRow> rows;
    std::map<std::tuple<std::string, std::string, MemoryKind>, std::size_t> known;
    for (const session::MemoryCall& call : session.memoryCalls()) {
        const std::string& place = call.workload.empty() ? call.nvtx : call.workload;
        const auto [found, isNew] = known.try_emplace({place, call.call, call.memory}, rows.size());
        if (isNew) {
            rows.push_back({.place = place,
                            .workload = call.workload,
                            .call = call.call,
                            .memory = call.memory,
                            .origin = originOf(session, call.process),
                            .durationNs = 0});
        }
        MemoryCallRow& row = rows[found->second];
        row.count += call.count;
        row.bytes += call.bytes;
        add(row.durationNs, call.durationNs);
    }
    return rows;
}

std::string nameOf(const TransferRow& row) {
    if (row.kind == TransferKind::GpuFault) return "page fault on the GPU";
    if (row.kind == TransferKind::CpuFault) return "page fault on the CPU";
    const auto source = toString(row.source), destination = toString(row.destination);
    std::string name(toString(row.kind));
    if (row.kind == TransferKind::Copy && !source.empty() && !destination.empty())
        name += fmt::format(" {} \u2192 {}", source, destination);
    else if (row.kind == TransferKind::Fill)
        name += fmt::format("{}{}", destination.empty() ? "" : " ", destination);
    else
        name += towards(row.direction);
    if (row.asynchronous) name += ", async";
    return name;
}

} // namespace dormer::ui::transfers
