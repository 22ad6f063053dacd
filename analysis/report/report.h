// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/findings/finding.h"
#include "analysis/metrics/group.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace dormer::report {

/// `schema` of the JSON; raised when a field changes meaning, not when one is added.
inline constexpr int kJsonSchema = 1;

/// One launch as in `show --format json` and `run --format jsonl` (docs/json.md).
[[nodiscard]] nlohmann::json launchJson(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                        bool withLines = false);
/// The whole session: schema, session, devices, ceilings, to-do list, launches.
[[nodiscard]] nlohmann::json sessionJson(const metrics::MetricEvaluator& metrics, bool withLines = false);
/// The same as text, one line a launch. Writes launch by launch: a long session needs no tree of it all.
[[nodiscard]] std::string sessionJsonText(const metrics::MetricEvaluator& metrics, bool withLines = false);

/// One row a launch group, numbers scaled for people, aligned for a terminal; the `mostRows` that took the
/// most time, below a summary where there are many. Transfers and calls for memory follow.
[[nodiscard]] std::string tableText(const metrics::MetricEvaluator& metrics, std::size_t mostRows = 200);
/// The first of the to-do list (analysis/todo.h), two lines each, for what stands above or below that table.
/// Says so when there is nothing to do; empty when nothing ran.
[[nodiscard]] std::string toDoTableText(const metrics::MetricEvaluator& metrics, std::size_t most = 8);
/// Its section of the Markdown.
[[nodiscard]] std::string toDoMarkdownText(const metrics::MetricEvaluator& metrics, std::size_t most = 20);
/// Long form, one row a launch and metric: launch, workload, kernel, origin, metric, value, unit. Base SI,
/// '.' decimals, quoted after RFC 4180.
[[nodiscard]] std::string csvText(const metrics::MetricEvaluator& metrics);
[[nodiscard]] std::string markdownText(const metrics::MetricEvaluator& metrics);
/// Counts per source line, a table a kernel: what wastes most first. Empty but for the provenance where a
/// session has no lines.
[[nodiscard]] std::string linesTableText(const metrics::MetricEvaluator& metrics);
[[nodiscard]] std::string linesMarkdownText(const metrics::MetricEvaluator& metrics);
/// One row a launch and instruction, the fields of the stream's `launch_lines` after launch, workload, kernel
/// and origin. RFC 4180.
[[nodiscard]] std::string linesCsvText(const metrics::MetricEvaluator& metrics);
/// Table and plot of every sweep (analysis/sweep.h), for a terminal of 80 columns.
[[nodiscard]] std::string sweepsTableText(const metrics::MetricEvaluator& metrics);
[[nodiscard]] std::string sweepsMarkdownText(const metrics::MetricEvaluator& metrics);
/// Its sections alone, for the Markdown of a whole session; empty without sweeps.
[[nodiscard]] std::string sweepSectionsMarkdown(const metrics::MetricEvaluator& metrics);
/// One row a sweep, point and metric that has a value. RFC 4180.
[[nodiscard]] std::string sweepsCsvText(const metrics::MetricEvaluator& metrics);
/// `sweeps[]` of the JSON, and that document without launches and transfers.
[[nodiscard]] nlohmann::json sweepsJson(const metrics::MetricEvaluator& metrics);
[[nodiscard]] nlohmann::json sweepsDocument(const metrics::MetricEvaluator& metrics);
/// Copies, fills, migrations and faults, then calls for memory; both empty when the session has none.
[[nodiscard]] std::string transfersTableText(const metrics::MetricEvaluator& metrics);
[[nodiscard]] std::string transfersMarkdownText(const metrics::MetricEvaluator& metrics);
/// One row a record of either kind, the fields of the stream after `record`. RFC 4180.
[[nodiscard]] std::string transfersCsvText(const metrics::MetricEvaluator& metrics);
/// The JSON without launches and sweeps.
[[nodiscard]] nlohmann::json transfersDocument(const metrics::MetricEvaluator& metrics);
/// Roofline over DRAM as a picture by itself: 960 x 600, light ground, text as text.
[[nodiscard]] std::string rooflineSvg(const metrics::MetricEvaluator& metrics, verdict::Work work,
                                      verdict::MemoryLevel level);
/// One self-contained page, no network: to-do list, roofline that answers to the pointer, table, evidence,
/// source, definitions.
[[nodiscard]] std::string htmlReport(const metrics::MetricEvaluator& metrics, std::string_view title);

/// Writes the format its ending names (.html .md .csv .json .svg); ErrorKind::Usage for others or unwritable
/// paths.
[[nodiscard]] Result<void> writeReport(const metrics::MetricEvaluator& metrics,
                                       const std::filesystem::path& path);
/// Fails the way writeReport would for this path, before anything is collected.
[[nodiscard]] Result<void> checkReportPath(const std::filesystem::path& path);

} // namespace dormer::report
