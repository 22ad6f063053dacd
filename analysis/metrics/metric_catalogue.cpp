// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric_topics.h"

#include "analysis/metrics/counter_sets.h"
#include "analysis/metrics/launch_facts.h"
#include "analysis/metrics/workload_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace dormer::metrics {

std::span<const MetricTopic> metricTopics() {
    static const std::array topics = {
        MetricTopic{"Time, configuration, occupancy", launchMetrics()},
        MetricTopic{"Traffic and caches", trafficMetrics()},
        MetricTopic{"Global, local and atomic accesses", globalAccessMetrics()},
        MetricTopic{"Shared memory", sharedAccessMetrics()},
        MetricTopic{"Work", workMetrics()},
        MetricTopic{"Arithmetic intensity", intensityMetrics()},
    };
    return topics;
}

std::span<const Metric> metricCatalogue() {
    static const std::vector<Metric> all = [] {
        std::vector<Metric> metrics;
        for (const MetricTopic& topic : metricTopics())
            std::ranges::copy(topic.metrics, std::back_inserter(metrics));
        return metrics;
    }();
    return all;
}

std::string metricsMarkdown() {
    std::string text =
        "<!-- Generated from the metric catalogue by `dormer metrics --format markdown`. -->\n"
        "# Metrics\n\n"
        "Every number Dormer derives, with its formula over counters (names of NVIDIA's), facts of "
        "the launch (names with a dot)\nand other metrics. An input that was not collected makes the "
        "metric absent, never zero. How verdicts and findings follow\nfrom them: "
        "[verdicts.md](verdicts.md).\n\n"
        "`first(a, b)` is the first that was collected. `times(count, mean)` is their product, and 0 "
        "when the count is 0.\n";
    for (const MetricTopic& topic : metricTopics()) {
        text += fmt::format("\n## {}\n", topic.title);
        for (const Metric& metric : topic.metrics) {
            const auto unit = unitSymbol(metric.unit);
            text += fmt::format("\n### {}\n\n{}\n\n- formula: `{}`\n- unit: {}\n", metric.name,
                                metric.meaning, metric.formula, unit.empty() ? "none" : unit);
            if (!metric.ncu.empty()) text += fmt::format("- Nsight Compute: {}\n", metric.ncu);
        }
    }
    text +=
        "\n## Workloads as a whole\n\nOf one run of a workload of the suite, whatever it launches and "
        "copies: "
        "totals over all runs, divided by their number.\nKnown answers and sweeps may name these beside the "
        "metrics of launches.\n";
    for (const WorkloadMetric& metric : workloadMetrics())
        text += fmt::format("\n### {}\n\n{}\n\n- unit: {}\n", metric.name, metric.meaning, metric.unit);
    text += "\n## Facts of a launch\n\n| name | meaning |\n|---|---|\n";
    for (const FactInfo& fact : launchFacts())
        text += fmt::format("| `{}` | {} |\n", fact.name, fact.meaning);
    text += "\n## Counter sets\n";
    for (const CounterSet& set : counterSets()) {
        text += fmt::format("\n### {}\n\n{}: {} counters, at most {} pass{} ({} on GV100).\n\n", set.name,
                            set.answers, set.counters.size(), set.passBound, set.passBound == 1 ? "" : "es",
                            set.passBoundVolta);
        for (const CounterName& counter : set.counters) {
            text += fmt::format("- `{}`", counter.name);
            if (!counter.alternative.empty()) text += fmt::format(" (`{}` on GB20x)", counter.alternative);
            text += '\n';
        }
    }
    return text;
}

} // namespace dormer::metrics
