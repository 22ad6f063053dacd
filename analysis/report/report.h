// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/base/text_sink.h"
#include "analysis/diagnosis/diagnosis.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace dormer::report {

/// `schema` of the JSON; raised when a field changes meaning, not when one is added.
inline constexpr int kJsonSchema = 1;

/// One launch as in `show --format json` and `run --format jsonl` (docs/json.md).
[[nodiscard]] nlohmann::json launchJson(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch,
                                        bool withLines = false);
struct JsonForm {
    bool withLines = false; ///< counts per instruction of each launch
    bool indented = false;  ///< by two blanks a level; else a line per launch
};
/// The whole session: schema, session, devices, ceilings, to-do list, launches. Launch by launch, so that a
/// session of a million needs no more memory for it than one of ten.
void writeJson(const diagnosis::Diagnosis& diagnosis, const JsonForm& form, const base::TextSink& sink);

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
/// Long: a row per launch and metric that has a value. Wide: a row per launch, a column per metric with its
/// unit in the head.
enum class CsvForm { Long, Wide };
/// In base SI units with '.' decimals, UTF-8, quoted after RFC 4180 (docs/json.md). Launch by launch.
void writeCsv(const diagnosis::Diagnosis& diagnosis, CsvForm form, const base::TextSink& sink);
[[nodiscard]] std::string markdownText(const diagnosis::Diagnosis& diagnosis);
/// Counts per source line, a table a kernel: what wastes most first. Empty but for the provenance where a
/// session has no lines.
[[nodiscard]] std::string linesTableText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string linesMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// What the warps of each kernel were sampled doing, and at which lines; those with most samples first.
[[nodiscard]] std::string stallsTableText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string stallsMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// One row per launch and instruction, the fields of the stream's `launch_lines` after launch, workload,
/// kernel and origin. RFC 4180. Launch by launch.
void writeLinesCsv(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink);
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
/// What ran when, in so many columns, and what the GPU waited for; empty where nothing has a place in time.
[[nodiscard]] std::string timelineTableText(const diagnosis::Diagnosis& diagnosis, std::size_t columns);
/// The second of these.
[[nodiscard]] std::string timelineMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// Copies, fills, migrations and faults, then calls for memory; both empty when the session has none.
[[nodiscard]] std::string transfersTableText(const diagnosis::Diagnosis& diagnosis);
[[nodiscard]] std::string transfersMarkdownText(const diagnosis::Diagnosis& diagnosis);
/// One row a record of either kind, the fields of the stream after `record`. RFC 4180.
[[nodiscard]] std::string transfersCsvText(const diagnosis::Diagnosis& diagnosis);
/// The JSON without launches and sweeps.
[[nodiscard]] nlohmann::json transfersDocument(const diagnosis::Diagnosis& diagnosis);
/// Timeline in Chrome's trace event format, which Perfetto opens: NVTX ranges, kernels and transfers by
/// stream, memory API calls. What has no time of start is left out.
void writeTrace(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink);
/// Roofline over DRAM as a picture by itself: 960 x 600, light ground, text as text.
[[nodiscard]] std::string rooflineSvg(const diagnosis::Diagnosis& diagnosis, verdict::Work work,
                                      verdict::MemoryLevel level);
/// Roofline over DRAM in characters, for a terminal of so many columns, and its numbers as a table; of a
/// kernel alone at every memory level.
[[nodiscard]] std::string rooflineText(const diagnosis::Diagnosis& diagnosis, std::size_t columns);
/// One self-contained page, no network: to-do list, roofline that answers to the pointer, table, evidence,
/// source, definitions.
[[nodiscard]] std::string htmlReport(const diagnosis::Diagnosis& diagnosis, std::string_view title);

/// Writes the format its ending names (.html .md .csv .json .trace.json .svg); ErrorKind::Usage for others or
/// unwritable paths.
[[nodiscard]] Result<void> writeReport(const diagnosis::Diagnosis& diagnosis,
                                       const std::filesystem::path& path);
/// Fails the way writeReport would for this path, before anything is collected.
[[nodiscard]] Result<void> checkReportPath(const std::filesystem::path& path);

} // namespace dormer::report
