// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/level_layout.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::view::plot;
using dormer::verdict::MemoryLevel;

namespace {

/// Four decades each way on 400 by 400 pixels: a hundred pixels a decade.
const ChartFrame kFrame{{{-2, 2}, 0, 400}, {{10, 14}, 400, 0}};
const LevelLine kLine{1e12, {{MemoryLevel::L1, 0.1}, {MemoryLevel::L2, 1}, {MemoryLevel::Dram, 10}}};

ChartFrame frameFrom(double lower) {
    return {{{lower, lower + 4}, 0, 400}, {{10, 14}, 400, 0}};
}

Extents measured(const std::string& text) {
    return {7.0 * static_cast<double>(text.size()), 14};
}

LevelRoof roofOf(MemoryLevel level, double bytesPerSecondDecades, const char* label) {
    return {level, {.measured = true, .memory = bytesPerSecondDecades, .compute = 13.5}, label};
}

} // namespace

TEST_CASE("levels stand where work over their bytes says, the chart's own left to its marker") {
    const auto placed = levelMarks(kLine, MemoryLevel::Dram, kFrame, 5);
    REQUIRE(placed);
    REQUIRE(placed->marks.size() == 2);
    CHECK(placed->marks[0].level == MemoryLevel::L1);
    CHECK(placed->marks[0].at.x == Approx(100)); // 10^-1, a decade from the left
    CHECK(placed->marks[0].at.y == Approx(200)); // 10^12, two decades up
    CHECK(placed->marks[1].level == MemoryLevel::L2);
    CHECK(placed->marks[1].at.x == Approx(200));
    CHECK(placed->from.x == Approx(100));
    CHECK(placed->to.x == Approx(300));
    const auto overL2 = levelMarks(kLine, MemoryLevel::L2, kFrame, 5);
    REQUIRE(overL2);
    CHECK(std::ranges::none_of(overL2->marks, [](const auto& m) { return m.level == MemoryLevel::L2; }));
    CHECK(overL2->marks.size() == 2);
}

TEST_CASE("no mark of a level leaves the frame, and the line ends at its edge") {
    // 10^-1 lies left of a frame that begins at 10^-0.5.
    const auto cut = levelMarks(kLine, MemoryLevel::Dram, frameFrom(-0.5), 5);
    REQUIRE(cut);
    REQUIRE(cut->marks.size() == 1);
    CHECK(cut->marks[0].level == MemoryLevel::L2);
    CHECK(cut->from.x == 0);
    CHECK(cut->to.x == Approx(150));
    // L2 stands three pixels from the edge: whole with two pixels, in part with five.
    CHECK(levelMarks(kLine, MemoryLevel::Dram, frameFrom(-0.03), 2)->marks.size() == 1);
    CHECK(levelMarks(kLine, MemoryLevel::Dram, frameFrom(-0.03), 5)->marks.empty());
    CHECK_FALSE(levelMarks(kLine, MemoryLevel::Dram, frameFrom(1.5), 5));
    LevelLine slow = kLine;
    slow.rate = 1e9; // below the frame
    CHECK_FALSE(levelMarks(slow, MemoryLevel::Dram, kFrame, 5));
    CHECK_FALSE(levelMarks({1e12, {{MemoryLevel::Dram, 10}}}, MemoryLevel::Dram, kFrame, 5));
    CHECK_FALSE(levelMarks({}, MemoryLevel::Dram, kFrame, 5));
}

TEST_CASE("roofs of other levels carry their names where nothing stands yet") {
    const std::vector<LevelRoof> roofs{roofOf(MemoryLevel::L2, 12.7, "L2 5.0 TB/s"),
                                       roofOf(MemoryLevel::L1, 20, "L1 far above the view")};
    Obstacles obstacles;
    const auto placed = placeLevelRoofs(roofs, kFrame, measured, obstacles);
    REQUIRE(placed.size() == 1); // the other is out of view
    // At an intensity of 1/100 the L2 serves 10^10.7, at 10^0.8 it meets 10^13.5.
    CHECK(placed[0].from.x == Approx(0));
    CHECK(placed[0].from.y == Approx(330));
    CHECK(placed[0].to.x == Approx(280));
    CHECK(placed[0].to.y == Approx(50));
    REQUIRE(placed[0].label);
    CHECK(placed[0].label->text == "L2 5.0 TB/s");
    CHECK(within(placed[0].label->box, kFrame.bounds()));
    CHECK(obstacles.text.size() == 1);
    CHECK(obstacles.lines.size() == 1);
    Obstacles full;
    full.text.push_back(uprightBox(0, 0, 400, 400));
    CHECK_FALSE(placeLevelRoofs(roofs, kFrame, measured, full).front().label);
}
