// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/label_layout.h"

#include "tests/support/catch.h"

#include <cmath>
#include <numbers>

using namespace dormer::view::plot;

namespace {
const TurnedBox kBounds = uprightBox(0, 0, 1000, 800);
} // namespace

TEST_CASE("upright boxes overlap as rectangles do") {
    CHECK(overlap(uprightBox(0, 0, 10, 10), uprightBox(9, 9, 10, 10)));
    CHECK_FALSE(overlap(uprightBox(0, 0, 10, 10), uprightBox(10, 0, 10, 10))); // touching
    CHECK_FALSE(overlap(uprightBox(0, 0, 10, 10), uprightBox(500, 0, 10, 10)));
}

TEST_CASE("turned boxes overlap by their true outline") {
    // A label of 100 x 10 turned by 45 degrees spans 78 x 78, but its corners are empty.
    const TurnedBox slanted{{50, 50}, {100, 10}, -std::numbers::pi / 4};
    CHECK_FALSE(overlap(slanted, uprightBox(15, 15, 15, 15)));
    CHECK(overlap(slanted, uprightBox(15, 70, 15, 15)));
}

TEST_CASE("a line crosses a box or misses it") {
    const TurnedBox box = uprightBox(40, 40, 20, 20);
    CHECK(crosses(box, {0, 0}, {100, 100}));
    CHECK_FALSE(crosses(box, {0, 0}, {30, 30}));    // ends before
    CHECK_FALSE(crosses(box, {0, 50}, {100, 150})); // passes below
}

TEST_CASE("a label goes right of its marker when there is room") {
    const auto box = placeBeside({500, 400}, 10, {80, 16}, kBounds, {});
    REQUIRE(box);
    CHECK(box->box.centre.x == Approx(500 + 10 + 4 + 40));
    CHECK(box->box.centre.y == Approx(400));
}

TEST_CASE("a label evades text, markers and the edge") {
    Obstacles obstacles;
    obstacles.text.push_back(uprightBox(520, 390, 50, 20));
    auto box = placeBeside({500, 400}, 10, {80, 16}, kBounds, obstacles);
    REQUIRE(box);
    CHECK_FALSE(overlap(box->box, obstacles.text[0]));
    CHECK(box->box.centre.x < 500);

    box = placeBeside({990, 400}, 10, {80, 16}, kBounds, {});
    REQUIRE(box);
    CHECK(box->box.centre.x < 990);
}

TEST_CASE("what finds no room is left out unless it must be there") {
    Obstacles obstacles;
    obstacles.markers.push_back(uprightBox(300, 200, 400, 400));
    CHECK_FALSE(placeBeside({500, 400}, 10, {80, 16}, kBounds, obstacles));
    CHECK(placeBeside({500, 400}, 10, {80, 16}, kBounds, obstacles, true));
    obstacles.text.push_back(uprightBox(300, 200, 400, 400));
    const auto box = placeBeside({500, 400}, 10, {80, 16}, kBounds, obstacles, true);
    REQUIRE(box);
    CHECK(box->box.centre.x > 500);
}

TEST_CASE("labels of launches on one spot stand as a list") {
    Obstacles obstacles;
    const auto first = placeBeside({500, 400}, 5, {80, 16}, kBounds, obstacles);
    REQUIRE(first);
    obstacles.text.push_back(first->box);
    obstacles.text.push_back(uprightBox(0, 0, 499, 800)); // the left is taken
    const auto second = placeBeside({500, 400.3}, 5, {80, 16}, kBounds, obstacles);
    REQUIRE(second);
    CHECK_FALSE(overlap(first->box, second->box));
    CHECK(std::abs(second->box.centre.y - first->box.centre.y) < 30);
}

TEST_CASE("text along a roof follows its slope and stays above it") {
    const Spot from{0, 600}, to{800, 0};
    const auto box = placeAlong(from, to, 4, {200, 14}, 0.5, kBounds, {});
    REQUIRE(box);
    CHECK(box->radians == Approx(std::atan2(-600.0, 800.0)));
    CHECK_FALSE(crosses(*box, from, to));
    CHECK(box->centre.y < 300); // above the middle of the line on screen
    CHECK(box->centre.x == Approx(400 - 0.6 * 11));
}

TEST_CASE("text along a roof slides away from what is there") {
    const Spot from{0, 600}, to{800, 0};
    Obstacles obstacles;
    obstacles.text.push_back(uprightBox(300, 200, 150, 150));
    const auto box = placeAlong(from, to, 4, {200, 14}, 0.5, kBounds, obstacles);
    REQUIRE(box);
    CHECK_FALSE(overlap(*box, obstacles.text[0]));
    CHECK_FALSE(placeAlong(from, {50, 580}, 4, {200, 14}, 0.5, kBounds, {})); // line too short
}

TEST_CASE("chips flow into rows and leave room for the rest's word") {
    const std::vector<double> widths{100, 100, 100, 100, 100, 100, 100};
    const auto all = flowRows(widths, 800, 26, 10, 2, 60);
    REQUIRE(all.size() == 7);
    CHECK(all[6].top == 0);
    const auto some = flowRows(widths, 330, 26, 10, 2, 60);
    CHECK(some.size() == 5); // 3 + 3 would fill the second row, and the word needs 60
    CHECK(some[3].left == 0);
    CHECK(some[3].top == 26);
    CHECK(flowRows(std::vector<double>{900}, 330, 26, 10, 2, 60)[0].width == 330);
}

TEST_CASE("labels keep off each other, markers and lines, inside the frame") {
    const TurnedBox frame = uprightBox(0, 0, 400, 300);
    Obstacles obstacles;
    obstacles.lines.push_back({Spot{0, 300}, Spot{400, 0}});
    std::vector<TurnedBox> boxes;
    for (int i = 0; i < 40; ++i) {
        // Twelve on one spot, the others all over.
        const Spot marker = i < 12 ? Spot{200, 200} : Spot{(i * 97) % 400 + 0.5, (i * 61) % 300 + 0.5};
        obstacles.markers.push_back(uprightBox(marker.x - 6, marker.y - 6, 12, 12));
    }
    for (int i = 0; i < 40; ++i) {
        const TurnedBox marker = obstacles.markers[static_cast<std::size_t>(i)];
        const auto label = placeBeside(marker.centre, 6, {42, 15}, frame, obstacles);
        if (!label) continue;
        obstacles.text.push_back(label->box);
        boxes.push_back(label->box);
    }
    REQUIRE(boxes.size() >= 12);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        CHECK(within(boxes[i], frame));
        CHECK_FALSE(crosses(boxes[i], {0, 300}, {400, 0}));
        for (const TurnedBox& marker : obstacles.markers)
            CHECK_FALSE(overlap(boxes[i], marker));
        for (std::size_t j = 0; j < i; ++j)
            CHECK_FALSE(overlap(boxes[i], boxes[j]));
    }
}

TEST_CASE("a label without room is left out") {
    Obstacles obstacles;
    obstacles.text.push_back(uprightBox(0, 0, 400, 300));
    CHECK_FALSE(placeBeside({200, 150}, 5, {50, 15}, uprightBox(0, 0, 400, 300), obstacles));
    CHECK_FALSE(placeBeside({20, 150}, 5, {150, 15}, uprightBox(0, 0, 40, 300), {})); // wider than the plot
}

TEST_CASE("a crowded point gets a label farther out with a leader to it") {
    Obstacles obstacles;
    obstacles.markers.push_back(uprightBox(180, 135, 40, 30));
    const auto label = placeBeside({200, 150}, 5, {16, 15}, uprightBox(0, 0, 400, 300), obstacles);
    REQUIRE(label);
    REQUIRE(label->leader);
    CHECK(within(uprightBox(label->leader->x, label->leader->y, 0, 0), label->box));
    CHECK_FALSE(placeBeside({200, 150}, 5, {16, 15}, uprightBox(0, 0, 400, 300), {})->leader);
}
