// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/cases_page.h"

#include "analysis/lines/line_class.h"
#include "analysis/session/user_line.h"
#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace dormer::tests {

using namespace findings;

using namespace lines;

using namespace session;

using namespace store;

namespace {

constexpr std::string_view kMark = "<!-- dormer_", kFence = "```\n";

/// "32 wavefronts (ideal 2)", of one request on average.
std::string amountText(const LineCounts& counts) {
    const bool shared = counts.wavefronts.has_value();
    const auto each = [&](const std::optional<std::uint64_t>& sum) {
        return fmt::format("{:.4g}",
                           static_cast<double>(sum.value_or(0)) / static_cast<double>(*counts.executions));
    };
    const std::string actual = each(shared ? counts.wavefronts : counts.sectors),
                      ideal = each(shared ? counts.wavefrontsIdeal : counts.sectorsIdeal);
    return fmt::format("{} {}{}", actual, shared ? "wavefront" : "sector", actual == "1" ? "" : "s") +
           (actual == ideal ? "" : fmt::format(" (ideal {})", ideal));
}

/// The line a user can change: "transpose.cu:54", or "pc 0x110" without line information.
std::string placeOf(const LineCounts& counts) {
    const SourceFrame frame = userFrame(counts);
    if (frame.line == 0) return placeText(counts);
    return fmt::format("{}:{}", frame.file.substr(frame.file.rfind('/') + 1), frame.line);
}

/// A row for each kind of access of each line, in the order of the source.
std::string linesText(const Case& of) {
    std::vector<SourceLine> lines = sumByLine(of.session, std::span(&of.launch, 1));
    std::ranges::stable_sort(lines, {}, [](const SourceLine& line) {
        return std::pair(userFrame(line.total).line, line.total.pc);
    });
    std::string out;
    std::size_t width = 0;
    for (const SourceLine& line : lines)
        width = std::max(width, placeOf(line.total).size());
    for (const SourceLine& line : lines) {
        std::string place = placeOf(line.total);
        for (const AccessCounts& access : line.accesses) {
            const LineCounts& counts = access.counts;
            if (!counts.sectors && !counts.wavefronts) continue;
            const std::string kind = accessText(counts);
            out += fmt::format("{:{}}  {:14}{:>8} {:8}  {:26}{}\n", place, width, kind, *counts.executions,
                               counts.executions == 1 ? "request" : "requests", amountText(counts),
                               classText(counts));
            place.clear();
        }
    }
    return out;
}

/// By code: which of them wins most is a matter of predicted times.
std::string findingsText(const Case& of) {
    std::string out;
    std::vector<std::string> codes = of.codes();
    codes.erase(std::ranges::unique(codes).begin(), codes.end());
    for (const std::string& code : codes) {
        const Finding& finding = *of.find(code);
        out += fmt::format("\n{}: {}\n{}\n", finding.title, finding.evidence, finding.advice);
        for (const FindingPlace& place : finding.places) {
            out += fmt::format("  {}  {}\n", place.chain.empty() ? place.place : place.chain, place.what);
            if (!place.change.empty()) out += fmt::format("    {}\n", place.change);
        }
    }
    return out.empty() ? "\n(no finding about its accesses, branches or arithmetic)\n" : out;
}

std::string blockOf(const std::string& mark) {
    std::istringstream words(mark.substr(std::string_view("<!-- ").size()));
    std::string program, argument, workload;
    REQUIRE((words >> program >> argument >> workload));
    const Case of = caseOf(program, argument == "-" ? "" : argument, workload);
    std::istringstream text(linesText(of) + findingsText(of));
    std::string out;
    for (std::string line; std::getline(text, line);)
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    return out;
}

} // namespace

std::string withCaseBlocks(const std::string& page) {
    std::string out;
    std::size_t done = 0;
    for (std::size_t mark = page.find(kMark); mark != std::string::npos; mark = page.find(kMark, done)) {
        const std::size_t begin = page.find('\n', mark) + 1;
        CAPTURE(page.substr(mark, begin - mark));
        REQUIRE(page.substr(begin, kFence.size()) == kFence);
        const std::size_t end = page.find(kFence, begin + kFence.size());
        REQUIRE(end != std::string::npos);
        out += page.substr(done, begin + kFence.size() - done) + blockOf(page.substr(mark, begin - mark));
        done = end;
    }
    return out + page.substr(done);
}

} // namespace dormer::tests
