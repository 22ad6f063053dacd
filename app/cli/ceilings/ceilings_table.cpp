// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ceilings/ceilings_table.h"

#include "analysis/device/measured.h"
#include "analysis/device/practical.h"
#include "analysis/metrics/format.h"
#include "analysis/view/text_table.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>

namespace dormer::cli {

namespace {

using instrument::ceilings::MeasuredRoof;
using instrument::ceilings::MeasuredRoofs;

struct Entry {
    std::string_view resource, title, unit;
    bool part = false;
};
constexpr auto kEntries = std::to_array<Entry>({
    {"dram", "DRAM", "B/s"},
    {"dram_read", "read", "B/s", true},
    {"dram_write", "write", "B/s", true},
    {"dram_copy", "copy", "B/s", true},
    {"dram_triad", "triad", "B/s", true},
    {"dram_memcpy", "cudaMemcpy", "B/s", true},
    {"l2", "L2", "B/s"},
    {"l1", "L1", "B/s"},
    {"shared", "shared memory", "B/s"},
    {"fp32", "FP32", "FLOP/s"},
    {"fp64", "FP64", "FLOP/s"},
    {"fp16", "FP16", "FLOP/s"},
    {"fp16_hfma2", "HFMA2", "FLOP/s", true},
    {"bf16_hfma2", "HFMA2.BF16", "FLOP/s", true},
    {"integer", "integer", "op/s"},
    {"integer_mad", "multiply-adds", "op/s", true},
    {"special", "special functions", "op/s"},
    {"issue_slots", "issue slots", "inst/s"},
    {"tensor_fp16", "FP16 tensor", "FLOP/s"},
    {"tensor_bf16", "BF16 tensor", "FLOP/s"},
    {"tensor_tf32", "TF32 tensor", "FLOP/s"},
    {"tensor_fp64", "FP64 tensor", "FLOP/s"},
    {"tensor_fp8", "FP8 tensor", "FLOP/s"},
    {"tensor_int8", "INT8 tensor", "op/s"},
    {"atomics_one", "atomics, one address", "op/s"},
    {"atomics_many", "atomics, many addresses", "op/s"},
    {"atomics_shared", "atomics, shared memory", "op/s"},
    {"launches", "kernel launch", "launches/s"},
    {"launches_queued", "already queued", "launches/s", true},
    {"graph_nodes", "graph node", "nodes/s"},
    {"grid_barriers", "grid barrier", "barriers/s"},
    {"host_to_device", "host to device", "B/s"},
    {"host_to_device_pageable", "pageable", "B/s", true},
    {"device_to_host", "device to host", "B/s"},
    {"device_to_host_pageable", "pageable", "B/s", true},
    {"small_copies", "copy of 1 kB", "copies/s"},
    {"peer", "peer to peer", "B/s"},
});

constexpr std::string_view kOfHost =
    "* limited by the host, by its CPU and by what else runs there; not a limit of the device\n";

std::optional<double> clockShare(const session::Device& device, const MeasuredRoof* measured,
                                 device::Resource resource) {
    if (measured == nullptr || !measured->clockHz || resource == device::Resource::Dram) return std::nullopt;
    return device.smClockMaxHz > 0 ? std::optional(*measured->clockHz / device.smClockMaxHz) : std::nullopt;
}

std::string clockText(const CeilingRow& row) {
    const bool seen = row.measured != nullptr && row.measured->clockHz;
    return seen ? fmt::format("{:.3f} GHz", *row.measured->clockHz / 1e9) : "";
}

std::optional<device::PracticalRoof> practicalOf(const session::Device& device, const CeilingRow& row) {
    return device::practicalRoof(device, row.theoretical->resource, row.theoretical->perSecond,
                                 device::maximumClocks(device));
}

std::string percent(std::optional<double> share) {
    return share ? fmt::format("{:.1f} %", *share * 100) : "";
}

std::string heading(const session::Device& device, const MeasuredRoofs* roofs) {
    std::string text = device.name;
    if (!device.driverVersion.empty()) text += ", driver " + device.driverVersion;
    if (roofs == nullptr) return text + ": theoretical ceilings\n";
    const auto when = static_cast<std::time_t>(roofs->measuredAtNs / 1'000'000'000);
    return text + fmt::format(": measured {:%F %R} UTC\n", fmt::gmtime(when));
}

/// Why there is no measured roof of something that has a theoretical one.
std::string_view whyNotMeasured(std::string_view resource) {
    if (resource == "fp16")
        return "HFMA2 goes to one of two pipes, and a mixture of instructions would pass that";
    if (resource == "issue_slots") return "every benchmark issues instructions of one kind";
    return "the program of the micro-benchmarks told nothing of it";
}

void explainMeasured(const CeilingRow& row, std::string& text) {
    if (row.measured == nullptr)
        text += fmt::format("    not measured: {}\n", whyNotMeasured(row.resource));
    else
        text += fmt::format("    {}: {}\n", row.measured->perSecond ? "measured" : "not measured",
                            row.measured->perSecond ? row.measured->method : row.measured->problem);
}

void explainTheoretical(const session::Device& device, const CeilingRow& row, std::string& text) {
    if (row.part) return;
    if (!row.theoretical) {
        constexpr std::array kLevels = {"l2", "l1", "shared"};
        if (std::ranges::find(kLevels, row.resource) != kLevels.end())
            text += "    theoretical: no figure is published\n";
        return;
    }
    text += fmt::format("    theoretical: {}", row.theoretical->source);
    const auto most = row.theoreticalAtClock(device);
    // The clock of the formula is not always the one that was seen.
    if (clockShare(device, row.measured, row.theoretical->resource) && most)
        text += fmt::format("; {} at the {} seen", rateText(row, *most), clockText(row));
    text += '\n';
}

void explainPractical(const CeilingRow& row, const std::optional<device::PracticalRoof>& practical,
                      std::string& text) {
    if (practical)
        text += fmt::format("    practical: {:.3g} of the theoretical rate, the most that a workload reached "
                            "({}, docs/verdicts.md)\n",
                            practical->perSecond / row.theoretical->perSecond, practical->source);
}

constexpr std::string_view kColumns =
    "spread: from the 10th to the 90th percentile of the repetitions, over their median\n"
    "SM clock: cycles over nanoseconds, as the kernel read them, median\n"
    "reached: of the theoretical rate at that clock\n";

} // namespace

std::optional<double> CeilingRow::theoreticalAtClock(const session::Device& device) const {
    if (!theoretical) return std::nullopt;
    const double stated = theoretical->clockHz > 0 ? device.smClockMaxHz / theoretical->clockHz : 1;
    const auto seen = clockShare(device, measured, theoretical->resource);
    return theoretical->perSecond * (seen ? *seen * stated : 1);
}

std::optional<double> CeilingRow::share(const session::Device& device) const {
    const auto most = theoreticalAtClock(device);
    if (!most || measured == nullptr || !measured->perSecond) return std::nullopt;
    return *measured->perSecond / *most;
}

std::vector<CeilingRow> ceilingRows(const session::Device& device, const MeasuredRoofs* roofs) {
    const std::vector<device::Ceiling> theoretical = device::theoreticalCeilings(device);
    std::vector<CeilingRow> rows;
    for (const Entry& entry : kEntries) {
        CeilingRow row{.resource = std::string(entry.resource),
                       .title = std::string(entry.title),
                       .unit = std::string(entry.unit),
                       .part = entry.part};
        if (roofs != nullptr) row.measured = roofs->find(entry.resource);
        const std::string_view roof = entry.resource.starts_with("dram") ? "dram" : entry.resource;
        for (const device::Ceiling& ceiling : theoretical)
            if (device::measuredName(ceiling.resource, ceiling.format) == roof) row.theoretical = ceiling;
        if (row.measured != nullptr || (row.theoretical && !row.part)) rows.push_back(std::move(row));
    }
    return rows;
}

std::string rateText(const CeilingRow& row, double perSecond) {
    constexpr std::array kEvents = {"launches/s", "nodes/s", "barriers/s", "copies/s"};
    if (std::ranges::find(kEvents, row.unit) != kEvents.end())
        return metrics::forPeople(1e9 / perSecond, metrics::Unit::Nanoseconds);
    return metrics::withSiPrefix(perSecond) + row.unit;
}

std::string ceilingsText(const session::Device& device, const MeasuredRoofs* roofs, bool explain) {
    std::vector<view::TextColumn> columns{{""}};
    if (roofs != nullptr) {
        for (const char* title : {"measured", "spread", "SM clock", "theoretical", "reached"})
            columns.push_back({title, true});
    } else {
        columns.push_back({"theoretical", true});
        columns.push_back({"practical", true});
    }
    const std::vector<CeilingRow> rows = ceilingRows(device, roofs);
    std::vector<view::TextRow> cells;
    bool anyOfHost = false;
    for (const CeilingRow& row : rows) {
        const bool ofHost = row.measured != nullptr && row.measured->ofHost;
        anyOfHost = anyOfHost || ofHost;
        view::TextRow cell{(row.part ? "  " : "") + row.title + (ofHost ? " *" : "")};
        const auto most = row.part ? std::nullopt : row.theoreticalAtClock(device);
        if (roofs == nullptr) {
            const auto practical = practicalOf(device, row);
            cell.push_back(rateText(row, row.theoretical->perSecond));
            cell.push_back(practical ? rateText(row, practical->perSecond) : "");
        } else {
            const bool known = row.measured != nullptr && row.measured->perSecond;
            cell.push_back(known ? rateText(row, *row.measured->perSecond) : "-");
            cell.push_back(known ? percent(row.measured->spread) : "");
            cell.push_back(row.resource.starts_with("dram") ? "" : clockText(row));
            cell.push_back(most ? rateText(row, *most) : "");
            cell.push_back(percent(row.share(device)));
        }
        cells.push_back(std::move(cell));
    }
    const std::string table = view::alignedTable(columns, cells);
    std::string text = heading(device, roofs);
    const std::string_view note = anyOfHost ? kOfHost : "";
    if (!explain) return fmt::format("{}{}{}", text, table, note);
    // The head, then each row with what is said of it.
    std::size_t row = 0, begin = table.find('\n') + 1;
    text += table.substr(0, begin);
    for (; begin < table.size() && row < rows.size(); ++row) {
        const std::size_t end = table.find('\n', begin) + 1;
        text += table.substr(begin, end - begin);
        if (roofs != nullptr) explainMeasured(rows[row], text);
        explainTheoretical(device, rows[row], text);
        if (roofs == nullptr) explainPractical(rows[row], practicalOf(device, rows[row]), text);
        begin = end;
    }
    text += note;
    return roofs != nullptr ? text.append(kColumns) : text;
}

std::string ceilingsJson(const session::Device& device, const MeasuredRoofs* roofs) {
    using nlohmann::json;
    const auto known = [](const std::optional<double>& value) {
        return value ? json(*value) : json(nullptr);
    };
    json all = json::array();
    for (const CeilingRow& row : ceilingRows(device, roofs)) {
        const MeasuredRoof* measured = row.measured;
        const bool isMeasured = measured != nullptr && measured->perSecond;
        all.push_back(
            {{"resource", row.resource},
             {"unit", row.unit},
             {"per_second", isMeasured ? json(*measured->perSecond) : json(nullptr)},
             {"spread", isMeasured ? json(measured->spread) : json(nullptr)},
             {"of_host", isMeasured ? json(measured->ofHost) : json(nullptr)},
             {"clock_hz", measured != nullptr ? known(measured->clockHz) : json(nullptr)},
             {"theoretical_per_second", row.theoretical ? json(row.theoretical->perSecond) : json(nullptr)},
             {"theoretical_at_clock_per_second", known(row.theoreticalAtClock(device))},
             {"share", known(row.share(device))},
             {"method", isMeasured ? json(measured->method) : json(nullptr)},
             {"problem", measured != nullptr && !isMeasured ? json(measured->problem) : json(nullptr)},
             {"source", row.theoretical ? json(row.theoretical->source) : json(nullptr)}});
    }
    const auto text = [](const std::string& value) { return value.empty() ? json(nullptr) : json(value); };
    return json{{"schema", 1},
                {"device",
                 {{"name", device.name},
                  {"uuid", text(device.uuid)},
                  {"driver_version", text(device.driverVersion)}}},
                {"measured_at_ns", roofs != nullptr ? json(roofs->measuredAtNs) : json(nullptr)},
                {"ceilings", std::move(all)}}
        .dump(2, ' ', false, json::error_handler_t::replace);
}

} // namespace dormer::cli
