// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metric.h"
#include "analysis/verdict.h"

#include <QObject>

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace dormer::ui {

/// A source line, or an instruction where the line is not known, that somebody wants to see.
struct SourcePlace {
    std::string file; ///< as in LineCounts; empty: not known
    std::uint32_t line = 0;
    std::uint64_t pc = 0;
};

/// The session on screen and the one selection all views share. Views read the session from here, follow its
/// signals and never change it; records come in through apply(). Lives on the GUI thread.
class SessionHub : public QObject {
    Q_OBJECT
public:
    explicit SessionHub(QObject* parent = nullptr);
    ~SessionHub() override;

    /// Replaces the whole session (a file was opened, or a new collection starts with an empty one).
    void setSession(analysis::Session session);
    /// Folds one live or replayed record in and signals what changed.
    void apply(const analysis::Record& record, std::uint32_t process = 0);

    [[nodiscard]] const analysis::Session& session() const { return *m_session; }
    [[nodiscard]] const analysis::MetricEvaluator& metrics() const { return *m_metrics; }
    /// Verdict of a launch, judged once and kept until its counters change.
    [[nodiscard]] const analysis::Verdict& verdict(analysis::LaunchIndex launch) const;

    [[nodiscard]] std::optional<analysis::LaunchIndex> selected() const { return m_selected; }
    void select(std::optional<analysis::LaunchIndex> launch);
    /// Selects the launch and asks whoever shows source to go to the place.
    void show(analysis::LaunchIndex launch, const SourcePlace& place);

signals:
    /// Everything is new: rebuild.
    void sessionReset();
    /// A launch appeared or its duration or counters changed.
    void launchChanged(dormer::analysis::LaunchIndex launch);
    void selectionChanged();
    /// A place in the code of the selected launch's kernel is to be seen.
    void placeAsked(const dormer::ui::SourcePlace& place);
    void progressChanged(const dormer::analysis::Progress& progress);
    void noteAdded(const dormer::analysis::Note& note);
    /// A process, device or measured ceiling came in: roofs and provenance may differ now.
    void contextChanged();
    /// A workload, sweep, transfer or call for memory came in.
    void suiteChanged();

private:
    std::unique_ptr<analysis::Session> m_session;
    std::unique_ptr<analysis::MetricEvaluator> m_metrics;
    /// A deque keeps references handed out by verdict() valid while the session grows.
    mutable std::deque<std::optional<analysis::Verdict>> m_verdicts;
    std::optional<analysis::LaunchIndex> m_selected;
};

} // namespace dormer::ui
