// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/lane_hints.h"

#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::ui::pattern;

namespace {

access::LanePattern patternOf(const access::PatternQuestion& question) {
    auto pattern = access::lanePattern(question);
    REQUIRE(pattern.has_value());
    return *pattern;
}

} // namespace

TEST_CASE("lanes and words say where they lie and what they cost", "[lane_hints]") {
    const auto strided = patternOf({.expression = "a[tid * 2]"});
    CHECK(laneHint(strided, 5) == "lane 5: bytes 0x28 to 0x2b, sector 1 of the line at 0x0");
    const auto rows = access::pictureRows(strided);
    REQUIRE(rows.size() == 2);
    CHECK(wordHint(strided, rows, 0, 10) ==
          "bytes 0x28 to 0x2b, sector 1 of the line at 0x0; requested by lane 5");
    CHECK(wordHint(strided, rows, 1, 1).endsWith("moved with its sector, not requested (wasted)"));

    const auto column = patternOf({.expression = "tile[lane][0]", .rowElements = 32, .shared = true});
    const auto banks = access::pictureRows(column);
    CHECK(laneHint(column, 3) == "lane 3: bytes 0x180 to 0x183, bank 0");
    CHECK(wordHint(column, banks, 3, 0).endsWith("32 different words of this bank are requested"));
    CHECK(wordHint(column, banks, 3, 1).endsWith("not requested"));

    const auto early = patternOf({.expression = "a[tid - 2]", .active = "lane < 4"});
    CHECK(laneHint(early, 0) == "lane 0: bytes -0x8 to -0x5, sector 3 of the line at -0x80");
    CHECK(laneHint(early, 9) == "lane 9 accesses nothing");
    const auto doubles = patternOf({.expression = "a[0]", .widthBytes = 8});
    CHECK(wordHint(doubles, access::pictureRows(doubles), 0, 1).contains("requested by lanes 0 to 31"));
}

TEST_CASE("lanes are listed in runs", "[lane_hints]") {
    CHECK(laneList(0) == "");
    CHECK(laneList(1) == "0");
    CHECK(laneList(0b11) == "0 and 1");
    CHECK(laneList(0x800000f1) == "0, 4 to 7 and 31");
    CHECK(laneList(~0U) == "0 to 31");
}
