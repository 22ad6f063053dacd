// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session_text.h"

#include "analysis/view/text.h"
#include "app/cli/by_scope.h"
#include "app/cli/console.h"

#include <nlohmann/json.hpp>

namespace dormer::cli {

namespace {

/// Names in a session are untrusted bytes: what is not UTF-8 is replaced.
std::string text(const nlohmann::json& document) {
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string tables(const diagnosis::Diagnosis& diagnosis, const SessionView& view);

/// The views of a session's processes, NVTX ranges or streams, one below the other.
std::string scopesText(const session::Session& session, SessionView view) {
    const session::Scope by = *std::exchange(view.by, std::nullopt);
    std::string out;
    for (const ScopePart& part : byScope(session, by)) {
        const diagnosis::Diagnosis diagnosis{part.session};
        out += (out.empty() ? "" : "\n") + view::cleanText(part.name) + "\n\n" + tables(diagnosis, view);
    }
    return out;
}

std::string tables(const diagnosis::Diagnosis& diagnosis, const SessionView& view) {
    if (view.by) return scopesText(diagnosis.session(), view);
    if (view.sweep) {
        if (view.format == "json") return text(report::sweepsDocument(diagnosis));
        if (view.format == "csv") return report::sweepsCsvText(diagnosis);
        if (view.format == "markdown") return report::sweepsMarkdownText(diagnosis);
        return report::sweepsTableText(diagnosis);
    }
    if (view.transfers) {
        if (view.format == "json") return text(report::transfersDocument(diagnosis));
        if (view.format == "csv") return report::transfersCsvText(diagnosis);
        if (view.format == "markdown") return report::transfersMarkdownText(diagnosis);
        return report::transfersTableText(diagnosis);
    }
    if (view.timeline && view.format == "markdown") return report::timelineMarkdownText(diagnosis);
    if (view.timeline) return report::timelineTableText(diagnosis, static_cast<std::size_t>(terminalWidth()));
    if (view.roofline) return report::rooflineText(diagnosis, static_cast<std::size_t>(terminalWidth()));
    if (view.stalls && view.format == "markdown") return report::stallsMarkdownText(diagnosis);
    if (view.stalls) return report::stallsTableText(diagnosis);
    if (view.lines && view.format == "markdown") return report::linesMarkdownText(diagnosis);
    if (view.lines) return report::linesTableText(diagnosis);
    if (view.format == "markdown") return report::markdownText(diagnosis);
    const std::string toDo = report::toDoTableText(diagnosis),
                      table = report::tableText(diagnosis, {.rows = view.mostRows, .width = terminalWidth()});
    if (toDo.empty()) return table;
    return view.toDoLast ? table + '\n' + toDo : toDo + '\n' + table;
}

} // namespace

void writeSession(const diagnosis::Diagnosis& diagnosis, const SessionView& view,
                  const base::TextSink& sink) {
    const bool launches = !view.sweep && !view.transfers;
    if (launches && view.format == "json")
        report::writeJson(diagnosis, {.withLines = view.lines, .indented = true}, sink);
    else if (launches && view.format == "csv" && view.lines)
        report::writeLinesCsv(diagnosis, sink);
    else if (launches && view.format == "csv")
        report::writeCsv(diagnosis, view.wide ? report::CsvForm::Wide : report::CsvForm::Long, sink);
    else
        sink(tables(diagnosis, view));
}

} // namespace dormer::cli
