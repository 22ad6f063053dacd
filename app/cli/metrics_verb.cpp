// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metric.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "instrument/launch/near_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace dormer::cli {

namespace {

using analysis::Metric;
using Metrics = std::span<const Metric>;

std::string metricsTable(Metrics metrics) {
    std::size_t width = 4;
    for (const Metric& metric : metrics)
        width = std::max(width, metric.name.size());
    std::string text = fmt::format("{:<{}}  {:<7}  {}\n", "NAME", width, "UNIT", "FORMULA");
    for (const Metric& metric : metrics)
        text += fmt::format("{:<{}}  {:<7}  {}\n", metric.name, width, analysis::unitSymbol(metric.unit),
                            metric.formula);
    return text;
}

std::string metricPage(const Metric& metric) {
    std::string text = fmt::format("{} ({})\n\n{}\n\nformula: {}\nunit:    {}\n", metric.name, metric.title,
                                   metric.meaning, metric.formula, analysis::unitSymbol(metric.unit));
    if (!metric.ncu.empty()) text += fmt::format("ncu:     {}\n", metric.ncu);
    return text;
}

std::string metricsMarkdown(Metrics metrics) {
    // A bar would end the cell.
    const auto cell = [](std::string_view text) {
        std::string escaped;
        for (const char c : text)
            escaped += c == '|' ? std::string{"\\|"} : std::string(1, c);
        return escaped;
    };
    std::string text = "| metric | unit | formula | meaning | Nsight Compute |\n|---|---|---|---|---|\n";
    for (const Metric& metric : metrics)
        text += fmt::format("| `{}` | {} | `{}` | {} | {} |\n", metric.name,
                            analysis::unitSymbol(metric.unit), cell(metric.formula), cell(metric.meaning),
                            metric.ncu.empty() ? "" : fmt::format("`{}`", cell(metric.ncu)));
    return text;
}

std::string metricsJson(Metrics metrics) {
    nlohmann::json entries = nlohmann::json::array();
    for (const Metric& metric : metrics)
        entries.push_back({{"name", metric.name},
                           {"title", metric.title},
                           {"unit", analysis::unitSymbol(metric.unit)},
                           {"formula", metric.formula},
                           {"meaning", metric.meaning},
                           {"ncu", metric.ncu.empty() ? nlohmann::json{} : nlohmann::json(metric.ncu)}});
    return entries.dump(2);
}

int showMetrics(const std::string& name, const std::string& format) {
    Metrics metrics = analysis::metricCatalogue();
    if (!name.empty()) {
        const Metric* metric = analysis::findMetric(name);
        if (metric == nullptr) {
            std::vector<std::string> names;
            for (const Metric& known : metrics)
                names.emplace_back(known.name);
            return fail({ErrorKind::Usage, fmt::format("no metric '{}'{} ('dormer metrics' names all)", name,
                                                       instrument::didYouMean(name, names))});
        }
        metrics = Metrics{metric, 1};
    }
    if (format == "json") return printResult(metricsJson(metrics));
    if (format == "markdown") return printResult(metricsMarkdown(metrics));
    return printResult(name.empty() ? metricsTable(metrics) : metricPage(metrics.front()));
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
