// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/names/name_filter.h"
#include "analysis/session/session.h"

#include <QString>

#include <unordered_map>
#include <vector>

namespace dormer::ui::sessions {

/// Which launches the filter field lets through: every word must be found in the workload, the NVTX range or
/// the kernel's name, whatever the case. A word is matched as --kernels matches. Kernel names can be long and
/// are searched once each.
class LaunchFilter {
public:
    /// Also forgets what was found in another session.
    void setText(const QString& text);
    void forget() { m_kernels.clear(); }
    [[nodiscard]] const QString& text() const { return m_text; }
    [[nodiscard]] bool active() const { return !m_words.empty(); }
    [[nodiscard]] bool accepts(const session::Session& session, session::LaunchIndex launch) const;

private:
    QString m_text;
    std::vector<session::NameFilter> m_words;
    /// Kernel index -> one bit a word; filters of more than 64 words use the first 64.
    mutable std::unordered_map<std::uint64_t, std::uint64_t> m_kernels;
};

} // namespace dormer::ui::sessions
