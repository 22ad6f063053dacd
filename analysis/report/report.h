// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/diagnosis/diagnosis.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace dormer::report {

/// `schema` of the JSON; raised when a field changes meaning, not when one is added.
inline constexpr int kJsonSchema = 1;

/// One launch as in `show --format json` and `run --format jsonl` (docs/json.md).
[[nodiscard]] nlohmann::json launchJson(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch,
                                        bool withLines = false);
/// The whole session: schema, session, devices, ceilings, to-do list, launches.
[[nodiscard]] nlohmann::json sessionJson(const diagnosis::Diagnosis& diagnosis, bool withLines = false);
/// The same as text, one line per launch. Writes launch by launch: a long session needs no tree of it all.
[[nodiscard]] std::string sessionJsonText(const diagnosis::Diagnosis& diagnosis, bool withLines = false);

struct TableLimits {
    std::size_t rows = 200; ///< those that took the most time
    int width = 0;          ///< of the terminal in columns; 0: not known, so all columns are shown
};
/// The kernel table (analysis/view/kernel_table.h), one row per launch group, below a summary where there are
/// many. Transfers and memory API calls follow.
[[nodiscard]] std::string tableText(const diagnosis::Diagnosis& diagnosis, const TableLimits& limits = {});
/// The first of the to-do list (analysis/todo.h), two lines each, for what stands above or below that table.
/// Says so when there is nothing to do; empty when nothing ran.
[[nodiscard]] std::string toDoTableText(const diagnosis::Diagnosis& diagnosis, std::size_t most = 8);
/// Its section of the Markdown.
[[nodiscard]] std::string toDoMarkdownText(const diagnosis::Diagnosis& diagnosis, std::size_t most = 20);
/// Long form, one row per launch and metric: launch, workload, kernel, origin, metric, value, unit. Base SI,
/// '.' decimals, quoted after RFC 4180.
[[nodiscard]] std::string csvText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string markdownText(const diagnosis::Diagnosis& diagnosis);
/// Counts per source line, a table a kernel: what wastes most first. Empty but for the provenance where a
/// session has no lines.
[[nodiscard]] std::string linesTableText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string linesMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// One row per launch and instruction, the fields of the stream's `launch_lines` after launch, workload,
/// kernel and origin. RFC 4180.
[[nodiscard]] std::string linesCsvText(const diagnosis::Diagnosis& diagnosis);
/// Table and plot of every sweep (analysis/sweep.h), for a terminal of 80 columns.
[[nodiscard]] std::string sweepsTableText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string sweepsMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// Its sections alone, for the Markdown of a whole session; empty without sweeps.
[[nodiscard]] std::string sweepSectionsMarkdown(const diagnosis::Diagnosis& diagnosis);
/// One row a sweep, point and metric that has a value. RFC 4180.
[[nodiscard]] std::string sweepsCsvText(const diagnosis::Diagnosis& diagnosis);
/// `sweeps[]` of the JSON, and that document without launches and transfers.
[[nodiscard]] nlohmann::json sweepsJson(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] nlohmann::json sweepsDocument(const diagnosis::Diagnosis& diagnosis);
/// Copies, fills, migrations and faults, then calls for memory; both empty when the session has none.
[[nodiscard]] std::string transfersTableText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string transfersMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// One row a record of either kind, the fields of the stream after `record`. RFC 4180.
[[nodiscard]] std::string transfersCsvText(const diagnosis::Diagnosis& diagnosis);
/// The JSON without launches and sweeps.
[[nodiscard]] nlohmann::json transfersDocument(const diagnosis::Diagnosis& diagnosis);
/// Roofline over DRAM as a picture by itself: 960 x 600, light ground, text as text.
[[nodiscard]] std::string rooflineSvg(const diagnosis::Diagnosis& diagnosis, verdict::Work work,
                                      verdict::MemoryLevel level);
/// One self-contained page, no network: to-do list, roofline that answers to the pointer, table, evidence,
/// source, definitions.
[[nodiscard]] std::string htmlReport(const diagnosis::Diagnosis& diagnosis, std::string_view title);

/// Writes the format its ending names (.html .md .csv .json .svg); ErrorKind::Usage for others or unwritable
/// paths.
[[nodiscard]] Result<void> writeReport(const diagnosis::Diagnosis& diagnosis,
                                       const std::filesystem::path& path);
/// Fails the way writeReport would for this path, before anything is collected.
[[nodiscard]] Result<void> checkReportPath(const std::filesystem::path& path);

} // namespace dormer::report
