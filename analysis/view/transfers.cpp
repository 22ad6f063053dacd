// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/transfers.h"

#include "analysis/metrics/format.h"
#include "analysis/view/number_column.h"

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <functional>
#include <map>

namespace dormer::view {

using metrics::forPeople;
using metrics::Unit;
using session::MemoryCall;
using session::Origin;
using session::Session;
using session::Transfer;
using session::TransferDirection;
using session::TransferKind;

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr const char* kWhereTip = "The workload, or the NVTX range, it happened in";

/// Like records added up. A time that one of them lacks is unknown of all.
struct Sum {
    std::string where, what, memory;
    std::string workload;
    bool fault = false, migration = false;
    Origin origin = Origin::Measured;
    double count = 0, bytes = 0;
    std::optional<double> ns = 0, callNs = 0;

    [[nodiscard]] std::optional<double> knownBytes() const {
        return bytes > 0 ? std::optional(bytes) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> rate(const std::optional<double>& time) const {
        return bytes > 0 && time && *time > 0 ? std::optional(bytes / *time * kNsPerSecond) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> nsPerCall() const {
        return ns && count > 0 ? std::optional(*ns / count) : std::nullopt;
    }
    [[nodiscard]] std::string whyNoTime() const {
        return origin == Origin::Emulated ? "Emulated: nothing crossed a bus, so there is no time"
                                          : "Not collected: no record has this time";
    }
};

void add(std::optional<double>& sum, const std::optional<double>& part) {
    if (sum && part)
        *sum += *part;
    else
        sum.reset();
}

template <typename Record>
std::string whereOf(const Record& record) {
    return record.workload.empty() ? record.nvtx : record.workload;
}

/// The two sides of a direction, where it tells them.
std::pair<std::string_view, std::string_view> sidesOf(TransferDirection direction) {
    switch (direction) {
    case TransferDirection::HostToDevice:
        return {"host", "device"};
    case TransferDirection::DeviceToHost:
        return {"device", "host"};
    case TransferDirection::DeviceToDevice:
        return {"device", "device"};
    case TransferDirection::HostToHost:
        return {"host", "host"};
    case TransferDirection::Peer:
        return {"device", "peer device"};
    default:
        return {"?", "?"};
    }
}

/// "pageable → device": kinds of memory where they are known, else sides.
std::string pathOf(const Transfer& transfer) {
    const auto [from, onto] = sidesOf(transfer.direction);
    if (transfer.direction == TransferDirection::Peer) return fmt::format("{} → {}", from, onto);
    const std::string_view source = toString(transfer.source), destination = toString(transfer.destination);
    return fmt::format("{} → {}", source.empty() ? from : source, destination.empty() ? onto : destination);
}

/// "copy pageable → device, async", "fill device", "migration host → device", "GPU page faults"
std::string nameOf(const Transfer& transfer) {
    if (transfer.kind == TransferKind::GpuFault) return "GPU page faults";
    if (transfer.kind == TransferKind::CpuFault) return "CPU page faults";
    const std::string_view destination = toString(transfer.destination);
    const std::string path = transfer.kind != TransferKind::Fill
                                 ? pathOf(transfer)
                                 : std::string(destination.empty() ? "device" : destination);
    return fmt::format("{} {}{}", toString(transfer.kind), path, transfer.asynchronous ? ", async" : "");
}

/// Sums in order of appearance, found by what tells them apart on screen.
class Sums {
public:
    Sum& at(const Session& session, const auto& record, std::string what, const std::string& memory = {}) {
        const std::string where = whereOf(record);
        const auto [place, isNew] = m_places.try_emplace({where, what, memory}, m_sums.size());
        if (isNew)
            m_sums.push_back({.where = where,
                              .what = std::move(what),
                              .memory = memory,
                              .workload = record.workload,
                              .origin = session.processes()[record.process].origin});
        Sum& sum = m_sums[place->second];
        sum.count += static_cast<double>(record.count);
        sum.bytes += static_cast<double>(record.bytes);
        add(sum.ns, record.durationNs);
        return sum;
    }
    [[nodiscard]] const std::vector<Sum>& all() const { return m_sums; }

private:
    std::map<std::array<std::string, 3>, std::size_t> m_places;
    std::vector<Sum> m_sums;
};

NumberColumn column(Unit unit, const std::vector<Sum>& sums, const auto& value) {
    std::vector<std::optional<double>> values;
    for (const Sum& sum : sums)
        values.push_back(std::invoke(value, sum));
    return {unit, std::move(values)};
}

Cell whereCell(const Sum& sum) {
    if (sum.where.empty()) return {.text = "(no range)", .tooltip = "Outside of every workload and range"};
    return {.text = sum.where, .tooltip = sum.where};
}

std::optional<double> countOf(const Sum& sum) {
    return sum.count;
}

/// "copy-engine GB/s"; "copy-engine rate" where none is known
Column rateHead(const NumberColumn& rates, std::string_view title, std::string tooltip) {
    const std::string& unit = rates.scale().unit;
    return {.title = fmt::format("{} {}", title, unit.empty() ? "rate" : unit),
            .tooltip = std::move(tooltip),
            .numeric = true};
}

Table transferTable(const std::vector<Sum>& sums) {
    const NumberColumn counts = column(Unit::None, sums, countOf),
                       bytes = column(Unit::Bytes, sums, &Sum::knownBytes),
                       times = column(Unit::Nanoseconds, sums, [](const Sum&sum) { return sum.ns; }),
                       engines =
                           column(Unit::BytesPerSecond, sums, [](const Sum&sum) { return sum.rate(sum.ns); }),
                       calls = column(Unit::BytesPerSecond, sums,
                                      [](const Sum&sum) { return sum.rate(sum.callNs); });
    Table table;
    table.columns = {
        {.title = "workload", .tooltip = kWhereTip},
        {.title = "transfer", .tooltip = "What was transferred, and from which kind of memory to which"},
        counts.head("count", "Transfers, migrations or faults"),
        bytes.head("size", "Bytes of all of them"),
        times.head("time", "Time of all of them on the device's copy engines"),
        rateHead(engines, "copy-engine",
                 "Bytes per second while the copy engines worked, without the cost of the calls"),
        rateHead(calls, "effective",
                 "Bytes per second of the time the host spent in the calls: what a program gets that waits "
                 "for each")};
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Sum& sum = sums[i];
        const std::string noBytes = "A fault moves nothing itself; the migrations it causes do";
        const std::string noTime = sum.whyNoTime();
        table.rows.push_back(
            {.cells = {whereCell(sum),
                       {.text = sum.what, .tooltip = sum.what},
                       counts.cell(i, {}),
                       bytes.cell(i, sum.fault ? noBytes : "Nothing was moved"),
                       times.cell(i, noTime),
                       engines.cell(i, sum.fault ? noBytes : noTime, true),
                       calls.cell(i,
                                  sum.fault       ? noBytes
                                  : sum.migration ? "The driver migrates by itself: there is no call"
                                                  : noTime,
                                  true)},
             .key = sum.workload});
    }
    return table;
}

Table callTable(const std::vector<Sum>& sums) {
    const NumberColumn counts = column(Unit::None, sums, countOf),
                       bytes = column(Unit::Bytes, sums, &Sum::knownBytes),
                       times = column(Unit::Nanoseconds, sums, [](const Sum&sum) { return sum.ns; }),
                       each = column(Unit::Nanoseconds, sums, &Sum::nsPerCall);
    Table table;
    table.columns = {{.title = "workload", .tooltip = kWhereTip},
                     {.title = "call", .tooltip = "The driver API call"},
                     {.title = "memory", .tooltip = "Kind of memory"},
                     counts.head("count", "Calls"),
                     bytes.head("size", "Bytes of all calls"),
                     times.head("time", "Time the host spent in all of them"),
                     each.head("per call", "Time the host spent in one")};
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Sum& sum = sums[i];
        table.rows.push_back(
            {.cells = {whereCell(sum),
                       {.text = sum.what, .tooltip = sum.what},
                       sum.memory.empty() ? missing("Not recorded") : Cell{.text = sum.memory},
                       counts.cell(i, {}),
                       bytes.cell(i, "The call does not say"),
                       times.cell(i, sum.whyNoTime()),
                       each.cell(i, sum.whyNoTime(), true)},
             .key = sum.workload});
    }
    return table;
}

struct Seen {
    double copies = 0, fills = 0, migrations = 0, faults = 0, calls = 0;
    double copied = 0, filled = 0, migrated = 0;

    void add(const Transfer& transfer) {
        const auto count = static_cast<double>(transfer.count), bytes = static_cast<double>(transfer.bytes);
        if (isFault(transfer.kind)) {
            faults += count;
            return;
        }
        (transfer.kind == TransferKind::Copy   ? copies
         : transfer.kind == TransferKind::Fill ? fills
                                               : migrations) += count;
        (transfer.kind == TransferKind::Copy   ? copied
         : transfer.kind == TransferKind::Fill ? filled
                                               : migrated) += bytes;
    }
    void add(const MemoryCall& call) { calls += static_cast<double>(call.count); }

    [[nodiscard]] std::string text() const {
        std::string all;
        const auto add = [&](double count, std::string_view one, std::string_view many, double bytes) {
            if (count <= 0) return;
            all += fmt::format("{}{} {}", all.empty() ? "" : ", ", forPeople(count, Unit::Count),
                               count == 1 ? one : many);
            if (bytes > 0) all += fmt::format(" of {}", forPeople(bytes, Unit::Bytes));
        };
        add(copies, "copy", "copies", copied);
        add(fills, "fill", "fills", filled);
        add(migrations, "migration", "migrations", migrated);
        add(faults, "page fault", "page faults", 0);
        add(calls, "memory API call", "memory API calls", 0);
        return all;
    }
};

/// Calls `use` with each record that stands where `inside` says: of a suite, what is outside of its workloads
/// is their set-up and checks.
void forEach(const Session& session, bool inside, const auto& use) {
    const bool suite = !session.workloads().empty();
    const auto visit = [&](const auto& records) {
        for (const auto& record : records)
            if ((!suite || !whereOf(record).empty()) == inside) use(record);
    };
    visit(session.transfers());
    visit(session.memoryCalls());
}

std::string seen(const Session& session, bool inside) {
    Seen sum;
    forEach(session, inside, [&](const auto& record) { sum.add(record); });
    return sum.text();
}

} // namespace

TransferTables transferTables(const Session& session) {
    Sums transfers, calls;
    double bytes = 0;
    bool emulated = false;
    const auto gather = [&]<typename Record>(const Record& record) {
        if constexpr (std::same_as<Record, Transfer>) {
            Sum& sum = transfers.at(session, record, nameOf(record));
            sum.fault = isFault(record.kind);
            sum.migration = record.kind == TransferKind::Migration;
            add(sum.callNs, record.callNs);
            bytes += static_cast<double>(record.bytes);
        } else {
            calls.at(session, record, record.call, std::string(toString(record.memory)));
        }
        emulated = emulated || session.processes()[record.process].origin == Origin::Emulated;
    };
    forEach(session, true, gather);
    TransferTables tables{.transfers = transferTable(transfers.all()), .calls = callTable(calls.all())};
    tables.moved = forPeople(bytes, Unit::Bytes);
    if (emulated)
        tables.noTimes =
            "Times of transfers and calls are dashes: none is measured or predicted where emulated.";
    if (const std::string rest = seen(session, false); !rest.empty())
        tables.outside = fmt::format("Set-up and checks, outside of workloads: {}.", rest);
    return tables;
}

std::string transfersSeen(const Session& session) {
    return seen(session, true);
}

} // namespace dormer::view
