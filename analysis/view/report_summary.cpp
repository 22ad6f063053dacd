// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/report_summary.h"

#include "analysis/metrics/format.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

namespace dormer::view {

namespace {

std::string sentenceFor(const ReportSummary& summary, const KernelRows& rows) {
    if (rows.rows.empty()) return "No kernel was launched.";
    if (summary.shares.empty() || rows.totalNs <= 0)
        return "No launch has a duration, so nothing can be judged.";
    const ReportSummary::Share& first = summary.shares.front();
    const std::string share = metrics::forPeople(first.share, metrics::Unit::Ratio);
    const std::string kernels =
        fmt::format("{} of {} {}", first.kernels, rows.groups, rows.groups == 1 ? "kernel" : "kernels");
    switch (first.bound) {
    case verdict::Bound::Memory:
        return fmt::format("Memory bounds {} of the GPU time: {}.", share, kernels);
    case verdict::Bound::Compute:
        return fmt::format("Compute bounds {} of the GPU time: {}.", share, kernels);
    case verdict::Bound::Latency:
        return fmt::format("Latency bounds {} of the GPU time: {}.", share, kernels);
    case verdict::Bound::Balanced:
        return fmt::format("{} of the GPU time is balanced between memory and compute: {}.", share, kernels);
    case verdict::Bound::Unknown:
        break;
    }
    return fmt::format("{} of the GPU time can't be judged with the counters collected: {}.", share, kernels);
}

/// UTC: reports travel.
std::string dateOf(std::int64_t unixNs) {
    return fmt::format("{:%Y-%m-%d %H:%M} UTC",
                       fmt::gmtime(static_cast<std::time_t>(unixNs / 1'000'000'000)));
}

std::string commandOf(const session::Process& process) {
    std::string command = std::filesystem::path(process.program).filename().string();
    for (const std::string& argument : process.arguments)
        command += " " + argument;
    return command;
}

} // namespace

ReportSummary summarize(const KernelRows& rows) {
    ReportSummary summary;
    for (const BoundTally& tally : rows.bounds)
        summary.shares.push_back(
            {tally.bound, tally.groups, tally.totalNs, rows.totalNs > 0 ? tally.totalNs / rows.totalNs : 0});
    std::ranges::stable_sort(summary.shares, std::greater{}, &ReportSummary::Share::ns);
    summary.sentence = sentenceFor(summary, rows);
    return summary;
}

std::vector<std::pair<std::string, std::string>> reportFacts(const metrics::MetricEvaluator& metrics) {
    const session::Session& session = metrics.session();
    std::vector<std::pair<std::string, std::string>> facts;
    const auto add = [&](std::string what, std::string value) {
        if (!value.empty()) facts.emplace_back(std::move(what), std::move(value));
    };
    for (const session::Device& device : session.devices()) {
        add("device", device.name);
        add("SMs", device.smCount > 0 ? std::to_string(device.smCount) : "");
        add("compute capability",
            fmt::format("{}.{}", device.computeCapabilityMajor, device.computeCapabilityMinor));
        add("driver", device.driverVersion);
        add("SM clock, at most",
            device.smClockMaxHz > 0 ? metrics::forPeople(device.smClockMaxHz, metrics::Unit::Hertz) : "");
        add("memory clock, at most", device.memoryClockMaxHz > 0
                                         ? metrics::forPeople(device.memoryClockMaxHz, metrics::Unit::Hertz)
                                         : "");
    }
    if (session.processes().empty()) return facts;
    const session::Process& process = session.processes().front();
    add("program", commandOf(process));
    add("host", process.host);
    if (session.processes().size() > 1) add("processes", std::to_string(session.processes().size()));
    add("counter set", process.counterSet);
    if (process.origin == session::Origin::Emulated) {
        add("accesses, operations", "counted one by one, as exact as the hardware's counters");
        add("caches", "modelled, cold at each launch");
        add("time", "predicted");
        if (session.hasWarpSamples()) add("warps", "modelled");
    } else {
        add("counters", howCounted(process));
        if (session.hasWarpSamples()) add("warps", "sampled");
        add("caches", process.cacheControl == "flush"  ? "flushed before each counted launch"
                      : process.cacheControl == "keep" ? "left as the program had them"
                                                       : process.cacheControl);
    }
    if (process.startUnixNs > 0) add("date", dateOf(process.startUnixNs));
    add("Dormer", process.toolVersion);
    return facts;
}

std::string howCounted(const session::Process& process) {
    if (process.passes > 0)
        return fmt::format("in {} {}", process.passes, process.passes == 1 ? "pass" : "passes");
    if (process.intervalNs > 0)
        return fmt::format(
            "sampled at intervals of {} or more",
            metrics::forPeople(static_cast<double>(process.intervalNs), metrics::Unit::Nanoseconds));
    return process.bySignature ? "of replayed launches" : "none: timing only";
}

} // namespace dormer::view
