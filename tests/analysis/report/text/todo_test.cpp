// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/kernel_rows.h"
#include "analysis/view/recommendations.h"
#include "analysis/view/text.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/line_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/report_text.h"
#include "tests/support/sample_session.h"
#include "tests/support/source_session.h"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace dormer::diagnosis;

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::view;
using dormer::tests::occurrences;
using dormer::tests::sessionJson;

TEST_CASE("the terminal has the largest gains first, with where and what to change", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const std::vector<ToDo> list = diagnosis.toDoList();
    REQUIRE(list.size() > 3);
    const std::string text = toDoTableText(diagnosis, 3);
    std::istringstream in(text);
    std::string line;
    REQUIRE(std::getline(in, line));
    CHECK(line == "Recommendations, by estimated time saved:");
    std::size_t at = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t found = text.find(list[i].subject + ": " + list[i].finding.title, at);
        REQUIRE(found != std::string::npos);
        at = found;
    }
    const auto open = static_cast<std::size_t>(
        std::ranges::count_if(list, [](const ToDo& each) { return each.gainNs.has_value(); }));
    if (open > 3)
        CHECK(text.find("    " + std::to_string(open - 3) + " more in the JSON\n") != std::string::npos);
    CHECK(text.find(std::to_string(list.size() - open) + " findings without estimated savings: ") !=
          std::string::npos);
    CHECK(text.find("Collected without --lines: with it recommendations name their source lines.") !=
          std::string::npos);
    while (std::getline(in, line))
        CHECK(displayWidth(line) <= 140);

    const Session withSource = dormer::tests::sourceSession();
    const std::string placed = toDoTableText(Diagnosis(withSource));
    CHECK(placed.find(" at transpose.cu:12\n") != std::string::npos);
    CHECK(placed.find("--lines") == std::string::npos);
}

TEST_CASE("nothing to do is said plainly", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    session.apply(Launch{});
    session.apply(LaunchCounters{0, {{"a.sum", 1}}, true});
    const Diagnosis diagnosis(session);
    REQUIRE(diagnosis.toDoList().empty());
    CHECK(toDoTableText(diagnosis) == std::string(kNoRecommendations) + "\n");
    CHECK(toDoMarkdownText(diagnosis).find(kNoRecommendations) != std::string::npos);
    CHECK(htmlReport(diagnosis, "x").find("<p>" + std::string(kNoRecommendations)) != std::string::npos);
    const Session empty;
    CHECK(toDoTableText(Diagnosis(empty)).empty()); // it ran nothing: that is said elsewhere
}

TEST_CASE("the page begins with the list, each item leading to kernel and line", "[report]") {
    const Session session = dormer::tests::sourceSession();
    const std::string html = htmlReport(Diagnosis(session), "source");
    const std::size_t list = html.find("<ol class=\"todo\"");
    REQUIRE(list != std::string::npos);
    CHECK(list < html.find("class=\"charts\""));
    CHECK(list < html.find("<article"));
    CHECK(html.find("<strong>Shared-memory bank conflicts</strong> in <a href=\"#k0\">", list) !=
          std::string::npos);
    CHECK(html.find(" at <a class=\"place\" href=\"#k0-f0-12\">transpose.cu:12</a>", list) !=
          std::string::npos);
    // The kernel's card has the same place.
    CHECK(occurrences(html, "href=\"#k0-f0-12\"") >= 2);
}

TEST_CASE("JSON has the list, and the places of each finding", "[report]") {
    const Session session = dormer::tests::sourceSession();
    const Diagnosis diagnosis(session);
    const nlohmann::json document = sessionJson(diagnosis);
    REQUIRE_FALSE(document["todo"].empty());
    const auto conflicts = std::ranges::find_if(document["todo"], [](const nlohmann::json& item) {
        return item["finding"]["title"] == "Shared-memory bank conflicts";
    });
    REQUIRE(conflicts != document["todo"].end());
    CHECK((*conflicts)["launch"] == 0);
    CHECK((*conflicts)["launches"] == 1);
    const nlohmann::json place = (*conflicts)["finding"]["places"][0];
    CHECK(place["file"] == dormer::tests::kTransposePath);
    CHECK(place["line"] == 12);
    CHECK(place["place"] == "transpose.cu:12");
    CHECK(place["pc"] == 110);
    CHECK(place["chain"].is_null());
    CHECK(place["share"].get<double>() == Approx(1));
    CHECK(place["what"].get<std::string>().find("32 wavefronts") != std::string::npos);
    // The same finding stands in the launch.
    bool inLaunch = false;
    for (const nlohmann::json& finding : document["launches"][0]["findings"])
        inLaunch |= finding == (*conflicts)["finding"];
    CHECK(inLaunch);
    CHECK_FALSE(sweepsDocument(diagnosis).contains("todo"));
    CHECK_FALSE(transfersDocument(diagnosis).contains("todo"));
    const nlohmann::json lines = sessionJson(diagnosis, true)["launches"][0]["lines"];
    CHECK(lines[2]["lanes"].get<std::string>().starts_with("0,128,256,"));
    CHECK(lines[0]["lanes"].is_null());
}

TEST_CASE("hostile names in the list stay text", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const Diagnosis diagnosis(session);
    const std::string text = toDoTableText(diagnosis) + toDoMarkdownText(diagnosis);
    CHECK(text.find('\x1b') == std::string::npos);
    const std::string markdown = toDoMarkdownText(diagnosis);
    for (std::size_t at = markdown.find('<'); at != std::string::npos; at = markdown.find('<', at + 1))
        CHECK(markdown[at - 1] == '\\');
}
