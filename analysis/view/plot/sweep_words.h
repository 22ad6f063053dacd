// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"
#include "analysis/view/number_scale.h"
#include "analysis/view/table.h"

/// A sweep in words and cells for people: shared by terminal, Markdown, page and app. Names are the
/// program's: painters clean and escape them.
namespace dormer::view::plot {

/// One scale for all values of a metric of the sweep.
[[nodiscard]] NumberScale scaleOf(const metrics::SweepTable& table, std::size_t metric);
/// A row per point in the table's order, its key the workload: parameters, then metrics; the best one is
/// strong. Where no parameter tells points apart their own names do.
[[nodiscard]] Table sweepTable(const metrics::SweepTable& table);

/// "block=256, items=8": what tells a point from the others of its sweep; its name where nothing does.
[[nodiscard]] std::string pointText(const metrics::SweepTable& table, const metrics::SweepPoint& point);
/// What stands beside a point's mark or bar: pointText, or where that would be long the values alone, which
/// barHead() names.
[[nodiscard]] std::string shortPointText(const metrics::SweepTable& table, const metrics::SweepPoint& point);
/// "12.3 µs": a value of a metric of the sweep, in a sentence; a dash when absent.
[[nodiscard]] std::string valueText(const metrics::SweepTable& table, const std::optional<double>& value,
                                    std::size_t metric = 0);
/// What the pointer shows of a point: its workload, its parameters, and a metric per line, by line breaks.
[[nodiscard]] std::string pointTip(const metrics::SweepTable& table, const metrics::SweepPoint& point);
/// What is plotted as bars: "time, from zero", and the parameters whose values stand beside them.
[[nodiscard]] std::string barHead(const metrics::SweepTable& table);
/// "12.3 µs": what stands beside a bar; all of a sweep are in one unit.
[[nodiscard]] std::string barValue(const metrics::SweepTable& table, double value);
/// The parameter on the axis, or all of them where points stand side by side.
[[nodiscard]] std::string axisName(const metrics::SweepTable& table);
/// "best: 256 8": stands beside the best point of a plot; empty where no point is best.
[[nodiscard]] std::string bestLabel(const metrics::SweepTable& table);
/// "best: block=256, items=8 at 12.3 µs; ×4.5 over the worst, ×1.2 over the median of 96 points"; empty where
/// no point is best.
[[nodiscard]] std::string bestText(const metrics::SweepTable& table);
/// One line a parameter that matters to the best: "items: 1 → 31.1 µs, 4 → 13.0 µs, 8 → 12.3 µs". Empty where
/// fewer than two parameters vary.
[[nodiscard]] std::vector<std::string> effectTexts(const metrics::SweepTable& table);
/// Why there is no plot of a metric; empty when there is one.
[[nodiscard]] std::string whyNoPlot(const metrics::SweepTable& table, std::size_t metric = 0);

/// Points that get a bar, where points are bars: all of a short sweep; of a long one the best and the worst,
/// with a gap (nothing) between them.
[[nodiscard]] std::vector<std::optional<std::size_t>> barsShown(const metrics::SweepTable& table);

} // namespace dormer::view::plot
