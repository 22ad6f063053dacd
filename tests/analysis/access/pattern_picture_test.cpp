// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"
#include "analysis/report/svg/pattern_svg.h"
#include "analysis/view/text.h"
#include "tests/support/catch.h"
#include "tests/support/markup_check.h"
#include "tests/support/prose.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>

using namespace dormer;
using namespace dormer::access;
using namespace dormer::view;

namespace {

LanePattern patternOf(const PatternQuestion& question) {
    const auto pattern = lanePattern(question);
    REQUIRE(pattern);
    return *pattern;
}

} // namespace

TEST_CASE("The picture's rows hold every lane once, and the sectors that are moved") {
    const LanePattern strided = patternOf({.expression = "tid*2"});
    const auto rows = pictureRows(strided);
    REQUIRE(rows.size() == 2);
    unsigned lanes = 0;
    for (const PictureRow& row : rows) {
        CHECK(row.moved == 0xF);
        lanes += std::accumulate(row.lanes.begin(), row.lanes.end(), 0U);
        CHECK(row.lanes[1] == 0);
    }
    CHECK(lanes == 32);
    CHECK(rows[1].firstByte == 128);

    const auto before = pictureRows(patternOf({.expression = "tid - 2"}));
    REQUIRE(before.size() == 2);
    CHECK(before[0].firstByte == -128);
    CHECK(before[0].moved == 0x8);
    CHECK(before[0].lanes[30] == 1);

    CHECK(pictureRows(patternOf({.expression = "0"})).front().lanes[0] == 32);
    CHECK(pictureRows(patternOf({.expression = "0", .ccMajor = 5})).front().moved ==
          0xF); // whole lines there
    // 16 bytes are four words.
    CHECK(pictureRows(patternOf({.expression = "0", .active = "lane == 0", .widthBytes = 16}))
              .front()
              .lanes[3] == 1);
}

TEST_CASE("Banks: the words requested from each") {
    const auto rows = pictureRows(patternOf({.expression = "lane*4", .shared = true}));
    const auto words = wordsPerBank(rows);
    for (unsigned bank = 0; bank < 32; ++bank)
        CHECK(words[bank] == (bank % 4 == 0 ? 4U : 0U));
}

TEST_CASE("Headline and advice have the numbers of the access, and ideal ones no advice") {
    const LanePattern good = patternOf({.expression = "tid"});
    CHECK(tests::numbersIn(patternHeadline(good)) == tests::Numbers{4});
    CHECK(tests::numbersIn(patternUse(good)) == tests::Numbers{128, 128, 100});
    CHECK(patternAdvice(good).empty());
    const LanePattern strided = patternOf({.expression = "tid*2"});
    CHECK(tests::numbersIn(patternHeadline(strided)) == tests::Numbers{8, 4, 2});
    CHECK(tests::numbersIn(patternUse(strided)) == tests::Numbers{128, 256, 50});
    CHECK_FALSE(patternAdvice(strided).empty());
    CHECK(tests::numbersIn(patternAdvice(patternOf({.expression = "tid + 1"}))) == tests::Numbers{32});
    const LanePattern column = patternOf({.expression = "tile[lane][0]", .rowElements = 32, .shared = true});
    CHECK(tests::numbersIn(patternHeadline(column)) == tests::Numbers{32, 1, 32});
    CHECK(tests::numbersIn(patternAdvice(column)) == tests::Numbers{33, 32});
    CHECK(
        patternAdvice(patternOf({.expression = "tile[lane][0]", .rowElements = 33, .shared = true})).empty());
    CHECK(patternAdvice(patternOf({.expression = "0"})).empty());
    CHECK(tests::numbersIn(patternHeadline(patternOf({.expression = "tid", .active = "0"}))).empty());
}

TEST_CASE("The text fits a terminal and shows a cell for each touched word") {
    for (const char* expression : {"tid", "tid*2", "0", "lane*lane*37", "tid - 2"}) {
        for (const bool shared : {false, true}) {
            if (shared && std::string_view(expression) == "tid - 2") continue;
            const std::string text = patternText(patternOf({.expression = expression, .shared = shared}));
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                INFO(line);
                CHECK(displayWidth(line) <= 88);
            }
        }
    }
    CHECK(tests::occurrences(patternText(patternOf({.expression = "tid"})), "█") ==
          32 + 1); // and the legend's
    CHECK(tests::occurrences(patternText(patternOf({.expression = "tid*2"})), "·") == 32 + 1);
    CHECK(patternText(patternOf({.expression = "lane*4", .shared = true})).find("at most 4") !=
          std::string::npos);
}

TEST_CASE("JSON has the documented fields") {
    const auto global = patternJson(patternOf({.expression = "tid - 2"}));
    CHECK(global["space"] == "global");
    CHECK(global["width_bytes"] == 4);
    CHECK(global["compute_capability"] == "9.0");
    CHECK(global["sectors"] == 5);
    CHECK(global["lines_128"] == 2);
    CHECK(global["bytes_requested"] == 128);
    CHECK(global["bytes_moved"] == 160);
    CHECK(global["utilization"].get<double>() == Approx(0.8));
    CHECK(global["lanes"].size() == 32);
    CHECK(global["lanes"][0]["address"] == -8);
    const auto shared =
        patternJson(patternOf({.expression = "lane*32", .active = "lane < 8", .shared = true}));
    CHECK(shared["wavefronts"] == 8);
    CHECK(shared["wavefronts_ideal"] == 1);
    CHECK(shared["ways"] == 8);
    CHECK(shared["lanes"][8]["address"].is_null());
}

TEST_CASE("The drawing is well-formed, whatever the expression says") {
    for (const char* expression : {"tid", "tid*2", "lane*1000", "lane < 8 ? 0 : tid"}) {
        for (const bool shared : {false, true}) {
            const std::string svg =
                dormer::report::patternSvg(patternOf({.expression = expression, .shared = shared}));
            INFO(svg.substr(0, 400));
            CHECK(tests::malformed(svg).empty());
        }
    }
    CHECK(tests::occurrences(dormer::report::patternSvg(patternOf({.expression = "tid*2"})),
                             "class=\"wasted\"") == 32);
    CHECK(tests::occurrences(dormer::report::patternSvg(patternOf({.expression = "lane*32", .shared = true})),
                             "class=\"conflict\"") == 32);
}
