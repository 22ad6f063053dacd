// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/transfer_rows.h"

#include "analysis/metrics/format.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace dormer::view {

namespace {

constexpr std::size_t kMostWhereColumns = 40;

/// Sum of parts some of which may be unknown: then it is unknown.
struct Sum {
    double value = 0;
    bool known = true;
    void add(const std::optional<double>& part) {
        known = known && part.has_value();
        value += part.value_or(0);
    }
    [[nodiscard]] std::optional<double> get() const { return known ? std::optional(value) : std::nullopt; }
};

struct Moved {
    double count = 0, bytes = 0;
    Sum durationNs, callNs;
};

struct Called {
    double count = 0, bytes = 0;
    Sum durationNs;
};

template <typename Record>
std::string whereOf(const Record& record) {
    return record.workload.empty() ? record.nvtx : record.workload;
}

std::string number(double value) {
    return metrics::forPeople(value, metrics::Unit::Count);
}

std::string time(const Sum& ns) {
    return metrics::forPeople(ns.get(), metrics::Unit::Nanoseconds);
}

std::string rate(double bytes, const Sum& ns) {
    const bool both = ns.known && ns.value > 0 && bytes > 0;
    return metrics::forPeople(both ? std::optional(bytes / ns.value * 1e9) : std::nullopt,
                              metrics::Unit::BytesPerSecond);
}

std::string whatOf(const session::Transfer& transfer) {
    if (transfer.kind == session::TransferKind::GpuFault) return "GPU page faults";
    if (transfer.kind == session::TransferKind::CpuFault) return "CPU page faults";
    return std::string(toString(transfer.kind)) + (transfer.asynchronous ? ", async" : "");
}

/// The two ends of a direction, where it tells them.
std::pair<std::string_view, std::string_view> endsOf(session::TransferDirection direction) {
    switch (direction) {
    case session::TransferDirection::HostToDevice:
        return {"host", "device"};
    case session::TransferDirection::DeviceToHost:
        return {"device", "host"};
    case session::TransferDirection::DeviceToDevice:
        return {"device", "device"};
    case session::TransferDirection::HostToHost:
        return {"host", "host"};
    default:
        return {};
    }
}

/// "pageable → device": kinds of memory where they are known, else sides.
std::string pathOf(const session::Transfer& transfer) {
    const auto source = toString(transfer.source), destination = toString(transfer.destination);
    if (transfer.kind == session::TransferKind::Fill)
        return std::string(destination.empty() ? "device" : destination);
    const auto ends = endsOf(transfer.direction);
    const auto from = source.empty() ? ends.first : source;
    const auto onto = destination.empty() ? ends.second : destination;
    if (from.empty() && onto.empty()) return std::string(toString(transfer.direction));
    return fmt::format("{} → {}", from.empty() ? "?" : from, onto.empty() ? "?" : onto);
}

/// Sums of like records, in order of appearance.
template <typename Key, typename Value>
class Groups {
public:
    Value& at(const Key& key) {
        const auto [place, isNew] = m_places.try_emplace(key, m_groups.size());
        if (isNew) m_groups.emplace_back(key, Value{});
        return m_groups[place->second].second;
    }
    [[nodiscard]] const std::vector<std::pair<Key, Value>>& all() const { return m_groups; }

private:
    std::map<Key, std::size_t> m_places;
    std::vector<std::pair<Key, Value>> m_groups;
};

std::string whereText(const std::string& where) {
    return where.empty() ? "(no range)" : truncateMiddle(where, kMostWhereColumns);
}

std::string plural(double count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", number(count), count == 1 ? one : many);
}

struct Seen {
    Moved copies, fills, migrations;
    double faults = 0;
    Called calls;

    void add(const session::Transfer& transfer) {
        Moved& moved = transfer.kind == session::TransferKind::Copy   ? copies
                       : transfer.kind == session::TransferKind::Fill ? fills
                                                                      : migrations;
        if (session::isFault(transfer.kind)) {
            faults += static_cast<double>(transfer.count);
            return;
        }
        moved.count += static_cast<double>(transfer.count);
        moved.bytes += static_cast<double>(transfer.bytes);
    }
    void add(const session::MemoryCall& call) { calls.count += static_cast<double>(call.count); }

    [[nodiscard]] std::string text() const {
        std::string all;
        const auto add = [&](double count, std::string_view one, std::string_view many, double bytes) {
            if (count <= 0) return;
            all += fmt::format("{}{}", all.empty() ? "" : ", ", plural(count, one, many));
            if (bytes > 0) all += fmt::format(" of {}", metrics::forPeople(bytes, metrics::Unit::Bytes));
        };
        add(copies.count, "copy", "copies", copies.bytes);
        add(fills.count, "fill", "fills", fills.bytes);
        add(migrations.count, "migration", "migrations", migrations.bytes);
        add(faults, "page fault", "page faults", 0);
        add(calls.count, "call for memory", "calls for memory", 0);
        return all;
    }
};

} // namespace

TransferTables transferTables(const session::Session& session, std::size_t mostRows) {
    TransferTables tables;
    tables.transferColumns = {{"where", false},    {"what", false},     {"from → to", false},
                              {"count", true},     {"bytes", true},     {"each", true},
                              {"copy time", true}, {"copy rate", true}, {"call time", true},
                              {"call rate", true}};
    tables.callColumns = {{"where", false}, {"call", false},     {"memory", false}, {"count", true},
                          {"bytes", true},  {"call time", true}, {"per call", true}};
    const bool suite = !session.workloads().empty();
    Seen outside;
    bool emulated = false;
    Groups<std::tuple<std::string, std::string, std::string>, Moved> moved;
    for (const session::Transfer& transfer : session.transfers()) {
        const std::string where = whereOf(transfer);
        if (suite && where.empty()) {
            outside.add(transfer);
            continue;
        }
        emulated = emulated || session.processes()[transfer.process].origin == session::Origin::Emulated;
        Moved& sum =
            moved.at({where, whatOf(transfer), session::isFault(transfer.kind) ? "" : pathOf(transfer)});
        sum.count += static_cast<double>(transfer.count);
        sum.bytes += static_cast<double>(transfer.bytes);
        sum.durationNs.add(transfer.durationNs);
        sum.callNs.add(transfer.callNs);
    }
    Groups<std::tuple<std::string, std::string, session::MemoryKind>, Called> called;
    for (const session::MemoryCall& call : session.memoryCalls()) {
        const std::string where = whereOf(call);
        if (suite && where.empty()) {
            outside.add(call);
            continue;
        }
        emulated = emulated || session.processes()[call.process].origin == session::Origin::Emulated;
        Called& sum = called.at({where, call.call, call.memory});
        sum.count += static_cast<double>(call.count);
        sum.bytes += static_cast<double>(call.bytes);
        sum.durationNs.add(call.durationNs);
    }

    for (const auto& [key, sum] : moved.all()) {
        const auto& [where, what, path] = key;
        if (tables.transfers.size() == mostRows) {
            ++tables.transfersLeftOut;
            continue;
        }
        TextRow row{whereText(where), what, path, number(sum.count)};
        if (sum.bytes > 0 || !path.empty())
            row.insert(row.end(),
                       {metrics::forPeople(sum.bytes, metrics::Unit::Bytes),
                        metrics::forPeople(sum.count > 0 ? sum.bytes / sum.count : 0, metrics::Unit::Bytes),
                        time(sum.durationNs), rate(sum.bytes, sum.durationNs), time(sum.callNs),
                        rate(sum.bytes, sum.callNs)});
        tables.transfers.push_back(std::move(row));
    }
    for (const auto& [key, sum] : called.all()) {
        const auto& [where, call, memory] = key;
        if (tables.calls.size() == mostRows) {
            ++tables.callsLeftOut;
            continue;
        }
        const auto each = sum.durationNs.known && sum.count > 0
                              ? std::optional(sum.durationNs.value / sum.count)
                              : std::nullopt;
        tables.calls.push_back(
            {whereText(where), truncateMiddle(call, kMostWhereColumns), std::string(toString(memory)),
             number(sum.count),
             sum.bytes > 0 ? metrics::forPeople(sum.bytes, metrics::Unit::Bytes) : std::string("–"),
             time(sum.durationNs), metrics::forPeople(each, metrics::Unit::Nanoseconds)});
    }
    if (emulated)
        tables.dashes =
            "Times of transfers and calls are dashes: none is measured or predicted where emulated.";
    if (const std::string rest = outside.text(); !rest.empty())
        tables.outside = fmt::format("Set-up and checks, outside of workloads: {}.", rest);
    return tables;
}

std::string transfersSeen(const session::Session& session) {
    const bool suite = !session.workloads().empty();
    Seen seen;
    for (const session::Transfer& transfer : session.transfers())
        if (!suite || !whereOf(transfer).empty()) seen.add(transfer);
    for (const session::MemoryCall& call : session.memoryCalls())
        if (!suite || !whereOf(call).empty()) seen.add(call);
    return seen.text();
}

} // namespace dormer::view
