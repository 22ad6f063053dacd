// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <memory>
#include <vector>

namespace dormer::metrics {

/// How a metric's number is to be shown to people.
enum class Unit {
    None,
    Nanoseconds,
    Bytes,
    BytesPerSecond,
    Ratio,
    Count,
    PerSecond,
    FlopPerByte,
    OpPerByte,
    Hertz
};

/// One derived quantity. The catalogue is the only place that knows names, formulas and meanings: the table,
/// the report, the app, `dormer metrics` and the docs are made from it.
struct Metric {
    std::string_view name;  ///< "dram_bytes_per_second"
    std::string_view title; ///< short, for a column head: "DRAM"
    Unit unit;
    std::string_view formula; ///< over counters, launch and device facts, and other metrics
    std::string_view meaning; ///< one paragraph
    std::string_view ncu;     ///< what Nsight Compute calls it; empty when nothing matches
};

[[nodiscard]] std::span<const Metric> metricCatalogue();
[[nodiscard]] const Metric* findMetric(std::string_view name);
/// Name of the unit in JSON and CSV: "ns", "B", "B/s", "1", "count", "1/s", "FLOP/B", "op/B", "Hz".
[[nodiscard]] std::string_view unitSymbol(Unit unit);

/// docs/metrics.md: the catalogue, the launch facts and the counter sets, as Markdown.
[[nodiscard]] std::string metricsMarkdown();

/// Evaluates the catalogue's formulas over a session. Formulas are bound to counter columns once; an input
/// that is absent makes the result absent. Follows a session that grows. Not thread-safe; cheap to create
/// (one parse).
class MetricEvaluator {
public:
    explicit MetricEvaluator(const session::Session& session);
    ~MetricEvaluator();
    MetricEvaluator(MetricEvaluator&&) noexcept;

    /// Value in the metric's SI unit, or nothing when an input was not collected or the result is not finite.
    [[nodiscard]] std::optional<double> value(session::LaunchIndex launch, std::string_view metric) const;
    /// The same for a metric known by its place in the catalogue: for inner loops.
    [[nodiscard]] std::optional<double> value(session::LaunchIndex launch, const Metric& metric) const;
    /// Values of the whole catalogue, in its order, for `launches` launches from `first` on: a row per
    /// launch; NaN for what value() has nothing for. Reads each input once, however many metrics need it, and
    /// computes many launches at a time: for tables of all metrics.
    void values(session::LaunchIndex first, std::size_t launches, std::vector<double>& into) const;
    /// The first input that is absent: tells people why there is a dash. Empty when the value is there.
    [[nodiscard]] std::string missingInput(session::LaunchIndex launch, std::string_view metric) const;

    [[nodiscard]] const session::Session& session() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dormer::metrics
