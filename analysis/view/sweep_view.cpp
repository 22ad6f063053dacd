// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/sweep_view.h"

#include "analysis/metrics/format.h"
#include "analysis/metrics/workload_facts.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace dormer::view {

namespace {

constexpr std::size_t kMostNameColumns = 40;
constexpr std::size_t kMostBars = 24;
constexpr std::size_t kBestBars = 16;
constexpr std::size_t kWorstBars = 4;

std::string value(const metrics::SweepTable& table, std::size_t metric, const std::optional<double>& number) {
    return metrics::forPeople(number, metrics::metricUnit(table.sweep.metrics[metric]));
}

std::string times(double factor) {
    return "×" + metrics::forPeople(factor, metrics::Unit::None);
}

bool varies(const metrics::SweepTable& table, std::size_t parameter) {
    return std::ranges::any_of(table.points, [&](const metrics::SweepPoint& point) {
        return point.parameters[parameter] != table.points.front().parameters[parameter];
    });
}

/// More parameters vary than a line has room for with their names.
bool isLong(const metrics::SweepTable& table) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i)
        count += varies(table, i) ? 1 : 0;
    return count > 2;
}

std::string ownName(const metrics::SweepPoint& point) {
    const auto slash = point.workload.find('/');
    return cleanText(slash == std::string::npos ? point.workload : point.workload.substr(slash + 1));
}

} // namespace

SweepCells sweepCells(const metrics::SweepTable& table) {
    SweepCells cells;
    // Many parameters are the name, spelled out; the best point's name is told below.
    const bool named = !isLong(table);
    if (named) cells.columns.push_back({"variant", false});
    for (const std::string& parameter : table.sweep.parameters)
        cells.columns.push_back({truncateMiddle(parameter, kMostNameColumns), true});
    for (const std::string& metric : table.sweep.metrics)
        cells.columns.push_back({truncateMiddle(metrics::metricTitle(metric), kMostNameColumns), true});
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const metrics::SweepPoint& point = table.points[i];
        TextRow row;
        if (named) row.push_back(truncateMiddle(ownName(point), kMostNameColumns));
        for (const std::string& parameter : point.parameters)
            row.push_back(parameter.empty() ? "–" : truncateMiddle(parameter, kMostNameColumns));
        for (std::size_t metric = 0; metric < point.values.size(); ++metric)
            row.push_back(value(table, metric, point.values[metric]));
        if (table.best == i) row.emplace_back("◀ best");
        cells.rows.push_back(std::move(row));
    }
    if (table.best) cells.columns.push_back({"", false});
    return cells;
}

std::string pointText(const metrics::SweepTable& table, const metrics::SweepPoint& point) {
    std::string text;
    for (std::size_t i = 0; i < point.parameters.size(); ++i)
        if (varies(table, i))
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", cleanText(table.sweep.parameters[i]),
                                cleanText(point.parameters[i]));
    return text.empty() ? ownName(point) : text;
}

std::string barText(const metrics::SweepTable& table, const metrics::SweepPoint& point) {
    if (!isLong(table)) return pointText(table, point);
    std::string text;
    for (std::size_t i = 0; i < point.parameters.size(); ++i)
        if (varies(table, i))
            text += fmt::format("{}{}", text.empty() ? "" : " ", cleanText(point.parameters[i]));
    return text;
}

std::string barHead(const metrics::SweepTable& table) {
    std::string text = plottedTitle(table) + ", from zero";
    if (!isLong(table)) return text;
    text += ", by";
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i)
        if (varies(table, i)) text += " " + cleanText(table.sweep.parameters[i]);
    return text;
}

std::string bestText(const metrics::SweepTable& table) {
    if (!table.best) return {};
    const metrics::SweepPoint& best = table.points[*table.best];
    const std::string reached = value(table, 0, best.values.front());
    const auto known = std::ranges::count_if(
        table.points, [](const metrics::SweepPoint& point) { return point.values.front().has_value(); });
    const auto alike = std::ranges::count_if(table.points, [&](const metrics::SweepPoint& point) {
        return point.values.front() == best.values.front();
    });
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

std::vector<std::string> effectTexts(const metrics::SweepTable& table) {
    std::vector<std::string> lines;
    const auto effects = metrics::parameterEffects(table);
    if (effects.size() < 2) return lines;
    for (const metrics::ParameterEffect& effect : effects) {
        std::string line = cleanText(table.sweep.parameters[effect.parameter]) + ": ";
        for (std::size_t i = 0; i < effect.choices.size(); ++i)
            line += fmt::format("{}{} → {}", i > 0 ? ", " : "", cleanText(effect.choices[i].value),
                                value(table, 0, effect.choices[i].best));
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string plottedTitle(const metrics::SweepTable& table) {
    if (table.sweep.metrics.empty()) return {};
    return cleanText(table.sweep.metrics.front());
}

std::string whyNoPlot(const metrics::SweepTable& table) {
    if (table.sweep.metrics.empty()) return "no plot: the sweep names no metric";
    const auto known = std::ranges::count_if(
        table.points, [](const metrics::SweepPoint& point) { return point.values.front().has_value(); });
    if (known == 0) return fmt::format("no plot: {} was not collected of any point", plottedTitle(table));
    return {};
}

std::string parameterTick(double value) {
    // Sizes are powers of two as often as of ten; small numbers stay whole, none is rounded away.
    if (std::abs(value) >= 1e4)
        for (const auto& [scale, suffix] :
             {std::pair(0x1p30, "Gi"), std::pair(0x1p20, "Mi"), std::pair(0x1p10, "Ki")}) {
            const double scaled = value / scale;
            if (scaled >= 1 && scaled == std::floor(scaled)) return fmt::format("{:.0f} {}", scaled, suffix);
        }
    if (std::abs(value) < 1e6) return fmt::format("{:.6g}", value);
    return metrics::withSiPrefix(value, 4);
}

std::string valueTick(const metrics::SweepTable& table, double value) {
    if (value == 0) return "0";
    return metrics::forPeople(value, metrics::metricUnit(table.sweep.metrics.front()));
}

std::vector<std::optional<std::size_t>> barsShown(const metrics::SweepTable& table) {
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

} // namespace dormer::view
