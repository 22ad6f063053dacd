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

std::string sessionText(const metrics::MetricEvaluator& metrics, const SessionView& view) {
    if (view.sweep) {
        if (view.format == "json") return text(report::sweepsDocument(metrics));
        if (view.format == "csv") return report::sweepsCsvText(metrics);
        if (view.format == "markdown") return report::sweepsMarkdownText(metrics);
        return report::sweepsTableText(metrics);
    }
    if (view.transfers) {
        if (view.format == "json") return text(report::transfersDocument(metrics));
        if (view.format == "csv") return report::transfersCsvText(metrics);
        if (view.format == "markdown") return report::transfersMarkdownText(metrics);
        return report::transfersTableText(metrics);
    }
    if (view.format == "json") return text(report::sessionJson(metrics, view.lines));
    if (view.lines && view.format == "csv") return report::linesCsvText(metrics);
    if (view.lines && view.format == "markdown") return report::linesMarkdownText(metrics);
    if (view.lines) return report::linesTableText(metrics);
    if (view.format == "csv") return report::csvText(metrics);
    if (view.format == "markdown") return report::markdownText(metrics);
    const std::string toDo = report::toDoTableText(metrics),
                      table = report::tableText(metrics, view.mostRows);
    if (toDo.empty()) return table;
    return view.toDoLast ? table + '\n' + toDo : toDo + '\n' + table;
}

} // namespace dormer::cli
