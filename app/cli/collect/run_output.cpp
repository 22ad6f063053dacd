// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/run_output.h"

#include "app/cli/console.h"
#include "app/cli/session_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dormer::cli {

namespace {

/// Of a long run the end of the table should still be on the screen, and its beginning near.
constexpr std::size_t kMostRowsAfterRun = 60;

} // namespace

RunOutput::RunOutput(RunOutputOptions options)
    : m_options(std::move(options))
    , m_progress(m_options.progress && !m_options.topKernels && !m_options.quiet, m_options.terminal,
                 m_options.workloads)
    , m_top(m_options.topKernels && !m_options.quiet, m_options.terminal) {}

void RunOutput::clearScreen() {
    m_progress.clear();
    m_top.clear();
}

bool RunOutput::onRecord(const session::Record& record, std::uint32_t process) {
    if (const auto* progress = std::get_if<session::Progress>(&record)) {
        showProgress(*progress);
        return !m_readerGone;
    }
    // What lists each launch needs each; a table needs sums of those that repeat themselves.
    const bool isTable = m_options.format == "table" || m_options.format == "markdown";
    if (isTable && m_fold.absorbs(record, process)) {
        if (m_top.due()) addFolded();
        m_top.update(m_diagnosis);
        return true;
    }
    const std::optional<session::LaunchIndex> changed = m_session.apply(record, process);
    m_diagnosis.follow(record, changed);
    m_top.update(m_diagnosis);
    showNewNotes();
    if (changed) {
        const session::Launch& launch = m_session.launch(*changed);
        m_progress.workloadSeen(launch.workload);
        // Complete: its counters are here, or it is known that none will come.
        const bool complete = launch.counted || !launch.notCounted.empty() || m_options.timingOnly;
        const bool linesDue = m_options.lines && m_session.lines(*changed).empty();
        if (complete && !linesDue) showLaunch(*changed);
    }
    return !m_readerGone;
}

void RunOutput::addFolded() {
    for (const instrument::launch::FoldedLaunches& each : m_fold.take())
        if (const auto kept = m_session.apply(each.kept, each.process))
            m_diagnosis.fold(*kept, {each.launches, each.ns});
    if (const auto note = m_fold.note()) m_session.apply(*note);
}

void RunOutput::showProgress(const session::Progress& progress) {
    if (const double seconds = m_progress.secondsInAll(progress);
        seconds > 0 && !m_estimateShown && !m_options.quiet) {
        m_estimateShown = true;
        clearScreen();
        say(fmt::format("{} replay passes, {} in total", progress.passes, roughly(seconds)));
    }
    m_progress.update(progress);
}

void RunOutput::showLaunch(session::LaunchIndex launch) {
    if (m_options.format != "jsonl" || m_readerGone) return;
    m_shown.resize(m_session.launches().size(), false);
    if (m_shown[session::raw(launch)]) return;
    m_shown[session::raw(launch)] = true;
    clearScreen();
    const std::string line = report::launchJson(m_diagnosis, launch, m_options.lines)
                                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    m_readerGone = !print(line + "\n");
}

void RunOutput::showNewNotes() {
    for (const std::string& text : m_notes.fresh(m_session)) {
        if (m_options.quiet) continue;
        clearScreen();
        say("note: " + text);
    }
}

std::size_t RunOutput::finishedLaunches() const {
    std::size_t finished = 0;
    for (const session::Launch& launch : m_session.launches())
        finished +=
            launch.counted || (launch.durationNs && (m_options.timingOnly || !launch.notCounted.empty() ||
                                                     m_session.processes()[launch.process].bySignature));
    return finished + m_fold.folded();
}

/// JSON also tells of a run that launched nothing.
bool RunOutput::hasResults() const {
    if (m_options.format == "json") return !m_session.processes().empty();
    if (m_options.sweep) return !metrics::sweepTables(m_diagnosis.metrics()).empty();
    return !m_session.launches().empty() || !m_session.transfers().empty() ||
           !m_session.memoryCalls().empty();
}

void RunOutput::finish() {
    addFolded();
    showNewNotes();
    clearScreen();
    for (std::uint32_t i = 0; i < m_session.launches().size(); ++i)
        showLaunch(session::LaunchIndex{i});
    if (m_options.format != "jsonl" && hasResults()) {
        const SessionView view{.format = m_options.format,
                               .lines = m_options.format == "json" && m_options.lines,
                               .sweep = m_options.sweep,
                               .mostRows = kMostRowsAfterRun,
                               .toDoLast = true};
        m_readerGone = !print([&](const base::TextSink& sink) { writeSession(m_diagnosis, view, sink); });
    }
}

} // namespace dormer::cli
