// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/sweep.h"

#include "analysis/metrics/workload_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace dormer::metrics {

namespace {

/// More lines than this in one plot are no longer told apart.
constexpr std::size_t kMostSeries = 6;

std::string valueOf(const std::vector<std::string>& parameters, std::string_view name) {
    for (const std::string& parameter : parameters)
        if (parameter.size() > name.size() && parameter.starts_with(name) && parameter[name.size()] == '=')
            return parameter.substr(name.size() + 1);
    return {};
}

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Indices of the parameters that differ between points.
std::vector<std::size_t> varying(const SweepTable& table) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < table.sweep.parameters.size(); ++i) {
        std::set<std::string_view> values;
        for (const SweepPoint& point : table.points)
            values.insert(point.parameters[i]);
        if (values.size() > 1) result.push_back(i);
    }
    return result;
}

bool isNumeric(const SweepTable& table, std::size_t parameter) {
    return std::ranges::all_of(table.points, [&](const SweepPoint& point) {
        return numberOf(point.parameters[parameter]).has_value();
    });
}

/// A line has one value at a place: points that differ in nothing but the order they came in are none.
bool isFunction(const SweepTable& table, std::size_t axis, std::optional<std::size_t> lines) {
    std::set<std::pair<double, std::string_view>> places;
    return std::ranges::all_of(table.points, [&](const SweepPoint& point) {
        const std::string_view line = lines ? std::string_view(point.parameters[*lines]) : std::string_view();
        return places.emplace(*numberOf(point.parameters[axis]), line).second;
    });
}

/// Tells which line each point belongs to; false where they are too many.
bool nameSeries(SweepTable& table, std::size_t parameter) {
    for (SweepPoint& point : table.points) {
        const auto known = std::ranges::find(table.series, point.parameters[parameter]);
        point.series = static_cast<std::size_t>(known - table.series.begin());
        if (known == table.series.end()) table.series.push_back(point.parameters[parameter]);
    }
    if (table.series.size() <= kMostSeries) return true;
    table.series.clear();
    for (SweepPoint& point : table.points)
        point.series = 0;
    return false;
}

/// Which parameter is the axis, and which one, if any, tells several lines apart.
void chooseAxis(SweepTable& table) {
    const std::vector<std::size_t> changing = varying(table);
    std::optional<std::size_t> axis, lines;
    if (changing.size() == 1 && isNumeric(table, changing[0])) axis = changing[0];
    if (changing.size() == 2) {
        const bool first = isNumeric(table, changing[0]), second = isNumeric(table, changing[1]);
        if (first != second) {
            axis = changing[first ? 0 : 1];
            lines = changing[first ? 1 : 0];
        }
    }
    if (!axis || !isFunction(table, *axis, lines)) return;
    if (lines && !nameSeries(table, *lines)) return;
    table.axis = axis;
    table.numeric = true;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (SweepPoint& point : table.points) {
        point.x = numberOf(point.parameters[*axis]);
        least = std::min(least, *point.x);
        most = std::max(most, *point.x);
    }
    table.logarithmic = spansDecades(least, most);
    std::ranges::stable_sort(table.points, [](const SweepPoint& a, const SweepPoint& b) {
        return std::pair(a.series, *a.x) < std::pair(b.series, *b.x);
    });
}

void chooseBest(SweepTable& table) {
    const bool lowest = table.sweep.best == "lowest";
    if ((!lowest && table.sweep.best != "highest") || table.sweep.metrics.empty()) return;
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const auto& value = table.points[i].values.front();
        if (!value) continue;
        if (!table.best) {
            table.best = i;
            continue;
        }
        const double sofar = *table.points[*table.best].values.front();
        if (lowest ? *value < sofar : *value > sofar) table.best = i;
    }
}

} // namespace

bool spansDecades(double least, double most) {
    constexpr double kLinearSpan = 30; // numbers farther apart crowd at one end of a linear axis
    return least > 0 && most > kLinearSpan * least;
}

std::vector<SweepTable> sweepTables(const MetricEvaluator& metrics) {
    const session::Session& session = metrics.session();
    std::vector<SweepTable> tables;
    for (const session::Sweep& sweep : session.sweeps()) {
        SweepTable table;
        table.sweep = sweep;
        for (const session::Workload& workload : session.workloads()) {
            if (workload.sweep != sweep.name) continue;
            SweepPoint point;
            point.workload = workload.workload;
            for (const std::string& parameter : sweep.parameters)
                point.parameters.push_back(valueOf(workload.parameters, parameter));
            for (const std::string& metric : sweep.metrics)
                point.values.push_back(workloadValue(metrics, workload.workload, metric));
            table.points.push_back(std::move(point));
        }
        if (table.points.size() < 2) continue;
        chooseAxis(table);
        chooseBest(table);
        tables.push_back(std::move(table));
    }
    return tables;
}

std::optional<SweepGain> gainOfBest(const SweepTable& table) {
    if (!table.best) return std::nullopt;
    std::vector<double> values;
    for (const SweepPoint& point : table.points)
        if (point.values.front() && *point.values.front() > 0) values.push_back(*point.values.front());
    const double best = *table.points[*table.best].values.front();
    if (values.size() < 2 || best <= 0) return std::nullopt;
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    // Of times and of rates alike: how many times better.
    if (table.sweep.best == "lowest") return SweepGain{values.back() / best, median / best};
    return SweepGain{best / values.front(), best / median};
}

std::vector<ParameterEffect> parameterEffects(const SweepTable& table) {
    std::vector<ParameterEffect> effects;
    if (!table.best) return effects;
    const bool lowest = table.sweep.best == "lowest";
    for (const std::size_t parameter : varying(table)) {
        ParameterEffect effect{parameter, {}};
        for (const SweepPoint& point : table.points) {
            const auto& value = point.values.front();
            if (!value) continue;
            auto known = std::ranges::find(effect.choices, point.parameters[parameter],
                                           &ParameterEffect::Choice::value);
            if (known == effect.choices.end()) {
                effect.choices.push_back({point.parameters[parameter], *value});
                continue;
            }
            known->best = lowest ? std::min(known->best, *value) : std::max(known->best, *value);
        }
        effects.push_back(std::move(effect));
    }
    return effects;
}

} // namespace dormer::metrics
