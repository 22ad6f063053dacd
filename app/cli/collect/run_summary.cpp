// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/run_summary.h"

#include "analysis/view/transfers.h"
#include "app/cli/console.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::cli {

namespace {

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
