// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/nothing_counted.h"

#include "analysis/view/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dormer::instrument::request {

namespace {

constexpr std::size_t kMaxKernelsNamed = 20;

} // namespace

std::vector<std::string> whyNothingWasCounted(const session::Session& session) {
    const auto& launches = session.launches();
    // Where a program is sampled, its launches' times are a result already.
    if (std::ranges::any_of(launches, [&](const session::Launch& launch) {
            return launch.counted ||
                   (launch.notCounted.empty() && session.processes()[launch.process].bySignature);
        }))
        return {};
    if (launches.empty()) {
        // The transfers alone may have been requested, unless the emulator had to refuse something.
        const bool refused = std::ranges::any_of(
            session.notes(), [](const session::Note& note) { return note.code.starts_with("emulator-"); });
        if (!refused && !view::transfersSeen(session).empty()) return {};
        std::string first = "no kernels were profiled: the target launched none";
        if (!session.processes().empty() && !session.processes().front().program.empty())
            first += fmt::format(" (process {}, {})", session.processes().front().pid,
                                 session.processes().front().program);
        return {first};
    }
    // Kernel and reason, in order of first launch.
    std::vector<std::pair<std::string, std::size_t>> groups;
    std::map<std::string, std::size_t> places;
    for (std::uint32_t i = 0; i < launches.size(); ++i) {
        const session::LaunchIndex index{i};
        const session::Launch& launch = launches[i];
        std::string text = session::shortKernelName(session.kernelOf(index).name);
        if (!launch.workload.empty()) text += " of " + launch.workload;
        const session::Process& process = session.processes()[launch.process];
        text += fmt::format(" (process {}): {}", process.pid,
                            launch.notCounted.empty() ? "its counters never arrived" : launch.notCounted);
        const auto [entry, isNew] = places.emplace(text, groups.size());
        if (isNew) groups.emplace_back(text, 0);
        ++groups[entry->second].second;
    }
    std::vector<std::string> lines{
        fmt::format("no kernels were profiled: {} seen, none counted",
                    launches.size() == 1 ? "1 launch" : fmt::format("{} launches", launches.size()))};
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxKernelsNamed); ++i)
        lines.push_back(fmt::format("  {} x {}", groups[i].second, groups[i].first));
    if (groups.size() > kMaxKernelsNamed)
        lines.push_back(fmt::format("  and {} more", groups.size() - kMaxKernelsNamed));
    return lines;
}

} // namespace dormer::instrument::request
