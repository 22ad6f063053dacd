// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/run_comparison.h"

#include <QElapsedTimer>

#include <algorithm>

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
    const auto atOnce = [this] {
        m_timer.setInterval(kGatherMs);
        flush(); // nothing of what is gone may be shown
    };
    connect(&hub, &SessionHub::sessionReset, this, atOnce);
    connect(&hub, &SessionHub::baselineChanged, this, atOnce);
}

const compare::KernelChange* RunComparison::changeOf(session::LaunchIndex launch) const {
    return m_changes ? m_changes->ofGroup(m_hub.diagnosis().groupOf(launch)) : nullptr;
}

void RunComparison::flush() {
    m_timer.stop();
    const bool had = m_changes.has_value();
    m_changes.reset();
    const diagnosis::Diagnosis* baseline = m_hub.baseline();
    if (baseline != nullptr && !baseline->groups().empty() && !m_hub.diagnosis().groups().empty()) {
        QElapsedTimer cost;
        cost.start();
        m_changes = compare::runChanges(*baseline, m_hub.diagnosis());
        m_timer.setInterval(std::max(kGatherMs, static_cast<int>(4 * cost.elapsed())));
    }
    if (had || m_changes) emit changed();
}

} // namespace dormer::ui::sessions
