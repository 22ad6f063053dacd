// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/launch_filter.h"

#include <QStringList>

namespace dormer::ui::sessions {
namespace {

std::uint64_t wordsIn(const std::string& text, const QStringList& words) {
    if (text.empty()) return 0;
    const QString haystack = QString::fromStdString(text);
    std::uint64_t found = 0;
    for (qsizetype i = 0; i < words.size(); ++i)
        if (haystack.contains(words[i], Qt::CaseInsensitive)) found |= std::uint64_t{1} << i;
    return found;
}

} // namespace

void LaunchFilter::setText(const QString& text) {
    m_text = text;
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts).mid(0, 64);
    m_kernels.clear();
}

bool LaunchFilter::accepts(const session::Session& session, session::LaunchIndex index) const {
    if (m_words.isEmpty()) return true;
    const session::Launch& launch = session.launch(index);
    auto kernel = m_kernels.find(launch.kernel);
    if (kernel == m_kernels.end()) {
        const std::string& name = session.kernelOf(index).name;
        const std::uint64_t found = wordsIn(name, m_words) | wordsIn(session::shortKernelName(name), m_words);
        kernel = m_kernels.emplace(launch.kernel, found).first;
    }
    const std::uint64_t all =
        m_words.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_words.size()) - 1;
    if (kernel->second == all) return true;
    return (kernel->second | wordsIn(launch.workload, m_words) | wordsIn(launch.nvtx, m_words)) == all;
}

} // namespace dormer::ui::sessions
