// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/session_hub.h"

#include <type_traits>
#include <utility>

namespace dormer::ui::sessions {

SessionHub::SessionHub(QObject* parent)
    : QObject(parent)
    , m_session(std::make_unique<session::Session>())
    , m_metrics(std::make_unique<metrics::MetricEvaluator>(*m_session)) {}

SessionHub::~SessionHub() = default;

void SessionHub::setSession(session::Session session) {
    // The evaluator refers to the session, so it goes first and comes back last.
    m_metrics.reset();
    m_session = std::make_unique<session::Session>(std::move(session));
    m_metrics = std::make_unique<metrics::MetricEvaluator>(*m_session);
    m_verdicts.clear();
    const bool hadSelection = m_selected.has_value();
    m_selected.reset();
    emit sessionReset();
    if (hadSelection) emit selectionChanged();
}

void SessionHub::apply(const session::Record& record, std::uint32_t process) {
    const std::size_t notesBefore = m_session->notes().size();
    const std::optional<session::LaunchIndex> changed = m_session->apply(record, process);
    if (changed) {
        if (session::raw(*changed) < m_verdicts.size()) m_verdicts[session::raw(*changed)].reset();
        emit launchChanged(*changed);
    }
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

    const bool context = std::visit(
        []<typename T>(const T&) {
            return std::is_same_v<T, session::ProcessStart> || std::is_same_v<T, session::ProcessEnd> ||
                   std::is_same_v<T, session::Device> || std::is_same_v<T, session::MeasuredCeiling>;
        },
        record);
    if (context) {
        // Ceilings may have moved under every launch.
        m_verdicts.clear();
        emit contextChanged();
    }
}

const verdict::Verdict& SessionHub::verdict(session::LaunchIndex launch) const {
    const std::size_t index = session::raw(launch);
    if (index >= m_verdicts.size()) m_verdicts.resize(m_session->launches().size());
    std::optional<verdict::Verdict>& kept = m_verdicts[index];
    if (!kept) kept = verdict::judge(*m_metrics, launch);
    return *kept;
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
