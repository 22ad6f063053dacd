// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/sweep_words.h"

#include "analysis/metrics/format.h"
#include "analysis/metrics/workload_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace dormer::view::plot {

using metrics::SweepPoint;
using metrics::SweepTable;

namespace {

constexpr std::size_t kMostBars = 24;
constexpr std::size_t kBestBars = 16;
constexpr std::size_t kWorstBars = 4;

std::string times(double factor) {
    return "×" + metrics::forPeople(factor, metrics::Unit::None);
}

bool varies(const SweepTable& table, std::size_t parameter) {
    return std::ranges::any_of(table.points, [&](const SweepPoint& point) {
        return point.parameters[parameter] != table.points.front().parameters[parameter];
    });
}

/// More parameters vary than a line has room for with their names.
bool isLong(const SweepTable& table) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i)
        count += varies(table, i) ? 1 : 0;
    return count > 2;
}

std::string ownName(const SweepPoint& point) {
    const auto slash = point.workload.find('/');
    return slash == std::string::npos ? point.workload : point.workload.substr(slash + 1);
}

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::ptrdiff_t knownCount(const SweepTable& table, std::size_t metric) {
    return std::ranges::count_if(table.points,
                                 [&](const SweepPoint& point) { return point.values[metric].has_value(); });
}

} // namespace

NumberScale scaleOf(const SweepTable& table, std::size_t metric) {
    std::vector<double> values;
    for (const SweepPoint& point : table.points)
        if (point.values[metric]) values.push_back(*point.values[metric]);
    return scaleFor(metrics::metricUnit(table.sweep.metrics[metric]), values);
}

Table sweepTable(const SweepTable& table) {
    Table cells;
    bool named = true;
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i)
        named = named && !varies(table, i);
    if (named) cells.columns.push_back({.title = "variant"});
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i)
        cells.columns.push_back({.title = table.sweep.parameters[i],
                                 .numeric = std::ranges::all_of(table.points, [&](const SweepPoint& point) {
                                     return numberOf(point.parameters[i]).has_value();
                                 })});
    std::vector<NumberScale> scales;
    for (std::size_t i = 0; i < table.sweep.metrics.size(); ++i) {
        const std::string& metric = table.sweep.metrics[i];
        scales.push_back(scaleOf(table, i));
        Column column{.title = metrics::metricTitle(metric), .unit = scales.back().unit, .numeric = true};
        if (const metrics::Metric* known = metrics::findMetric(metric)) column.metric = known->name;
        if (const metrics::WorkloadMetric* known = metrics::findWorkloadMetric(metric))
            column.tooltip = known->meaning;
        cells.columns.push_back(std::move(column));
    }
    for (std::size_t p = 0; p < table.points.size(); ++p) {
        const SweepPoint& point = table.points[p];
        Row row{.cells = {}, .key = point.workload, .strong = table.best == p};
        if (named) row.cells.push_back({.text = ownName(point), .tooltip = point.workload});
        for (const std::string& parameter : point.parameters)
            row.cells.push_back({.text = parameter.empty() ? "–" : parameter,
                                 .value = numberOf(parameter),
                                 .tooltip = point.workload});
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const auto& value = point.values[i];
            row.cells.push_back({.text = value ? scales[i].text(*value) : "–",
                                 .value = value,
                                 .tooltip = value ? "" : "not collected",
                                 .emphasis = value ? Emphasis::None : Emphasis::Missing});
        }
        cells.rows.push_back(std::move(row));
    }
    return cells;
}

std::string pointText(const SweepTable& table, const SweepPoint& point) {
    std::string text;
    for (std::size_t i = 0; i < point.parameters.size(); ++i)
        if (varies(table, i))
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", table.sweep.parameters[i],
                                point.parameters[i]);
    return text.empty() ? ownName(point) : text;
}

std::string shortPointText(const SweepTable& table, const SweepPoint& point) {
    if (!isLong(table)) return pointText(table, point);
    std::string text;
    for (std::size_t i = 0; i < point.parameters.size(); ++i)
        if (varies(table, i)) text += fmt::format("{}{}", text.empty() ? "" : " ", point.parameters[i]);
    return text;
}

std::string valueText(const SweepTable& table, const std::optional<double>& value, std::size_t metric) {
    return metrics::forPeople(value, metrics::metricUnit(table.sweep.metrics[metric]));
}

std::string pointTip(const SweepTable& table, const SweepPoint& point) {
    std::string tip = point.workload + '\n' + pointText(table, point);
    for (std::size_t i = 0; i < point.values.size(); ++i)
        tip += fmt::format("\n{}: {}", metrics::metricTitle(table.sweep.metrics[i]),
                           valueText(table, point.values[i], i));
    return tip;
}

std::string barHead(const SweepTable& table) {
    std::string text = metrics::metricTitle(table.sweep.metrics.front()) + ", from zero";
    if (!isLong(table)) return text;
    text += ", by";
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i)
        if (varies(table, i)) text += " " + table.sweep.parameters[i];
    return text;
}

std::string barValue(const SweepTable& table, double value) {
    const NumberScale scale = scaleOf(table, 0);
    return scale.unit.empty() ? scale.text(value) : scale.text(value) + ' ' + scale.unit;
}

std::string axisName(const SweepTable& table) {
    if (table.axis) return table.sweep.parameters[*table.axis];
    std::string names;
    for (const std::string& parameter : table.sweep.parameters)
        names += (names.empty() ? "" : " ") + parameter;
    return names;
}

std::string bestLabel(const SweepTable& table) {
    return table.best ? "best: " + shortPointText(table, table.points[*table.best]) : std::string();
}

std::string bestText(const SweepTable& table) {
    if (!table.best) return {};
    const SweepPoint& best = table.points[*table.best];
    const std::string reached = valueText(table, best.values.front());
    const auto known = knownCount(table, 0);
    const auto alike = std::ranges::count_if(
        table.points, [&](const SweepPoint& point) { return point.values.front() == best.values.front(); });
    if (alike == known && known > 1) return fmt::format("no point is better: all {} at {}", known, reached);
    const std::string which = isLong(table) ? fmt::format("{} ({})", ownName(best), pointText(table, best))
                                            : pointText(table, best);
    std::string text = fmt::format("best: {} at {}", which, reached);
    if (alike > 1) text += fmt::format(" ({} alike)", alike);
    if (const auto gain = metrics::gainOfBest(table))
        text += fmt::format("; {} over the worst, {} over the median of {} points", times(gain->overWorst),
                            times(gain->overMedian), known);
    return text;
}

std::vector<std::string> effectTexts(const SweepTable& table) {
    std::vector<std::string> lines;
    const auto effects = metrics::parameterEffects(table);
    if (effects.size() < 2) return lines;
    for (const metrics::ParameterEffect& effect : effects) {
        std::string line = table.sweep.parameters[effect.parameter] + ": ";
        for (std::size_t i = 0; i < effect.choices.size(); ++i)
            line += fmt::format("{}{} → {}", i > 0 ? ", " : "", effect.choices[i].value,
                                valueText(table, effect.choices[i].best));
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string whyNoPlot(const SweepTable& table, std::size_t metric) {
    if (metric >= table.sweep.metrics.size()) return "no plot: the sweep names no metric";
    if (knownCount(table, metric) == 0)
        return fmt::format("no plot: {} was not collected for any point",
                           metrics::metricTitle(table.sweep.metrics[metric]));
    return {};
}

std::vector<std::optional<std::size_t>> barsShown(const SweepTable& table) {
    std::vector<std::optional<std::size_t>> shown(table.points.size());
    std::vector<std::size_t> order(table.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() <= kMostBars || !table.best) {
        std::ranges::copy(order, shown.begin());
        return shown;
    }
    const bool lowest = table.sweep.best == "lowest";
    std::erase_if(order, [&](std::size_t i) { return !table.points[i].values.front(); });
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const double left = *table.points[a].values.front(), right = *table.points[b].values.front();
        return lowest ? left < right : left > right;
    });
    if (order.size() <= kBestBars + kWorstBars) return {order.begin(), order.end()};
    shown.assign(order.begin(), order.begin() + kBestBars);
    shown.emplace_back();
    shown.insert(shown.end(), order.end() - kWorstBars, order.end());
    return shown;
}

} // namespace dormer::view::plot
