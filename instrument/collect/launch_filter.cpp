// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/launch_filter.h"

#include "analysis/base/glob.h"
#include "instrument/collect/filter_question.h"

#include <fmt/format.h>

namespace dormer::instrument::collect {

namespace {

session::LaunchSignature signatureOf(const LaunchCall& call) {
    return {.kernel = reinterpret_cast<std::uintptr_t>(call.function),
            .workload = call.workload,
            .grid = call.grid,
            .block = call.block,
            .dynamicSharedBytes = call.dynamicSharedBytes};
}

} // namespace

std::optional<bool> LaunchFilter::keeps(const LaunchCall& call) {
    const auto [entry, isNew] = m_kept.try_emplace({call.workload, call.mangledName}, false);
    if (isNew) {
        const std::optional<bool> answer = keptByLauncher(call.workload, demangled(call.mangledName));
        if (!answer) {
            m_kept.erase(entry);
            return {};
        }
        entry->second = *answer;
    }
    return entry->second;
}

std::string LaunchFilter::whyNotCounted(const LaunchCall& call) {
    if (m_options.counterSet == "none") return "timing only (--set none)";
    if (!m_options.kernels.empty()) {
        const std::optional<bool> kept = keeps(call);
        if (!kept) return "the launcher did not say whether it matches --kernels " + m_options.kernels;
        if (!*kept) return "its name does not match --kernels " + m_options.kernels;
    }
    if (!m_options.nvtx.empty() && !base::globMatches(m_options.nvtx, call.nvtx))
        return "its NVTX range does not match --nvtx " + m_options.nvtx;
    if (m_options.launches && ++m_countedOfSignature[signatureOf(call)] > *m_options.launches)
        return fmt::format("--launches {}: that many launches like it were already counted",
                           *m_options.launches);
    return {};
}

} // namespace dormer::instrument::collect
