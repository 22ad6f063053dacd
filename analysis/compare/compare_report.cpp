// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/compare_report.h"

#include "analysis/metrics/format.h"
#include "analysis/view/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::compare {

namespace {

/// Counters of a kernel that stand in a line; JSON has all.
constexpr std::size_t kMostCounters = 6;
constexpr std::size_t kMostLabelColumns = 60;

std::string signedPercent(double ratio) {
    const double percent = (ratio - 1) * 100;
    return std::abs(percent) < 0.05 ? "0.0 %" : fmt::format("{:+.1f} %", percent);
}

std::string labelOf(const KernelLaunches& kernel) {
    const bool placeTold = kernel.nvtx.empty() || kernel.nvtx == kernel.workload;
    const std::string text = placeTold ? kernel.label : fmt::format("{} ({})", kernel.label, kernel.nvtx);
    return view::truncateMiddle(text, kMostLabelColumns);
}

std::string labelOf(const Comparison& comparison, const KernelComparison& kernel) {
    const KernelLaunches& base = comparison.base[kernel.match.base];
    const KernelLaunches& fresh = comparison.fresh[kernel.match.fresh];
    if (kernel.match.by == MatchedBy::Name || base.label == fresh.label) return labelOf(fresh);
    return fmt::format("{} (was {})", labelOf(fresh), labelOf(base));
}

view::TextRow rowOf(const Comparison& comparison, const KernelComparison& kernel) {
    const auto ns = [](const std::optional<double>& value) {
        return metrics::forPeople(value, metrics::Unit::Nanoseconds);
    };
    return {std::string(toString(kernel.change)),
            labelOf(comparison, kernel),
            kernel.baseLaunches == kernel.freshLaunches
                ? std::to_string(kernel.baseLaunches)
                : fmt::format("{} → {}", kernel.baseLaunches, kernel.freshLaunches),
            ns(kernel.baseNs),
            ns(kernel.freshNs),
            kernel.ratio() ? signedPercent(*kernel.ratio()) : std::string(view::kDash),
            kernel.interval ? fmt::format("{} … {}", signedPercent(kernel.interval->low),
                                          signedPercent(kernel.interval->high))
                            : std::string(view::kDash),
            kernel.countersCompared == 0
                ? std::string(view::kDash)
                : fmt::format("{} of {}", kernel.counters.size(), kernel.countersCompared),
            kernel.why};
}

std::string countersLine(const Comparison& comparison, const KernelComparison& kernel) {
    std::string line = labelOf(comparison, kernel) + ": ";
    for (std::size_t i = 0; i < std::min(kMostCounters, kernel.counters.size()); ++i) {
        const CounterChange& change = kernel.counters[i];
        line += fmt::format("{}{} {:.10g} → {:.10g}{}", i == 0 ? "" : ", ", change.counter, change.base,
                            change.fresh, change.exact ? "" : " (median)");
    }
    if (kernel.counters.size() > kMostCounters)
        line += fmt::format(", and {} more", kernel.counters.size() - kMostCounters);
    return line;
}

double totalNs(const Comparison& comparison, bool fresh) {
    double total = 0;
    for (const KernelComparison& kernel : comparison.kernels)
        if (kernel.baseNs && kernel.freshNs)
            total += static_cast<double>(kernel.baseLaunches) * (fresh ? *kernel.freshNs : *kernel.baseNs);
    return total;
}

void appendList(std::string& text, std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    text += fmt::format("\n{}:\n", title);
    for (const std::string& item : items)
        text += "  " + view::cleanText(item) + "\n";
}

} // namespace

ComparisonText textOf(const Comparison& comparison) {
    ComparisonText text;
    std::array<std::size_t, 4> counts{};
    for (const KernelComparison& kernel : comparison.kernels)
        ++counts[static_cast<std::size_t>(kernel.change)];
    text.headline = fmt::format("{} {} faster, {} slower, {} same, {} unsure", counts[0],
                                counts[0] == 1 ? "kernel" : "kernels", counts[1], counts[2], counts[3]);
    const double before = totalNs(comparison, false), after = totalNs(comparison, true);
    if (before > 0)
        text.totals = fmt::format(
            "Median times of the kernels of both sides, by the launches of the base: {} → {} ({})",
            metrics::forPeople(before, metrics::Unit::Nanoseconds),
            metrics::forPeople(after, metrics::Unit::Nanoseconds), signedPercent(after / before));
    text.warnings = comparison.warnings;
    text.columns = {{"verdict"},   {"kernel"},       {"launches", true},      {"base", true},
                    {"new", true}, {"change", true}, {"99 % interval", true}, {"counters changed", true},
                    {"why unsure"}};
    for (const KernelComparison& kernel : comparison.kernels) {
        text.rows.push_back(rowOf(comparison, kernel));
        if (!kernel.counters.empty()) text.counters.push_back(countersLine(comparison, kernel));
    }
    for (const std::size_t i : comparison.onlyBase)
        text.onlyBase.push_back(labelOf(comparison.base[i]));
    for (const std::size_t i : comparison.onlyFresh)
        text.onlyFresh.push_back(labelOf(comparison.fresh[i]));
    return text;
}

std::string compareTableText(const Comparison& comparison) {
    const ComparisonText text = textOf(comparison);
    std::string out;
    for (const std::string& warning : text.warnings)
        out += "Warning: " + view::cleanText(warning) + "\n";
    if (!out.empty()) out += "\n";
    out += view::alignedTable(text.columns, text.rows);
    out += "\n" + text.headline + "\n";
    if (!text.totals.empty()) out += text.totals + "\n";
    appendList(out, "Counters that changed", text.counters);
    appendList(out, "Only in the base", text.onlyBase);
    appendList(out, "Only in the new session", text.onlyFresh);
    return out;
}

std::string compareMarkdownText(const Comparison& comparison) {
    const ComparisonText text = textOf(comparison);
    std::string out = fmt::format("## Dormer: {}\n\n", text.headline);
    for (const std::string& warning : text.warnings)
        out += fmt::format("> **Warning:** {}\n>\n", view::escapeMarkdown(warning));
    if (!text.totals.empty()) out += text.totals + ".\n\n";
    std::vector<view::TextRow> changed, others;
    for (std::size_t i = 0; i < text.rows.size(); ++i) {
        const Change change = comparison.kernels[i].change;
        (change == Change::Faster || change == Change::Slower ? changed : others).push_back(text.rows[i]);
    }
    if (!changed.empty()) out += view::markdownTable(text.columns, changed) + "\n";
    const auto fold = [&](std::string_view title, const std::string& body) {
        out += fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", title, body);
    };
    if (!others.empty())
        fold(fmt::format("{} same or unsure", others.size()), view::markdownTable(text.columns, others));
    for (const auto& [title, items] :
         {std::pair{"Counters that changed", &text.counters}, std::pair{"Only in the base", &text.onlyBase},
          std::pair{"Only in the new session", &text.onlyFresh}}) {
        std::string list;
        for (const std::string& item : *items)
            list += "- " + view::escapeMarkdown(item) + "\n";
        if (!list.empty()) fold(title, list);
    }
    return out;
}

nlohmann::json compareJson(const Comparison& comparison) {
    const auto number = [](const std::optional<double>& value) {
        return value ? nlohmann::json(*value) : nlohmann::json();
    };
    const auto side = [](const KernelLaunches& kernel) {
        return nlohmann::json{
            {"kernel", kernel.fullName},
            {"label", kernel.label},
            {"workload", kernel.workload.empty() ? nlohmann::json() : nlohmann::json(kernel.workload)},
            {"nvtx", kernel.nvtx.empty() ? nlohmann::json() : nlohmann::json(kernel.nvtx)},
            {"grid", {kernel.grid.x, kernel.grid.y, kernel.grid.z}},
            {"block", {kernel.block.x, kernel.block.y, kernel.block.z}},
            {"dynamic_shared_bytes", kernel.dynamicSharedBytes},
            {"launches", kernel.launches.size()}};
    };
    nlohmann::json kernels = nlohmann::json::array();
    for (const KernelComparison& kernel : comparison.kernels) {
        nlohmann::json counters = nlohmann::json::array();
        for (const CounterChange& change : kernel.counters)
            counters.push_back({{"counter", change.counter},
                                {"base", change.base},
                                {"new", change.fresh},
                                {"ratio", number(change.ratio())},
                                {"exact", change.exact}});
        kernels.push_back(
            {{"change", toString(kernel.change)},
             {"why", kernel.why.empty() ? nlohmann::json() : nlohmann::json(kernel.why)},
             {"matched_by", toString(kernel.match.by)},
             {"base", side(comparison.base[kernel.match.base])},
             {"new", side(comparison.fresh[kernel.match.fresh])},
             {"base_ns", number(kernel.baseNs)},
             {"new_ns", number(kernel.freshNs)},
             {"ratio", number(kernel.ratio())},
             {"interval", kernel.interval ? nlohmann::json{kernel.interval->low, kernel.interval->high}
                                          : nlohmann::json()},
             {"counters_compared", kernel.countersCompared},
             {"counters_changed", std::move(counters)}});
    }
    nlohmann::json document{{"schema", 1},
                            {"confidence", kConfidence},
                            {"warnings", comparison.warnings},
                            {"kernels", std::move(kernels)},
                            {"only_base", nlohmann::json::array()},
                            {"only_new", nlohmann::json::array()}};
    for (const std::size_t i : comparison.onlyBase)
        document["only_base"].push_back(side(comparison.base[i]));
    for (const std::size_t i : comparison.onlyFresh)
        document["only_new"].push_back(side(comparison.fresh[i]));
    return document;
}

} // namespace dormer::compare
