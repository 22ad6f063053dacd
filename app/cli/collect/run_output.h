// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/diagnosis/diagnosis.h"
#include "app/cli/collect/progress_line.h"
#include "app/cli/collect/top_kernels.h"
#include "instrument/launch/collection.h"
#include "instrument/launch/live_fold.h"

#include <optional>

namespace dormer::cli {

/// How `run` shows a collection, and where it keeps it.
struct RunOutputOptions {
    std::string format = "table"; ///< jsonl: one launch a line, the moment it is complete
    bool quiet = false;           ///< no notes and no progress on stderr
    bool progress = false;
    bool topKernels = false; ///< the kernels that take most time, instead of how far it is
    bool terminal = false;   ///< stderr is one
    std::size_t workloads = 0;
    bool timingOnly = false; ///< no counters will follow a launch
    bool lines = false;      ///< counts per instruction belong to a launch
    bool sweep = false;      ///< show sweeps instead of launches
};

/// Takes the records of a collection as they arrive: folds them into the session, prints finished launches
/// and notes. Not movable: the diagnosis looks at the session.
class RunOutput {
public:
    explicit RunOutput(RunOutputOptions options);
    RunOutput(const RunOutput&) = delete;
    RunOutput& operator=(const RunOutput&) = delete;

    /// False when there is no use going on: nobody reads stdout.
    [[nodiscard]] bool onRecord(const session::Record& record, std::uint32_t process);
    /// Prints what is left: launches that never got counters, the table.
    void finish();

    [[nodiscard]] const session::Session& session() const { return m_session; }
    [[nodiscard]] const diagnosis::Diagnosis& diagnosis() const { return m_diagnosis; }
    /// Launches whose numbers are all there.
    [[nodiscard]] std::size_t finishedLaunches() const;
    [[nodiscard]] bool readerGone() const { return m_readerGone; }

private:
    void clearScreen();
    void addFolded();
    void showProgress(const session::Progress& progress);
    void showNewNotes();
    void showLaunch(session::LaunchIndex launch);
    [[nodiscard]] bool hasResults() const;

    RunOutputOptions m_options;
    session::Session m_session;
    diagnosis::Diagnosis m_diagnosis{m_session};
    instrument::launch::LiveFold m_fold;
    ProgressLine m_progress;
    TopKernels m_top;
    std::vector<bool> m_shown; ///< by launch
    instrument::launch::NoteFeed m_notes{true};
    bool m_estimateShown = false;
    bool m_readerGone = false;
};

} // namespace dormer::cli
