// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/launch_filter.h"

#include <QStringList>

namespace dormer::ui::sessions {
namespace {

/// One bit per word for which `found` holds.
template <typename Found>
std::uint64_t wordsThat(const std::vector<session::NameFilter>& words, Found found) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (found(words[i])) bits |= std::uint64_t{1} << i;
    return bits;
}

} // namespace

void LaunchFilter::setText(const QString& text) {
    m_text = text;
    m_words.clear();
    m_where.reset();
    m_problem.clear();
    m_kernels.clear();
    if (const std::string typed = text.toStdString(); filter::isExpression(typed)) {
        auto where = filter::Where::parse(typed);
        if (where)
            m_where = std::move(*where);
        else
            m_problem = QString::fromStdString(where.error().message);
        return;
    }
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts).mid(0, 64))
        m_words.push_back(session::NameFilter::typed(word.toStdString()));
}

bool LaunchFilter::accepts(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) const {
    if (m_where) return m_where->accepts(diagnosis, launch);
    return m_words.empty() || findsWords(diagnosis.session(), launch);
}

bool LaunchFilter::findsWords(const session::Session& session, session::LaunchIndex index) const {
    const session::Launch& launch = session.launch(index);
    auto kernel = m_kernels.find(launch.kernel);
    if (kernel == m_kernels.end()) {
        const std::string& name = session.kernelOf(index).name;
        const std::uint64_t found =
            wordsThat(m_words, [&](const session::NameFilter& word) { return word.matches("", name); });
        kernel = m_kernels.emplace(launch.kernel, found).first;
    }
    const std::uint64_t all =
        m_words.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_words.size()) - 1;
    if (kernel->second == all) return true;
    return (kernel->second | wordsThat(m_words, [&](const session::NameFilter& word) {
                return word.matches(launch.workload) || word.matches(launch.nvtx);
            })) == all;
}

} // namespace dormer::ui::sessions
