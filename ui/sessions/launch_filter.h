// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/filter/where.h"
#include "analysis/session/names/name_filter.h"

#include <QString>

#include <optional>
#include <unordered_map>
#include <vector>

namespace dormer::ui::sessions {

/// Which launches the filter field lets through: those that an expression holds for (filter::Where), else
/// those in whose workload, NVTX range or kernel name every word is found, whatever the case. A word is
/// matched as --kernels matches. Kernel names can be long and are searched once each.
class LaunchFilter {
public:
    /// Also forgets what was found in another session. An expression with an error lets all through.
    void setText(const QString& text);
    void forget() { m_kernels.clear(); }
    [[nodiscard]] const QString& text() const { return m_text; }
    /// What is wrong with the expression, in one line; else empty.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] bool active() const { return m_where || !m_words.empty(); }
    /// Whether what it lets through may change while launches are counted.
    [[nodiscard]] bool dependsOnNumbers() const { return m_where.has_value(); }
    [[nodiscard]] bool accepts(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) const;

private:
    [[nodiscard]] bool findsWords(const session::Session& session, session::LaunchIndex launch) const;

    QString m_text, m_problem;
    std::optional<filter::Where> m_where;
    std::vector<session::NameFilter> m_words;
    /// Kernel index -> one bit a word; filters of more than 64 words use the first 64.
    mutable std::unordered_map<std::uint64_t, std::uint64_t> m_kernels;
};

} // namespace dormer::ui::sessions
