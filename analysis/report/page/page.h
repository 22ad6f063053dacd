// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/report/page/packed.h"
#include "analysis/report/page/sources.h"
#include "analysis/view/details/utilization.h"
#include "analysis/view/report_summary.h"

/// The parts of the HTML report, in the order of the page. Each returns markup with all foreign text escaped.
namespace dormer::report::page {

/// Kernels that get a row, and a card, at most: keeps the page of a session with tens of thousands small.
inline constexpr std::size_t kMostKernels = 5000, kMostCards = 1000;
/// A page of more than the first number packs the charts that are not shown at first, and cards and sources
/// of all kernels but the second number.
inline constexpr std::size_t kMostUnpacked = 40, kUnpackedOfMany = 6;
[[nodiscard]] inline bool isPacked(const view::KernelRows& rows) {
    return rows.rows.size() > kMostUnpacked;
}

/// What bounds the GPU's time, and beside it the to-do list.
[[nodiscard]] std::string summary(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows,
                                  const std::vector<SourcePanel>& sources);
/// Findings of the whole session, largest gain first; each leads to its kernel and its line.
[[nodiscard]] std::string toDo(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows,
                               const std::vector<SourcePanel>& sources);
/// A figure for each kind of work and memory level that has points; the first to show is marked.
[[nodiscard]] std::string charts(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows);
[[nodiscard]] std::string kernelTable(const view::KernelRows& rows);
/// Table and plot of each sweep; empty without any. Points lead to their kernels among `rows`.
[[nodiscard]] std::string sweeps(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows);
/// What ran when, what the device did meanwhile, and what it waited for; empty where nothing has a place in
/// time.
[[nodiscard]] std::string timeline(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows);
/// What moved between memories, and calls for memory; empty without any.
[[nodiscard]] std::string transfers(const session::Session& session);
/// Evidence of one kernel: headline, why, headroom, where the bytes go, what to do, numbers; these go into
/// the `sheet` where there is one.
[[nodiscard]] std::string card(const diagnosis::Diagnosis& diagnosis, const view::KernelRow& row,
                               std::size_t index, const SourcePanel& source, FactSheet* sheet);
/// A bar for each, with its name and figure.
[[nodiscard]] std::string shareBars(const std::vector<view::details::UtilizationBar>& bars);
/// What the warps of a kernel were sampled doing, by state and line; empty when they were not.
[[nodiscard]] std::string stallTables(const session::Session& session, std::size_t kernel);
/// What each source line of a kernel did, most excess first, folded; empty when lines were not collected.
[[nodiscard]] std::string lineTable(const session::Session& session, const view::KernelRow& row);
/// Session facts, notes and known answers.
[[nodiscard]] std::string provenancePanels(const diagnosis::Diagnosis& diagnosis);
/// Meaning and formula of each metric that has a value in some launch.
[[nodiscard]] std::string definitions(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows);

/// SM, shared memory, L1, L2 and DRAM with what goes between them; empty when no traffic was counted.
[[nodiscard]] std::string memoryPicture(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch);
/// A row of boxes: what one request takes, the needed ones filled, the rest outlined.
[[nodiscard]] std::string unitsPicture(double actual, double ideal, std::string_view caption);

/// A place that leads to its line where the page shows it.
[[nodiscard]] std::string placeLink(const findings::FindingPlace& place, const SourcePanel& source);
/// Escaped, with what stands between backticks as code.
[[nodiscard]] std::string proseMarkup(std::string_view text);
/// Marker for running text, with its word for those who can't see it.
[[nodiscard]] std::string inlineMark(verdict::Bound bound);
/// Link to a metric's definition, its meaning on hover; plain text when the catalogue lacks it.
[[nodiscard]] std::string metricLink(std::string_view metric, std::string_view text);

} // namespace dormer::report::page
