// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/case_session.h"
#include "analysis/diagnosis/diagnosis.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>

namespace dormer::tests {

using namespace findings;

using namespace lines;

using namespace metrics;

using namespace session;

using namespace store;

using namespace verdict;

namespace {

/// Of these there may be more or fewer as the launch is larger or smaller; a case is about something else.
constexpr std::array<std::string_view, 5> kOfSize = {"low-occupancy", "occupancy-gap", "small-grid",
                                                     "partial-wave", "tail-effect"};

const Session& sessionOf(const std::string& program, const std::string& argument,
                         const std::string& counterSet) {
    static std::map<std::array<std::string, 3>, Session> sessions;
    const std::array key{program, argument, counterSet};
    if (!sessions.contains(key)) sessions.emplace(key, collectCase(program, argument, counterSet));
    return sessions.at(key);
}

Counts sumOf(const Case& of, std::string_view space, std::string_view op, int line) {
    LineCounts sum;
    for (const LineCounts& each : of.session.lines(of.launch))
        if (toString(each.space) == space && toString(each.op) == op &&
            (line == 0 || each.line == static_cast<unsigned>(line)))
            addCounts(sum, each);
    return Counts(sum);
}

} // namespace

Counts::Counts(const LineCounts& counts)
    : executions(counts.executions.value_or(0))
    , threads(counts.threads.value_or(0))
    , sectors(counts.sectors.value_or(0))
    , sectorsIdeal(counts.sectorsIdeal.value_or(0))
    , tags(counts.tags.value_or(0))
    , wavefronts(counts.wavefronts.value_or(0))
    , wavefrontsIdeal(counts.wavefrontsIdeal.value_or(0)) {}

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
    return out << "executions " << counts.executions << ", threads " << counts.threads << ", sectors "
               << counts.sectors << " of ideally " << counts.sectorsIdeal << ", tags " << counts.tags
               << ", wavefronts " << counts.wavefronts << " of ideally " << counts.wavefrontsIdeal;
}

double Case::metric(std::string_view name) const {
    const auto value = MetricEvaluator(session).value(launch, name);
    INFO(name);
    REQUIRE(value.has_value());
    return *value;
}

const Finding* Case::find(std::string_view code) const {
    const auto found = std::ranges::find(findings, code, &Finding::code);
    return found == findings.end() ? nullptr : &*found;
}

std::vector<std::string> Case::codes() const {
    std::vector<std::string> codes;
    for (const Finding& finding : findings)
        if (std::ranges::find(kOfSize, finding.code) == kOfSize.end()) codes.push_back(finding.code);
    std::ranges::sort(codes);
    return codes;
}

Counts Case::at(int line, std::string_view space, std::string_view op) const {
    const Counts sum = sumOf(*this, space, op, line);
    INFO("line " << line << ", " << space << ' ' << op);
    REQUIRE(sum.executions > 0);
    return sum;
}

Counts Case::all(std::string_view space, std::string_view op) const {
    return sumOf(*this, space, op, 0);
}

Case caseOf(const std::string& program, const std::string& argument, const std::string& workload,
            const std::string& counterSet) {
    return caseIn(sessionOf(program, argument, counterSet), workload);
}

Case caseIn(const Session& session, const std::string& workload) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const LaunchIndex launch{i};
        if (session.launch(launch).workload != workload) continue;
        const dormer::diagnosis::Diagnosis diagnosis(session);
        return {session, launch, diagnosis.verdict(launch), diagnosis.findings(launch)};
    }
    FAIL("no launch of " << workload);
    return {session, LaunchIndex{0}, {}, {}};
}

int lineOf(const std::string& file, const std::string& text) {
    // Where the tests were built, or the checkout they were carried to.
    std::ifstream source{DORMER_SOURCE_DIR "/tests/cases/" + file};
    if (!source) source.open("tests/cases/" + file);
    INFO(file);
    REQUIRE(source);
    int number = 0;
    int found = 0;
    for (std::string line; std::getline(source, line);) {
        ++number;
        if (line.find(text) == std::string::npos) continue;
        INFO(text << " stands on lines " << found << " and " << number);
        REQUIRE(found == 0);
        found = number;
    }
    INFO(text);
    REQUIRE(found != 0);
    return found;
}

void checkPlaces(const Finding& finding, const std::vector<int>& lines) {
    std::vector<int> places;
    double share = 0;
    for (const FindingPlace& place : finding.places) {
        places.push_back(static_cast<int>(place.line));
        share += place.share;
        CHECK_FALSE(place.what.empty());
    }
    INFO(finding.code << ": " << finding.evidence);
    CHECK(places == lines);
    CHECK(share == Approx(1));
}

} // namespace dormer::tests
