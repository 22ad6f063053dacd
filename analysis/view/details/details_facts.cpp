// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/details_facts.h"

#include "analysis/metrics/format.h"
#include "analysis/metrics/predicted_range.h"
#include "analysis/view/report_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::view::details {

using metrics::forPeople;
using metrics::MetricEvaluator;
using metrics::Unit;
using session::Launch;
using session::LaunchIndex;
using session::Origin;
using session::Process;
using session::Session;

namespace {

std::string originText(const Process& process) {
    const std::string_view origin = toString(process.origin);
    if (process.passes > 0)
        return fmt::format("{} in {} {}", origin, process.passes, process.passes == 1 ? "pass" : "passes");
    return fmt::format("{}, {}", origin, process.bySignature ? howCounted(process) : "timing only");
}

std::vector<Fact> configurationOf(const Session& session, LaunchIndex index) {
    const Launch& launch = session.launch(index);
    const session::Kernel& kernel = session.kernelOf(index);
    std::vector<Fact> facts{{"grid", forPeople(launch.grid), "Blocks of the launch"},
                            {"block", forPeople(launch.block), "Threads per block"}};
    if (kernel.registersPerThread > 0)
        facts.push_back({"registers/thread", std::to_string(kernel.registersPerThread)});
    if (const auto shared = kernel.staticSharedBytes + launch.dynamicSharedBytes; shared > 0)
        facts.push_back({"shared memory", forPeople(static_cast<double>(shared), Unit::Bytes),
                         "Per block, static and dynamic"});
    facts.push_back({"stream", std::to_string(launch.stream)});
    if (launch.graphNode) facts.push_back({{}, fmt::format("node {} of a CUDA graph", *launch.graphNode)});
    facts.push_back({{}, originText(session.processes()[launch.process])});
    return facts;
}

std::string driverText(const session::Device& device) {
    return device.driverVersion.empty() ? std::string() : ", driver " + device.driverVersion;
}

std::vector<std::string> howMeasured(const MetricEvaluator& metrics, LaunchIndex index) {
    const Session& session = metrics.session();
    const Launch& launch = session.launch(index);
    const Process& process = session.processes()[launch.process];
    const bool emulated = process.origin == Origin::Emulated;
    std::vector<std::string> lines;
    lines.emplace_back(!launch.durationNs ? "This launch was not timed."
                       : emulated
                           ? "No GPU ran this: accesses and operations were counted one by one, traffic "
                             "of the caches comes from a model, and the time is a prediction."
                           : "Time comes from an uninstrumented run, not from a replay pass.");
    if (process.passes > 0 && !emulated)
        lines.push_back(fmt::format("Counter set \"{}\", {} replay {} of the launch{}.", process.counterSet,
                                    process.passes, process.passes == 1 ? "pass" : "passes",
                                    process.cacheControl == "flush"  ? ", caches flushed before each"
                                    : process.cacheControl == "keep" ? ", caches left as they were"
                                                                     : ""));
    if (!launch.notCounted.empty()) lines.push_back("Not counted: " + launch.notCounted);
    if (const auto clock = metrics.value(index, "sm_clock_hz"))
        lines.push_back(
            fmt::format("SM clock during the launch: {}. Roofs of compute and caches are scaled to it.",
                        forPeople(clock, Unit::Hertz)));
    if (const session::Device* device = session.deviceOf(index)) {
        std::string origin(toString(process.origin));
        origin.front() = static_cast<char>(origin.front() - 'a' + 'A');
        lines.push_back(fmt::format("{} on {}{}.", origin, device->name, driverText(*device)));
    }
    return lines;
}

/// Counters are whole numbers, but for the few that are averages.
std::string exactly(double value) {
    return value == std::round(value) && std::abs(value) < 1e17 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{}", value);
}

std::vector<Fact> countersOf(const Session& session, LaunchIndex launch) {
    std::vector<Fact> facts;
    const session::CounterTable& counters = session.counters();
    for (std::size_t column = 0; column < counters.names().size(); ++column)
        if (const auto value = counters.get(launch, column))
            facts.push_back({counters.names()[column], exactly(*value)});
    std::ranges::sort(facts, {}, &Fact::label);
    return facts;
}

} // namespace

DetailsFacts detailsFacts(const MetricEvaluator& metrics, LaunchIndex launch) {
    const Session& session = metrics.session();
    DetailsFacts facts{.configuration = configurationOf(session, launch),
                       .counters = countersOf(session, launch),
                       .measured = howMeasured(metrics, launch)};
    facts.time = fmt::format("{} {}", forPeople(session.launch(launch).durationNs, Unit::Nanoseconds),
                             session.originOf(launch) == Origin::Emulated ? "predicted" : "on the GPU") +
                 metrics::predictedRangeText(session.launch(launch));
    for (const metrics::Metric& metric : metrics::metricCatalogue()) {
        if (const auto value = metrics.value(launch, metric))
            facts.metrics.push_back(
                {std::string(metric.name), forPeople(*value, metric.unit), std::string(metric.meaning)});
        else
            facts.missing += fmt::format("{}{}", facts.missing.empty() ? "" : ", ", metric.name);
    }
    return facts;
}

std::string inOneLine(std::span<const Fact> facts) {
    std::string line;
    for (const Fact& fact : facts)
        line += fmt::format("{}{}{}{}", line.empty() ? "" : " · ", fact.label, fact.label.empty() ? "" : " ",
                            fact.value);
    return line;
}

} // namespace dormer::view::details
