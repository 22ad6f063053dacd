// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/label_placement.h"

#include "tests/support/catch.h"

using namespace dormer::view;

TEST_CASE("labels keep off each other, markers and lines", "[report]") {
    LabelPlacer placer({0, 0, 400, 300});
    placer.blockLine(0, 300, 400, 0, 4);
    std::vector<Box> boxes;
    for (int i = 0; i < 12; ++i)
        if (const auto label = placer.place(200, 200, 6, "kernel", 12)) boxes.push_back(label->box);
    REQUIRE(boxes.size() >= 4);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        CHECK(Box{0, 0, 400, 300}.holds(boxes[i]));
        for (std::size_t j = 0; j < i; ++j)
            CHECK_FALSE(boxes[i].overlaps(boxes[j]));
        // The line is 300 - 0.75 x; a label's corner nearest to it tells the side.
        const double topLeft = boxes[i].top - (300 - 0.75 * boxes[i].left);
        const double bottomRight = boxes[i].bottom - (300 - 0.75 * boxes[i].right);
        CHECK((topLeft > 0) == (bottomRight > 0));
    }
}

TEST_CASE("a label without room is left out", "[report]") {
    LabelPlacer placer({0, 0, 400, 300});
    placer.block({0, 0, 400, 300});
    CHECK_FALSE(placer.place(200, 150, 5, "nowhere", 12));
    LabelPlacer narrow({0, 0, 40, 300});
    CHECK_FALSE(narrow.place(20, 150, 5, "a label wider than the plot", 12));
}

TEST_CASE("a crowded point gets a label farther out with a line to it", "[report]") {
    LabelPlacer placer({0, 0, 400, 300});
    placer.block({180, 135, 220, 165});
    const auto label = placer.place(200, 150, 5, "ab", 12);
    REQUIRE(label);
    CHECK(label->distant);
    CHECK(label->box.holds({label->lineX, label->lineY, label->lineX, label->lineY}));
}
