// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/run_comparison.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace dormer::ui::sessions {
namespace {

constexpr int kGatherMs = 100;

} // namespace

RunComparison::RunComparison(SessionHub& hub, QObject* parent) : QObject(parent), m_hub(hub) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kGatherMs);
    connect(&m_timer, &QTimer::timeout, this, &RunComparison::flush);
    const auto later = [this] {
        if (m_hub.baseline() != nullptr && !m_timer.isActive()) m_timer.start();
    };
    connect(&hub, &SessionHub::launchChanged, this, later);
    connect(&hub, &SessionHub::contextChanged, this, later);
    connect(&hub, &SessionHub::sessionReset, this, [this] {
        // Nothing of what is gone may be shown; told later, since views that hear of the reset after us still
        // hold launches of the session before.
        m_changes.reset();
        m_timer.setInterval(kGatherMs);
        QMetaObject::invokeMethod(this, &RunComparison::flush, Qt::QueuedConnection);
    });
    connect(&hub, &SessionHub::baselineChanged, this, [this] {
        m_timer.setInterval(kGatherMs);
        flush();
    });
}

const compare::KernelChange* RunComparison::changeOf(session::LaunchIndex launch) const {
    return m_changes ? m_changes->ofGroup(m_hub.diagnosis().groupOf(launch)) : nullptr;
}

void RunComparison::flush() {
    m_timer.stop();
    m_changes.reset();
    const diagnosis::Diagnosis* baseline = m_hub.baseline();
    if (baseline != nullptr && !baseline->groups().empty() && !m_hub.diagnosis().groups().empty()) {
        QElapsedTimer cost;
        cost.start();
        m_changes = compare::runChanges(*baseline, m_hub.diagnosis());
        m_timer.setInterval(std::max(kGatherMs, static_cast<int>(4 * cost.elapsed())));
    }
    if (std::exchange(m_told, m_changes.has_value()) || m_changes) emit changed();
}

} // namespace dormer::ui::sessions
