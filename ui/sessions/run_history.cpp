// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/run_history.h"

namespace dormer::ui::sessions {

bool RunHistory::isAgain(const Run& run) const {
    return m_current && m_runs[*m_current].program == run.program && !m_runs[*m_current].set.isEmpty();
}

void RunHistory::begin(Run run, bool again) {
    if (!again)
        m_baseline.reset();
    else if (m_current && m_runs[*m_current].launches > 0)
        m_baseline = m_current;
    m_runs.push_back(std::move(run));
    m_current = m_runs.size() - 1;
    emit changed();
}

void RunHistory::conclude(std::size_t launches, double kernelNs) {
    if (!m_current) return;
    m_runs[*m_current].launches = launches;
    m_runs[*m_current].kernelNs = kernelNs;
    emit changed();
}

void RunHistory::setBaseline(std::optional<std::size_t> run) {
    m_baseline = run;
    emit changed();
}

} // namespace dormer::ui::sessions
