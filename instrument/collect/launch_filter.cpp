// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/launch_filter.h"

#include <fmt/format.h>

namespace dormer::instrument::collect {

namespace {

std::string signatureOf(const LaunchCall& call) {
    return fmt::format("{}|{}|{}x{}x{}|{}x{}x{}|{}", call.function, call.workload, call.grid.x, call.grid.y,
                       call.grid.z, call.block.x, call.block.y, call.block.z, call.dynamicSharedBytes);
}

} // namespace

LaunchFilter::LaunchFilter(const stream::CollectOptions& options) : m_options(options) {
    if (m_options.kernels.empty()) return;
    try {
        m_kernels.emplace(m_options.kernels, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
        m_problem = fmt::format("--kernels '{}': invalid regular expression ({}); every kernel is counted",
                                m_options.kernels, error.what());
    }
}

std::string LaunchFilter::whyNotCounted(const LaunchCall& call) {
    if (m_options.counterSet == "none") return "timing only (--set none)";
    if (m_kernels && !std::regex_search(base::demangled(call.mangledName), *m_kernels))
        return "its name does not match --kernels " + m_options.kernels;
    if (!m_options.nvtx.empty() && !globMatches(m_options.nvtx, call.nvtx))
        return "its NVTX range does not match --nvtx " + m_options.nvtx;
    if (m_options.launches && ++m_countedOfSignature[signatureOf(call)] > *m_options.launches)
        return fmt::format("--launches {}: that many launches like it were already counted",
                           *m_options.launches);
    return {};
}

bool globMatches(const std::string& pattern, const std::string& text) {
    // Greedy match with one backtrack point: linear for ordinary patterns, quadratic at worst.
    std::size_t p = 0, t = 0, star = std::string::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
            ++p, ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (star != std::string::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace dormer::instrument::collect
