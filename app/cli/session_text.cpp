// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session_text.h"

#include <nlohmann/json.hpp>

namespace dormer::cli {

namespace {

/// Names in a session are untrusted bytes: what is not UTF-8 is replaced.
std::string text(const nlohmann::json& document) {
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

} // namespace

std::string sessionText(const analysis::MetricEvaluator& metrics, const SessionView& view) {
    if (view.sweep) {
        if (view.format == "json") return text(analysis::sweepsDocument(metrics));
        if (view.format == "csv") return analysis::sweepsCsvText(metrics);
        if (view.format == "markdown") return analysis::sweepsMarkdownText(metrics);
        return analysis::sweepsTableText(metrics);
    }
    if (view.transfers) {
        if (view.format == "json") return text(analysis::transfersDocument(metrics));
        if (view.format == "csv") return analysis::transfersCsvText(metrics);
        if (view.format == "markdown") return analysis::transfersMarkdownText(metrics);
        return analysis::transfersTableText(metrics);
    }
    if (view.format == "json") return text(analysis::sessionJson(metrics, view.lines));
    if (view.lines && view.format == "csv") return analysis::linesCsvText(metrics);
    if (view.lines && view.format == "markdown") return analysis::linesMarkdownText(metrics);
    if (view.lines) return analysis::linesTableText(metrics);
    if (view.format == "csv") return analysis::csvText(metrics);
    if (view.format == "markdown") return analysis::markdownText(metrics);
    const std::string toDo = analysis::toDoTableText(metrics),
                      table = analysis::tableText(metrics, view.mostRows);
    if (toDo.empty()) return table;
    return view.toDoLast ? table + '\n' + toDo : toDo + '\n' + table;
}

} // namespace dormer::cli
