// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/workloads_page.h"

#include "analysis/metrics/format.h"
#include "analysis/metrics/sweep.h"
#include "analysis/metrics/workload_facts.h"
#include "analysis/verdict/verdict.h"
#include "kernels/suite/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace dormer::tests {

using namespace metrics;

using namespace session;

using namespace store;

using namespace verdict;

namespace {

/// Shown of a family that names no figures of its own.
const std::vector<std::string> kUsualFigures{"kernel_ns", "dram_bytes_per_second",
                                             "global_load_sectors_per_request", "l1_hit_rate"};

struct Variants {
    const kernels::Family* family;
    const kernels::Group* group;
    std::vector<const kernels::Variant*> of; ///< one, or the points of a sweep in this group
};

/// In registry order; the points of a sweep are together.
std::vector<Variants> rowsOf(const kernels::Family& family) {
    std::vector<Variants> rows;
    for (const kernels::Group& group : family.groups) {
        for (const kernels::Variant& variant : group.variants) {
            const auto sweep = std::ranges::find_if(rows, [&](const Variants& row) {
                return !variant.sweep.empty() && row.of.front()->sweep == variant.sweep &&
                       row.group == &group;
            });
            if (sweep == rows.end())
                rows.push_back({&family, &group, {&variant}});
            else
                sweep->of.push_back(&variant);
        }
    }
    return rows;
}

std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.replace(at, 1, "\\|");
    return text;
}

std::string answerText(const kernels::Expectation& answer) {
    std::string text;
    if (answer.relation == "verdict") {
        text = "verdict " + answer.text;
    } else {
        text = fmt::format("`{}` {} {:.6g}", answer.metric, answer.relation == "~" ? "≈" : answer.relation,
                           answer.value);
        if (!answer.reference.empty()) text += fmt::format(" × that of `{}`", answer.reference);
    }
    if (!answer.kernel.empty()) text += fmt::format(" (`{}`)", answer.kernel);
    return cell(answer.gpuOnly ? "*" + text + "*" : text);
}

std::string answersText(const Variants& row) {
    const std::size_t size = row.group->defaultSize.gpu;
    std::vector<std::string> texts;
    for (const kernels::Expectation& answer : row.of.front()->knownAnswers(size))
        texts.push_back(answerText(answer));
    // What all points of a sweep have in common, else only which metrics they answer.
    if (row.of.size() > 1) {
        std::vector<std::string> common;
        for (const kernels::Expectation& answer : row.of.front()->knownAnswers(size)) {
            const std::string text = answerText(answer);
            const bool same = std::ranges::all_of(row.of, [&](const kernels::Variant* variant) {
                return std::ranges::any_of(variant->knownAnswers(size),
                                           [&](const auto& other) { return answerText(other) == text; });
            });
            common.push_back(same ? text : fmt::format("`{}`, each point its own", answer.metric));
        }
        texts = std::move(common);
    }
    std::vector<std::string> distinct;
    for (const std::string& text : texts)
        if (std::ranges::find(distinct, text) == distinct.end()) distinct.push_back(text);
    return fmt::format("{}", fmt::join(distinct, "; "));
}

std::string nameOf(const Variants& row) {
    if (row.of.size() == 1) return fmt::format("`{}`", row.of.front()->name);
    return fmt::format("`{}` … `{}` ({} points)", row.of.front()->name, row.of.back()->name, row.of.size());
}

std::string headsOf(const std::vector<std::string>& metrics) {
    std::string head;
    for (const std::string& metric : metrics)
        head += fmt::format(" `{}` |", metric);
    return head;
}

/// The verdict of a workload's launches, or of those of its longest kernel.
std::string verdictOf(const MetricEvaluator& metrics, const std::string& path) {
    const Session& session = metrics.session();
    std::map<std::uint64_t, double> byKernel;
    for (const Launch& launch : session.launches())
        if (launch.workload == path) byKernel[launch.kernel] += launch.durationNs.value_or(0);
    if (byKernel.empty()) return "–";
    const auto longest = std::ranges::max_element(byKernel, {}, [](const auto& each) { return each.second; });
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (session.launches()[i].workload == path && session.launches()[i].kernel == longest->first)
            return headline(judge(metrics, LaunchIndex{i}));
    return "–";
}

/// Figures that at least one of the workloads has.
std::vector<std::string> figuresOf(const MetricEvaluator& metrics, const kernels::Family& family,
                                   const std::vector<std::string>& paths) {
    std::vector<std::string> figures;
    for (const std::string& metric : family.figures.empty() ? kUsualFigures : family.figures)
        if (std::ranges::any_of(paths, [&](const std::string& path) {
                return workloadValue(metrics, path, metric).has_value();
            }))
            figures.push_back(metric);
    return figures;
}

std::string measuredTable(const MetricEvaluator& metrics, const kernels::Family& family,
                          const std::vector<Variants>& rows) {
    std::vector<std::string> paths;
    for (const Variants& row : rows)
        if (row.of.front()->sweep.empty())
            paths.push_back(fmt::format("{}/{}", family.name, row.of.front()->name));
    if (paths.empty()) return {};
    const std::vector<std::string> figures = figuresOf(metrics, family, paths);
    if (figures.empty()) return "Not in this recording.\n\n";
    std::string text = fmt::format("| variant |{} verdict |\n|---|", headsOf(figures));
    for (std::size_t i = 0; i < figures.size() + 1; ++i)
        text += "---|";
    text += '\n';
    for (const std::string& path : paths) {
        text += fmt::format("| `{}` |", path.substr(family.name.size() + 1));
        for (const std::string& metric : figures)
            text += fmt::format(" {} |", forPeople(workloadValue(metrics, path, metric), metricUnit(metric)));
        text += fmt::format(" {} |\n", verdictOf(metrics, path));
    }
    return text + '\n';
}

std::string sweepText(const SweepTable& table) {
    std::string text = fmt::format("**{}** (`{}`)\n\n|", table.sweep.title, table.sweep.name);
    for (const std::string& parameter : table.sweep.parameters)
        text += fmt::format(" {} |", parameter);
    text += headsOf(table.sweep.metrics) + "\n|";
    for (std::size_t i = 0; i < table.sweep.parameters.size() + table.sweep.metrics.size(); ++i)
        text += "---|";
    text += '\n';
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const SweepPoint& point = table.points[i];
        const char* mark = table.best == i ? "**" : "";
        text += '|';
        for (const std::string& parameter : point.parameters)
            text += fmt::format(" {}{}{} |", mark, parameter, mark);
        for (std::size_t m = 0; m < table.sweep.metrics.size(); ++m)
            text += fmt::format(" {} |", forPeople(point.values[m], metricUnit(table.sweep.metrics[m])));
        text += '\n';
    }
    if (table.best) text += fmt::format("\nBest: `{}`.\n", table.points[*table.best].workload);
    return text + '\n';
}

std::string familyText(const MetricEvaluator& metrics, const std::vector<SweepTable>& sweeps,
                       const kernels::Family& family) {
    std::string text = fmt::format("## {}: {}\n\n{}.\n\n", family.name, family.title, family.shows);
    if (!family.lookAt.empty()) text += fmt::format("**Look at.** {}\n\n", family.lookAt);
    text += "| variant | what it shows | known answers |\n|---|---|---|\n";
    const std::vector<Variants> rows = rowsOf(family);
    for (const Variants& row : rows) {
        std::string shows(row.of.front()->shows);
        if (!row.of.front()->better.empty()) shows += fmt::format(" → `{}`", row.of.front()->better);
        text += fmt::format("| {} | {} | {} |\n", nameOf(row), cell(shows), answersText(row));
    }
    text += "\nDefault sizes on a GPU:\n\n";
    for (const kernels::Group& group : family.groups)
        text +=
            fmt::format("- `{}`{}: {}\n", group.variants.front().name,
                        group.variants.size() > 1 ? fmt::format(" … `{}`", group.variants.back().name) : "",
                        fmt::join(group.parameters(group.defaultSize.gpu), ", "));
    text += fmt::format("\n### {} measured\n\n", family.name);
    text += measuredTable(metrics, family, rows);
    for (const SweepTable& table : sweeps)
        if (table.sweep.name.starts_with(family.name + "/")) text += sweepText(table);
    if (!family.reference.empty()) {
        text += "Measured elsewhere, to compare with:\n\n";
        for (const kernels::ReferenceFigure& each : family.reference)
            text += fmt::format("- {}: {}\n", each.what, each.figure);
        text += '\n';
    }
    return text;
}

} // namespace

std::string workloadsPage(const Session& recorded) {
    const MetricEvaluator metrics(recorded);
    const std::vector<SweepTable> sweeps = sweepTables(metrics);
    std::string text = "Figures are of default sizes, " + provenance(recorded);
    if (!recorded.devices().empty()) text += ", driver " + recorded.devices().front().driverVersion;
    text += " (`samples/h100-suite.dormer`); medians over the launches of a variant.\n\n";
    for (const kernels::Family& family : kernels::families())
        text += familyText(metrics, sweeps, family);
    return text;
}

} // namespace dormer::tests
