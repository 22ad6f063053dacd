// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/session_hub.h"

#include <type_traits>
#include <utility>

namespace dormer::ui::sessions {

SourcePlace placeOf(const findings::FindingPlace& place) {
    return {place.file, place.line, place.pc};
}

SessionHub::SessionHub(QObject* parent)
    : QObject(parent)
    , m_session(std::make_unique<session::Session>())
    , m_diagnosis(std::make_unique<diagnosis::Diagnosis>(*m_session)) {}

SessionHub::~SessionHub() = default;

void SessionHub::setSession(session::Session session) {
    // The diagnosis refers to the session, so it goes first and comes back last.
    m_diagnosis.reset();
    m_session = std::make_unique<session::Session>(std::move(session));
    m_diagnosis = std::make_unique<diagnosis::Diagnosis>(*m_session);
    const bool hadSelection = m_selected.has_value();
    m_selected.reset();
    emit sessionReset();
    if (hadSelection) emit selectionChanged();
}

void SessionHub::startAgain() {
    const bool kept = !m_session->launches().empty();
    if (kept) {
        m_baseline.diagnosis = std::move(m_diagnosis);
        m_baseline.session = std::move(m_session);
    }
    setSession({});
    if (kept) emit baselineChanged();
}

void SessionHub::setBaseline(std::optional<session::Session> session) {
    m_baseline.diagnosis.reset();
    m_baseline.session.reset();
    if (session) {
        m_baseline.session = std::make_unique<session::Session>(std::move(*session));
        m_baseline.diagnosis = std::make_unique<diagnosis::Diagnosis>(*m_baseline.session);
    }
    emit baselineChanged();
}

void SessionHub::apply(const session::Record& record, std::uint32_t process) {
    const std::size_t notesBefore = m_session->notes().size();
    const std::optional<session::LaunchIndex> changed = m_session->apply(record, process);
    const bool context = m_diagnosis->follow(record, changed);
    if (changed) emit launchChanged(*changed);
    // A record that refers to something unknown becomes a note too, so the session is asked, not the record.
    for (std::size_t i = notesBefore; i < m_session->notes().size(); ++i) {
        const session::Note note = m_session->notes()[i];
        emit noteAdded(note);
    }
    if (const auto* progress = std::get_if<session::Progress>(&record)) emit progressChanged(*progress);

    const bool suite = std::visit(
        []<typename T>(const T&) {
            return std::is_same_v<T, session::Workload> || std::is_same_v<T, session::Sweep> ||
                   std::is_same_v<T, session::Transfer> || std::is_same_v<T, session::MemoryCall>;
        },
        record);
    if (suite) emit suiteChanged();

    if (context) emit contextChanged();
}

void SessionHub::fold(const instrument::launch::FoldedLaunches& more) {
    const std::optional<session::LaunchIndex> kept = m_session->apply(more.kept, more.process);
    if (!kept) return;
    m_diagnosis->fold(*kept, {more.launches, more.ns});
    emit launchChanged(*kept);
}

void SessionHub::select(std::optional<session::LaunchIndex> launch) {
    if (launch && session::raw(*launch) >= m_session->launches().size()) launch.reset();
    if (launch == m_selected) return;
    m_selected = launch;
    emit selectionChanged();
}

void SessionHub::show(session::LaunchIndex launch, const SourcePlace& place) {
    select(launch);
    if (m_selected == launch) emit placeAsked(place);
}

} // namespace dormer::ui::sessions
