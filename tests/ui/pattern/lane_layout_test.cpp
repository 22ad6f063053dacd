// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/lane_layout.h"

#include "tests/support/catch.h"
#include "ui/pattern/lane_hints.h"

using namespace dormer;
using namespace dormer::ui::pattern;

namespace {

access::LanePattern patternOf(const access::PatternQuestion& question) {
    auto pattern = access::lanePattern(question);
    REQUIRE(pattern.has_value());
    return *pattern;
}

} // namespace

TEST_CASE("lanes fill the width in groups of eight", "[lane_layout]") {
    const LaneLayout layout = laneLayout(800, 50, 12, 2, false);
    CHECK(layout.lane(0).x == 50);
    CHECK(layout.cell == 22); // (800 - 50) / 33, whole pixels
    CHECK(layout.lane(7).x - layout.lane(6).x == layout.cell);
    CHECK(layout.lane(8).x - layout.lane(7).x == layout.cell + layout.groupGap);
    CHECK(layout.width() <= 800);
    CHECK(layout.word(1, 5).x == layout.lane(5).x);
    CHECK(layout.height() == layout.word(1, 0).bottom());
    // Narrow windows keep boxes that can be seen, wide ones keep them together.
    CHECK(laneLayout(100, 50, 12, 2, false).cell == 6);
    CHECK(laneLayout(4000, 50, 12, 2, false).cell == 30);
}

TEST_CASE("many rows get low, most of all where room is dear", "[lane_layout]") {
    CHECK(laneLayout(800, 50, 12, 32, true).height() < 260);
    CHECK(laneLayout(800, 50, 12, 32, false).height() < 560);
    CHECK(laneLayout(800, 50, 12, 4, true).rowHeight == laneLayout(800, 50, 12, 4, true).laneHeight);
    CHECK(laneLayout(800, 50, 12, 32, true).rowHeight >= 5);
    CHECK(laneLayout(800, 50, 12, 0, true).height() == laneLayout(800, 50, 12, 0, true).laneHeight);
}

TEST_CASE("what is under the mouse is told", "[lane_layout]") {
    const LaneLayout layout = laneLayout(800, 50, 12, 3, false);
    const auto hitOf = [&](const PixelBox& box) { return layout.at(box.middleX(), box.middleY()); };
    for (const unsigned column : {0U, 8U, 31U}) {
        const auto lane = hitOf(layout.lane(column));
        REQUIRE(lane);
        CHECK_FALSE(lane->row);
        CHECK(lane->column == column);
        const auto word = hitOf(layout.word(2, column));
        REQUIRE(word);
        CHECK(word->row == 2U);
        CHECK(word->column == column);
    }
    CHECK_FALSE(layout.at(10, 5));                      // names
    CHECK_FALSE(layout.at(layout.width() + 5, 5));      // right of all
    CHECK_FALSE(layout.at(60, layout.laneHeight + 10)); // wires
    CHECK_FALSE(layout.at(60, layout.height() + 50));   // below
}

TEST_CASE("lanes and words say where they lie and what they cost", "[lane_layout]") {
    const auto strided = patternOf({.expression = "a[tid * 2]"});
    CHECK(laneHint(strided, 5) == "lane 5: bytes 0x28 to 0x2b, sector 1 of the line at 0x0");
    const auto rows = access::pictureRows(strided);
    REQUIRE(rows.size() == 2);
    CHECK(wordHint(strided, rows, 0, 10) ==
          "bytes 0x28 to 0x2b, sector 1 of the line at 0x0; asked for by lane 5");
    CHECK(wordHint(strided, rows, 1, 1).endsWith("moved with its sector, nobody asked for it"));

    const auto column = patternOf({.expression = "tile[lane][0]", .rowElements = 32, .shared = true});
    const auto banks = access::pictureRows(column);
    CHECK(laneHint(column, 3) == "lane 3: bytes 0x180 to 0x183, bank 0");
    CHECK(wordHint(column, banks, 3, 0).endsWith("32 different words of this bank are asked for"));
    CHECK(wordHint(column, banks, 3, 1).endsWith("nobody asks for it"));

    const auto early = patternOf({.expression = "a[tid - 2]", .active = "lane < 4"});
    CHECK(laneHint(early, 0) == "lane 0: bytes -0x8 to -0x5, sector 3 of the line at -0x80");
    CHECK(laneHint(early, 9) == "lane 9 accesses nothing");
    const auto doubles = patternOf({.expression = "a[0]", .widthBytes = 8});
    CHECK(wordHint(doubles, access::pictureRows(doubles), 0, 1).contains("asked for by lanes 0 to 31"));
}

TEST_CASE("lanes are listed in runs", "[lane_layout]") {
    CHECK(laneList(0) == "");
    CHECK(laneList(1) == "0");
    CHECK(laneList(0b11) == "0 and 1");
    CHECK(laneList(0x800000f1) == "0, 4 to 7 and 31");
    CHECK(laneList(~0U) == "0 to 31");
}
