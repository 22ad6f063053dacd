// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/words.h"

#include "analysis/view/number_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dormer::view::timeline {

namespace {

using session::LaunchIndex;
using session::Session;

std::string nvtxLine(const std::string& path) {
    return path.empty() ? "" : "in NVTX range " + path;
}

std::string timesLine(const Timeline& timeline, const Bar& bar) {
    return fmt::format("{} from {} to {}", timeText(static_cast<double>(bar.endNs - bar.beginNs)),
                       tickText(static_cast<double>(bar.beginNs), static_cast<double>(timeline.lengthNs)),
                       tickText(static_cast<double>(bar.endNs), static_cast<double>(timeline.lengthNs)));
}

std::vector<std::string> kernelText(const diagnosis::Diagnosis& diagnosis, const Timeline& timeline,
                                    const Bar& bar) {
    const Session& session = diagnosis.session();
    const LaunchIndex at{static_cast<std::uint32_t>(bar.index)};
    const session::Launch& launch = session.launch(at);
    std::vector<std::string> lines{session::shortKernelName(session.kernelOf(at).name),
                                   timesLine(timeline, bar),
                                   fmt::format("grid {}×{}×{}, block {}×{}×{}", launch.grid.x, launch.grid.y,
                                               launch.grid.z, launch.block.x, launch.block.y, launch.block.z),
                                   verdict::headline(diagnosis.verdict(at)), nvtxLine(launch.nvtx)};
    if (!launch.durationNs) lines[1] = "its duration is not known";
    return lines;
}

std::vector<std::string> transferText(const Session& session, const Timeline& timeline, const Bar& bar) {
    const session::Transfer& transfer = session.transfers()[bar.index];
    const auto bytes = static_cast<double>(transfer.bytes);
    const NumberScale scale = scaleFor(metrics::Unit::Bytes, std::span(&bytes, 1));
    std::string what = fmt::format("{} {}", scale.text(bytes), scale.unit);
    if (transfer.count > 1) what = fmt::format("one of {} like it, {} in all", transfer.count, what);
    if (transfer.source != session::MemoryKind::None && transfer.destination != session::MemoryKind::None)
        what += fmt::format(", {} to {}", toString(transfer.source), toString(transfer.destination));
    return {timesLine(timeline, bar), what, nvtxLine(transfer.nvtx)};
}

} // namespace

std::string timeText(double ns) {
    const NumberScale scale = scaleFor(metrics::Unit::Nanoseconds, std::span(&ns, 1));
    return ns == 0 ? "0" : fmt::format("{} {}", scale.text(ns), scale.unit);
}

std::string tickText(double ns, double longestNs) {
    if (ns == 0) return "0";
    // As many digits as tell two times apart that are close to each other.
    if (longestNs >= 1e9) return fmt::format("{:.6g} s", std::round(ns / 1e3) / 1e6);
    if (longestNs >= 1e6) return fmt::format("{:.7g} ms", ns / 1e6);
    return fmt::format("{:.6g} µs", ns / 1e3);
}

std::string barLabel(const Session& session, const Timeline& timeline, const TimelineRow& row,
                     const Bar& bar) {
    switch (row.kind) {
    case RowKind::Kernels:
        return session::shortKernelName(
            session.kernelOf(LaunchIndex{static_cast<std::uint32_t>(bar.index)}).name);
    case RowKind::Ranges: {
        const std::string& path = session.ranges()[bar.index].path;
        const std::size_t last = path.rfind(" > ");
        return last == std::string::npos ? path : path.substr(last + 3);
    }
    case RowKind::Idle:
        return std::string(toString(timeline.gaps[bar.index].cause));
    case RowKind::Transfers:
    case RowKind::Activity:
        break;
    }
    return {};
}

std::vector<std::string> barText(const diagnosis::Diagnosis& diagnosis, const Timeline& timeline,
                                 const TimelineRow& row, const Bar& bar) {
    std::vector<std::string> lines;
    switch (row.kind) {
    case RowKind::Kernels:
        lines = kernelText(diagnosis, timeline, bar);
        break;
    case RowKind::Transfers:
        lines = transferText(diagnosis.session(), timeline, bar);
        lines.insert(lines.begin(), row.title);
        break;
    case RowKind::Ranges:
        lines = {diagnosis.session().ranges()[bar.index].path, timesLine(timeline, bar)};
        break;
    case RowKind::Idle: {
        const IdleGap& gap = timeline.gaps[bar.index];
        lines = {fmt::format("Idle: {}", toString(gap.cause)), timesLine(timeline, bar),
                 std::string(meaning(gap.cause)),
                 "next: " + session::shortKernelName(diagnosis.session().kernelOf(gap.next).name)};
        break;
    }
    case RowKind::Activity:
        break;
    }
    std::erase_if(lines, [](const std::string& line) { return line.empty(); });
    return lines;
}

std::string stepText(const TimelineRow& row, double share) {
    return fmt::format("{:.0f} % of {}", 100 * share, row.full);
}

Table gpuTimeTable(const Session& session, const Timeline& timeline) {
    Table table;
    const std::vector<DeviceTime> times = deviceTimes(session, timeline.gaps);
    if (times.size() > 1) table.columns.push_back({.title = "GPU"});
    table.columns.push_back({.title = "the GPU", .tooltip = "What the GPU did, or waited for"});
    table.columns.push_back({.title = "share",
                             .unit = "%",
                             .tooltip = "Of the time from the first launch to the end of the last",
                             .numeric = true});
    const auto time = [](std::string title, std::string tooltip) {
        return Column{
            .title = std::move(title), .unit = "ms", .tooltip = std::move(tooltip), .numeric = true};
    };
    table.columns.push_back(time("time", ""));
    table.columns.push_back(
        {.title = "gaps", .tooltip = "Times without a kernel for this reason", .numeric = true});
    table.columns.push_back(time("longest", "The longest of these gaps"));
    for (const DeviceTime& device : times) {
        const auto add = [&](std::string what, std::string tooltip, double ns, std::size_t gaps,
                             std::int64_t longestNs) {
            const double share = device.spanNs > 0 ? ns / device.spanNs : 0;
            Row row;
            if (times.size() > 1)
                row.cells.push_back({.text = fmt::format("GPU {} {}", session.devices()[device.device].id,
                                                         session.devices()[device.device].name)});
            row.cells.push_back({.text = std::move(what), .tooltip = std::move(tooltip)});
            row.cells.push_back({.text = fmt::format("{:.1f}", 100 * share), .value = share, .bar = share});
            row.cells.push_back({.text = fmt::format("{:.3f}", ns / 1e6), .value = ns});
            const bool counted = gaps > 0;
            row.cells.push_back(
                counted ? Cell{.text = fmt::format("{}", gaps), .value = static_cast<double>(gaps)}
                        : Cell{.text = std::string(kDash), .emphasis = Emphasis::Missing});
            row.cells.push_back(
                counted ? Cell{.text = fmt::format("{:.3f}", static_cast<double>(longestNs) / 1e6),
                               .value = static_cast<double>(longestNs)}
                        : Cell{.text = std::string(kDash), .emphasis = Emphasis::Missing});
            table.rows.push_back(std::move(row));
        };
        add("busy", "At least one kernel was running", device.busyNs(), 0, 0);
        std::array<std::size_t, kIdleCauseCount> order{};
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return device.idleNs[i]; });
        for (const std::size_t cause : order)
            if (device.gaps[cause] > 0)
                add(fmt::format("idle: {}", toString(static_cast<IdleCause>(cause))),
                    std::string(meaning(static_cast<IdleCause>(cause))), device.idleNs[cause],
                    device.gaps[cause], device.longestNs[cause]);
    }
    return table;
}

} // namespace dormer::view::timeline
