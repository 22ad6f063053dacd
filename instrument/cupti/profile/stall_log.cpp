// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/profile/stall_log.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::instrument::cupti::profile {

StallLog::StateName StallLog::stateName(std::string_view cupti) {
    constexpr std::string_view kPrefix = "smsp__pcsamp_warps_issue_stalled_", kSuffix = "_not_issued";
    if (cupti.starts_with(kPrefix)) cupti.remove_prefix(kPrefix.size());
    const bool notIssued = cupti.ends_with(kSuffix);
    if (notIssued) cupti.remove_suffix(kSuffix.size());
    return {std::string(cupti), notIssued};
}

void StallLog::add(const Function& function, std::uint64_t pc, const session::WarpStates& states) {
    if (states.states.empty()) return;
    m_untold[function][pc].add(states);
    m_samples += states.samples();
}

void StallLog::add(StallLog more) {
    for (const auto& [function, instructions] : more.m_untold)
        for (const auto& [pc, states] : instructions)
            add(function, pc, states);
    m_dropped += more.m_dropped;
    m_unattributed += more.m_unattributed;
}

std::string StallLog::limitation() const {
    constexpr double kEnough = 0.05;
    const auto all = static_cast<double>(m_samples + m_unattributed);
    const auto left = static_cast<double>(m_unattributed);
    if (left <= kEnough * all) return {};
    return fmt::format(
        "CUPTI told no instruction for {:.0f} % of the samples of warps: they are left out, so "
        "that warps which wait to be selected are too few",
        100 * left / all);
}

std::vector<StallLog::Untold> StallLog::untold() const {
    std::vector<Untold> all;
    for (const auto& [function, instructions] : m_untold) {
        Untold& each = all.emplace_back(function, 0);
        for (const auto& [pc, states] : instructions)
            each.samples += states.samples();
    }
    std::ranges::stable_sort(all, std::greater{}, &Untold::samples);
    return all;
}

std::vector<session::WarpSamples> StallLog::take(const Function& function, std::uint64_t kernel) {
    std::vector<session::WarpSamples> records;
    const auto at = m_untold.find(function);
    if (at == m_untold.end()) return records;
    for (auto& [pc, states] : at->second)
        records.push_back({kernel, pc, std::move(states)});
    m_untold.erase(at);
    return records;
}

} // namespace dormer::instrument::cupti::profile
