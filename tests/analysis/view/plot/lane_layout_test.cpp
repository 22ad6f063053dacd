// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/lane_layout.h"

#include "tests/support/catch.h"

using namespace dormer::view::plot;

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
