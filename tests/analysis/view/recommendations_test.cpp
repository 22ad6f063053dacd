// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/recommendations.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/support/source_session.h"

#include <set>

using namespace dormer::diagnosis;
using namespace dormer::view;

TEST_CASE("a recommendation speaks of its worst line", "[view]") {
    const auto session = dormer::tests::sourceSession();
    const Diagnosis diagnosis(session);
    const std::vector<Recommendation> list = recommendations(diagnosis);
    REQUIRE(list.size() == diagnosis.toDoList().size());
    bool placed = false;
    for (const Recommendation& row : list) {
        const auto& finding = row.item.finding;
        CHECK(row.title == finding.title);
        CHECK(row.advice.ends_with('.'));
        if (finding.places.empty()) {
            CHECK(row.place.empty());
            CHECK(row.evidence == finding.evidence);
            continue;
        }
        placed = true;
        CHECK(row.place == finding.places.front().place);
        CHECK(row.evidence == finding.places.front().what);
        // The advice of the line, where it has one, stands instead of the finding's.
        const std::string& change = finding.places.front().change;
        if (!change.empty()) CHECK(row.advice.find(change.substr(1)) == 1);
    }
    CHECK(placed);
    CHECK(whyNoPlaces(session, list).empty());
}

TEST_CASE("savings of all recommendations have one unit, the largest first", "[view]") {
    const auto session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const std::vector<Recommendation> list = recommendations(diagnosis);
    REQUIRE(list.size() > 3);
    std::set<std::string> units, keys;
    for (const Recommendation& row : list) {
        keys.insert(row.key);
        if (!row.item.gainNs) {
            CHECK(row.savings == "–");
            CHECK(row.share.empty());
            continue;
        }
        CHECK(row.savings.starts_with("−"));
        CHECK(row.share.ends_with(" %"));
        units.insert(row.savings.substr(row.savings.find(' ')));
    }
    CHECK(units.size() == 1);
    CHECK(keys.size() == list.size());

    const Table table = recommendationTable(list);
    REQUIRE(table.rows.size() == list.size());
    CHECK(table.rows[0].key == list[0].key);
    CHECK(table.rows[0].cells[2].text == "vector_sum/uncoalesced");
    CHECK(table.rows[0].cells[4].text == list[0].savings);
    CHECK(table.rows[0].cells[4].value == list[0].item.gainNs);
    CHECK(*table.rows[0].cells[5].bar == Approx(1));
    // Counted without lines: there is no place, and the reason is told.
    CHECK(table.rows[0].cells[3].tooltip.find("counts per line were not collected") != std::string::npos);
    CHECK(whyNoPlaces(session, list).find("--lines") != std::string::npos);
}

TEST_CASE("Findings without savings are folded below the others", "[view]") {
    const auto session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    std::vector<Recommendation> list = recommendations(diagnosis);
    const std::size_t open = openCount(list);
    REQUIRE(open > 0);
    REQUIRE(open < list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
        CHECK(list[i].item.gainNs.has_value() == (i < open));
    const std::string text = foldedText(list);
    CHECK(text.starts_with(std::to_string(list.size() - open) + " finding"));
    CHECK(text.find(list.back().title) != std::string::npos);
    // Where none has savings there is nothing to fold them under.
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(open));
    CHECK(openCount(list) == list.size());
    CHECK(foldedText(list).empty());
    CHECK(foldedText({}).empty());
}

TEST_CASE("After a failed run nothing is concluded from silence", "[view]") {
    using namespace dormer::session;
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    session.apply(Launch{});
    CHECK(noRecommendations(session) == "No recommendations: no launch has counters.");
    session.apply(LaunchCounters{0, {{"a.sum", 1}}, true});
    CHECK(noRecommendations(session) == kNoRecommendations);
    ProcessEnd end;
    end.exitCode = 1;
    session.apply(end);
    CHECK(noRecommendations(session).find("failed with exit code 1") != std::string::npos);
    CHECK(whyNoPlaces(session, {}).empty());
}
