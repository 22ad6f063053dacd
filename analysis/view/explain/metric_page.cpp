// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/expression.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"
#include "analysis/view/explain/explanation.h"
#include "analysis/view/table.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace dormer::view::explain {
namespace {

using metrics::Metric;

const metrics::FactInfo* findFact(std::string_view name) {
    const auto facts = metrics::launchFacts();
    const auto found = std::ranges::find(facts, name, &metrics::FactInfo::name);
    return found == facts.end() ? nullptr : &*found;
}

/// What a formula names, as the cells of a row: name, value, how it was got.
struct Input {
    std::string name, value, how;
};

std::string whereRun(const session::Session& session, session::LaunchIndex launch) {
    const session::Device* device = session.deviceOf(launch);
    return fmt::format("{}{}", toString(session.originOf(launch)),
                       device == nullptr ? std::string() : " on " + escapeMarkdown(device->name));
}

/// How the numbers were got that a name stands for: of a metric those of all its inputs, each way once.
void addWays(std::string_view name, const ExplainedLaunch& of, std::vector<std::string>& ways) {
    const session::Session& session = of.diagnosis->session();
    std::string way;
    if (const Metric* metric = metrics::findMetric(name)) {
        if (const auto expression = metrics::Expression::parse(metric->formula))
            for (const std::string& input : expression->inputs())
                addWays(input, of, ways);
        return;
    }
    if (const metrics::FactInfo* fact = findFact(name))
        way = fact->fact == metrics::Fact::DurationNs ? "timed: " + whereRun(session, *of.launch)
                                                      : std::string("known from the launch");
    else if (session.counter(*of.launch, name))
        way = howCounted(session, *of.launch, name);
    if (!way.empty() && std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
}

Input inputOf(const std::string& name, const ExplainedLaunch& of) {
    const Metric* metric = metrics::findMetric(name);
    const metrics::FactInfo* fact = findFact(name);
    Input input{metric != nullptr ? fmt::format("[{}](metric:{})", name, name) : fmt::format("`{}`", name),
                {},
                metric != nullptr ? escapeMarkdown(metric->meaning)
                : fact != nullptr ? escapeMarkdown(fact->meaning)
                                  : std::string("counter")};
    if (of.diagnosis == nullptr || !of.launch) return input;
    const session::Session& session = of.diagnosis->session();
    const metrics::Unit unit = metric != nullptr ? metric->unit
                               : fact != nullptr && fact->fact == metrics::Fact::DurationNs
                                   ? metrics::Unit::Nanoseconds
                                   : metrics::Unit::Count;
    const std::optional<double> value = metric != nullptr ? of.diagnosis->metrics().value(*of.launch, *metric)
                                        : fact != nullptr
                                            ? metrics::factOf(session, *of.launch, fact->fact)
                                            : session.counter(*of.launch, std::string_view(name));
    input.value = value ? metrics::forPeople(*value, unit) : std::string(kDash);
    std::vector<std::string> ways;
    addWays(name, of, ways);
    input.how = value ? fmt::format("{}", fmt::join(ways, "; ")) : std::string("not collected");
    return input;
}

} // namespace

std::string metricPage(const Metric& metric, const ExplainedLaunch& of) {
    std::string page =
        fmt::format("# {}\n\n{}\n\n", escapeMarkdown(metric.title), escapeMarkdown(metric.meaning));
    page += fmt::format("- name: `{}`\n- unit: {}\n- formula: `{}`\n", metric.name,
                        metrics::unitSymbol(metric.unit), metric.formula);
    if (!metric.ncu.empty()) page += fmt::format("- Nsight Compute: {}\n", escapeMarkdown(metric.ncu));
    const bool known = of.diagnosis != nullptr && of.launch;
    if (known) {
        const auto value = of.diagnosis->metrics().value(*of.launch, metric);
        const std::string missing = of.diagnosis->metrics().missingInput(*of.launch, metric.name);
        page += fmt::format("\n## {}\n\n", escapeMarkdown(of.diagnosis->label(*of.launch)));
        if (value)
            page += fmt::format("**{}**\n\n", metrics::forPeople(*value, metric.unit));
        else if (missing.empty())
            page += "No value: the result is not finite.\n\n";
        else
            page += fmt::format("No value: `{}` was not collected.\n\n", missing);
    }
    const auto expression = metrics::Expression::parse(metric.formula);
    if (!expression || expression->inputs().empty()) return page;
    page += known ? "\n| input | value | how it was got |\n|---|---|---|\n"
                  : "\n## Inputs\n\n| input | what it is |\n|---|---|\n";
    for (const std::string& name : expression->inputs()) {
        const Input input = inputOf(name, of);
        page += known ? fmt::format("| {} | {} | {} |\n", input.name, input.value, input.how)
                      : fmt::format("| {} | {} |\n", input.name, input.how);
    }
    return page;
}

} // namespace dormer::view::explain
