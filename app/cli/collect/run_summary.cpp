// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/run_summary.h"

#include "analysis/view/transfers.h"
#include "app/cli/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dormer::cli {

namespace {

constexpr std::size_t kMaxKernelsNamed = 20;

std::string plural(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : noun.ends_with('h') ? "es" : "s");
}

} // namespace

std::string keptText(const session::Session& session, std::size_t launches, const std::string& file) {
    const std::string seen = session.launches().empty() ? view::transfersSeen(session) : std::string();
    if (seen.empty()) return keptText(launches, file);
    return file.empty() ? fmt::format("no kernel launches; {}; not saved (use -o FILE.dormer)", seen)
                        : fmt::format("no kernel launches; {}; saved to {}", seen, file);
}

std::string keptText(std::size_t launches, const std::string& file) {
    if (!file.empty()) return plural(launches, "launch") + " saved to " + file;
    if (launches == 0) return "no launch had finished";
    return plural(launches, "launch") + " finished, not saved (use -o FILE.dormer)";
}

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
        fmt::format("no kernels were profiled: {} seen, none counted", plural(launches.size(), "launch"))};
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxKernelsNamed); ++i)
        lines.push_back(fmt::format("  {} x {}", groups[i].second, groups[i].first));
    if (groups.size() > kMaxKernelsNamed)
        lines.push_back(fmt::format("  and {} more", groups.size() - kMaxKernelsNamed));
    return lines;
}

std::string verifyText(const std::vector<verdict::Answer>& answers) {
    std::size_t width = 0;
    for (const verdict::Answer& answer : answers)
        width = std::max(width, answer.workload.size());
    std::string text;
    // What broke comes last, where it is seen.
    for (const bool held : {true, false})
        for (const verdict::Answer& answer : answers)
            if (answer.held == held)
                text += oneLine(fmt::format("{}  {:<{}}  {}  ({})", held ? "PASS" : "FAIL", answer.workload,
                                            width, answer.what, answer.reported)) +
                        "\n";
    return text;
}

} // namespace dormer::cli
