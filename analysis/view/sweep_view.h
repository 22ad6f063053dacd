// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"
#include "analysis/view/text_table.h"

/// A sweep in words and cells for people: shared by terminal, Markdown and the page.
namespace dormer::view {

struct SweepCells {
    std::vector<TextColumn> columns; ///< workload's own name, parameters, metrics
    std::vector<TextRow> rows;       ///< in the order of the table's points
};
[[nodiscard]] SweepCells sweepCells(const metrics::SweepTable& table);

/// "block=256, items=8": what tells a point from the others of its sweep; its name where nothing does.
[[nodiscard]] std::string pointText(const metrics::SweepTable& table, const metrics::SweepPoint& point);
/// What stands beside a point's bar: pointText, or where that would be long the values alone, which
/// barHead() names.
[[nodiscard]] std::string barText(const metrics::SweepTable& table, const metrics::SweepPoint& point);
/// What is plotted as bars: "duration_ns, from zero", and the parameters whose values stand beside them.
[[nodiscard]] std::string barHead(const metrics::SweepTable& table);
/// "best: block=256, items=8 at 12.3 µs; ×4.5 over the worst, ×1.2 over the median of 96 points"; empty where
/// no point is best.
[[nodiscard]] std::string bestText(const metrics::SweepTable& table);
/// One line a parameter that matters to the best: "items: 1 → 31.1 µs, 4 → 13.0 µs, 8 → 12.3 µs". Empty where
/// fewer than two parameters vary.
[[nodiscard]] std::vector<std::string> effectTexts(const metrics::SweepTable& table);
/// Name and unit of what is plotted: "duration_ns, in µs" would need one scale, so only "time".
[[nodiscard]] std::string plottedTitle(const metrics::SweepTable& table);
/// Why there is no plot; empty when there is one.
[[nodiscard]] std::string whyNoPlot(const metrics::SweepTable& table);
/// "16", "0.5", "256 k": a parameter at a tick.
[[nodiscard]] std::string parameterTick(double value);
/// A value at a tick of the value axis, in its metric's unit.
[[nodiscard]] std::string valueTick(const metrics::SweepTable& table, double value);

/// Points that get a bar, where points are bars: all of a short sweep; of a long one the best and the worst,
/// with a gap (nothing) between them.
[[nodiscard]] std::vector<std::optional<std::size_t>> barsShown(const metrics::SweepTable& table);

} // namespace dormer::view
