// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "instrument/launch/live_fold.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace dormer::ui::sessions {

/// A source line, or an instruction where the line is not known, that somebody wants to see.
struct SourcePlace {
    std::string file; ///< as in LineCounts; empty: not known
    std::uint32_t line = 0;
    std::uint64_t pc = 0;
};
[[nodiscard]] SourcePlace placeOf(const findings::FindingPlace& place);

/// The session on screen and the one selection all views share. Views read the session from here, follow its
/// signals and never change it; records come in through apply(). Lives on the GUI thread.
class SessionHub : public QObject {
    Q_OBJECT
public:
    explicit SessionHub(QObject* parent = nullptr);
    ~SessionHub() override;

    /// Replaces the whole session (a file was opened, or a new collection starts with an empty one).
    void setSession(session::Session session);
    /// An empty session for a new run; what was on screen becomes its baseline, unless nothing was launched
    /// there.
    void startAgain();
    /// An earlier run to compare with; none removes it.
    void setBaseline(std::optional<session::Session> session);
    /// Null without one.
    [[nodiscard]] const diagnosis::Diagnosis* baseline() const { return m_baseline.diagnosis.get(); }
    /// Folds one live or replayed record in and signals what changed.
    void apply(const session::Record& record, std::uint32_t process = 0);
    /// More launches ran than the session is to hold: they count with one that it has.
    void fold(const instrument::launch::FoldedLaunches& more);

    [[nodiscard]] const session::Session& session() const { return *m_session; }
    /// Of the session as it is now: keep no reference beyond the next record.
    [[nodiscard]] const diagnosis::Diagnosis& diagnosis() const { return *m_diagnosis; }
    [[nodiscard]] const metrics::MetricEvaluator& metrics() const { return m_diagnosis->metrics(); }
    [[nodiscard]] const verdict::Verdict& verdict(session::LaunchIndex launch) const {
        return m_diagnosis->verdict(launch);
    }

    [[nodiscard]] std::optional<session::LaunchIndex> selected() const { return m_selected; }
    void select(std::optional<session::LaunchIndex> launch);
    /// Selects the launch and asks whoever shows source to go to the place.
    void show(session::LaunchIndex launch, const SourcePlace& place);

signals:
    /// Everything is new: rebuild.
    void sessionReset();
    /// There is another baseline, or none any more.
    void baselineChanged();
    /// A launch appeared or its duration or counters changed.
    void launchChanged(session::LaunchIndex launch);
    void selectionChanged();
    /// A place in the code of the selected launch's kernel is to be seen.
    void placeAsked(const SourcePlace& place);
    void progressChanged(const session::Progress& progress);
    void noteAdded(const session::Note& note);
    /// A process, device or measured ceiling came in: roofs and provenance may differ now.
    void contextChanged();
    /// A workload, sweep, transfer or call for memory came in.
    void suiteChanged();

private:
    std::unique_ptr<session::Session> m_session;
    std::unique_ptr<diagnosis::Diagnosis> m_diagnosis;
    std::optional<session::LaunchIndex> m_selected;
    struct {
        std::unique_ptr<session::Session> session;
        std::unique_ptr<diagnosis::Diagnosis> diagnosis; ///< refers to the session
    } m_baseline;
};

} // namespace dormer::ui::sessions
