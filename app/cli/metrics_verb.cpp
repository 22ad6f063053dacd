// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/workload_facts.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "instrument/launch/near_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace dormer::cli {

namespace {

using metrics::Metric;
using metrics::WorkloadMetric;

/// What is requested: everything, or one of either kind.
struct Metrics {
    std::span<const metrics::Metric> ofLaunches = metrics::metricCatalogue();
    std::span<const metrics::WorkloadMetric> ofWorkloads = metrics::workloadMetrics();
};

std::string_view firstSentence(std::string_view text) {
    const auto end = text.find_first_of(".:;");
    return text.substr(0, end);
}

std::string metricsTable(const Metrics& metrics) {
    std::size_t width = 4;
    for (const metrics::Metric& metric : metrics.ofLaunches)
        width = std::max(width, metric.name.size());
    std::string text = fmt::format("{:<{}}  {:<7}  {}\n", "NAME", width, "UNIT", "FORMULA");
    for (const metrics::Metric& metric : metrics.ofLaunches)
        text += fmt::format("{:<{}}  {:<7}  {}\n", metric.name, width, metrics::unitSymbol(metric.unit),
                            metric.formula);
    // They are counted, not computed of counters: a sentence tells more than a formula.
    text += fmt::format("\n{:<{}}  {:<7}  {}\n", "OF WORKLOADS", width, "UNIT", "MEANING");
    for (const metrics::WorkloadMetric& metric : metrics.ofWorkloads)
        text += fmt::format("{:<{}}  {:<7}  {}\n", metric.name, width, metric.unit,
                            firstSentence(metric.meaning));
    return text;
}

std::string metricPage(const metrics::WorkloadMetric& metric) {
    return fmt::format("{} ({}; of a workload, per run)\n\n{}\n\nunit:    {}\n", metric.name, metric.title,
                       metric.meaning, metric.unit);
}

std::string metricPage(const metrics::Metric& metric) {
    std::string text = fmt::format("{} ({})\n\n{}\n\nformula: {}\nunit:    {}\n", metric.name, metric.title,
                                   metric.meaning, metric.formula, metrics::unitSymbol(metric.unit));
    if (!metric.ncu.empty()) text += fmt::format("ncu:     {}\n", metric.ncu);
    return text;
}

std::string metricsMarkdown(const Metrics& metrics) {
    // A bar would end the cell.
    const auto cell = [](std::string_view text) {
        std::string escaped;
        for (const char c : text)
            escaped += c == '|' ? std::string{"\\|"} : std::string(1, c);
        return escaped;
    };
    std::string text = "| metric | unit | formula | meaning | Nsight Compute |\n|---|---|---|---|---|\n";
    for (const metrics::Metric& metric : metrics.ofLaunches)
        text += fmt::format("| `{}` | {} | `{}` | {} | {} |\n", metric.name, metrics::unitSymbol(metric.unit),
                            cell(metric.formula), cell(metric.meaning),
                            metric.ncu.empty() ? "" : fmt::format("`{}`", cell(metric.ncu)));
    for (const metrics::WorkloadMetric& metric : metrics.ofWorkloads)
        text += fmt::format("| `{}` | {} | of a workload, per run | {} | |\n", metric.name, metric.unit,
                            cell(metric.meaning));
    return text;
}

std::string metricsJson(const Metrics& metrics) {
    nlohmann::json entries = nlohmann::json::array();
    for (const metrics::Metric& metric : metrics.ofLaunches)
        entries.push_back({{"name", metric.name},
                           {"of", "launch"},
                           {"title", metric.title},
                           {"unit", metrics::unitSymbol(metric.unit)},
                           {"formula", metric.formula},
                           {"meaning", metric.meaning},
                           {"ncu", metric.ncu.empty() ? nlohmann::json{} : nlohmann::json(metric.ncu)}});
    for (const metrics::WorkloadMetric& metric : metrics.ofWorkloads)
        entries.push_back({{"name", metric.name},
                           {"of", "workload"},
                           {"title", metric.title},
                           {"unit", metric.unit},
                           {"formula", nullptr},
                           {"meaning", metric.meaning},
                           {"ncu", nullptr}});
    return entries.dump(2);
}

Result<Metrics> select(const std::string& name) {
    if (name.empty()) return Metrics{};
    if (const metrics::Metric* metric = metrics::findMetric(name)) return Metrics{{metric, 1}, {}};
    if (const metrics::WorkloadMetric* metric = metrics::findWorkloadMetric(name))
        return Metrics{{}, {metric, 1}};
    std::vector<std::string> names;
    for (const metrics::Metric& known : metrics::metricCatalogue())
        names.emplace_back(known.name);
    for (const metrics::WorkloadMetric& known : metrics::workloadMetrics())
        names.emplace_back(known.name);
    return failure(ErrorKind::Usage, fmt::format("unknown metric '{}'{} ('dormer metrics' lists all)", name,
                                                 instrument::launch::didYouMean(name, names)));
}

int showMetrics(const std::string& name, const std::string& format) {
    const Result<Metrics> metrics = select(name);
    if (!metrics) return fail(metrics.error());
    if (format == "json") return printResult(metricsJson(*metrics));
    if (format == "markdown") return printResult(metricsMarkdown(*metrics));
    if (name.empty()) return printResult(metricsTable(*metrics));
    return printResult(metrics->ofLaunches.empty() ? metricPage(metrics->ofWorkloads.front())
                                                   : metricPage(metrics->ofLaunches.front()));
}

} // namespace

void addMetricsVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("metrics", "Lists the metrics, their formulas and meanings");
    struct Options {
        std::string name;
        std::string format = "table";
    };
    auto options = std::make_shared<Options>();
    verb->add_option("NAME", options->name, "one metric, with its meaning");
    verb->add_option("--format", options->format, "table, json or markdown")
        ->check(CLI::IsMember({"table", "json", "markdown"}))
        ->capture_default_str();
    verb->callback(
        [options, &action] { action = [options] { return showMetrics(options->name, options->format); }; });
}

} // namespace dormer::cli
