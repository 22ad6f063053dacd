// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/chart_frame.h"

#include "tests/support/catch.h"

#include <cmath>

using namespace dormer::view::plot;
using namespace dormer::verdict;
using dormer::device::Resource;

namespace {

/// H100 SXM: 3.352 TB/s, 66.9 TFLOP/s.
Roofline h100() {
    Roofline roofline;
    roofline.memory = {{.resource = Resource::Dram, .perSecond = 3.352e12, .source = {}}};
    roofline.compute = {{.resource = Resource::Fp32, .perSecond = 66.9e12, .source = {}}};
    roofline.ridge = 66.9 / 3.352;
    return roofline;
}

/// Five decades by four, in so many pixels.
ChartFrame frameOf(double width, double height) {
    return {{{-2, 3}, 0, width}, {{10, 14}, height, 0}};
}

Extents measure(const std::string& text) {
    return {7.0 * static_cast<double>(text.size()), 14};
}

} // namespace

TEST_CASE("words about roofs and ridge overlap nothing and stay in the frame", "[chart_frame]") {
    const ChartFrame frame = frameOf(800, 500);
    Obstacles obstacles;
    // A marker at the foot of the ridge.
    const Spot foot = frame.pixel({std::log10(66.9 / 3.352), 10});
    obstacles.markers.push_back(uprightBox(foot.x - 20, foot.y - 20, 40, 20));
    const auto labels = placeRoofLabels(h100(), frame, measure, obstacles);
    REQUIRE(labels.size() == 3);
    CHECK(labels[0].text == "FP32 66.9 TFLOP/s theoretical");
    CHECK(labels[1].text == "DRAM 3.35 TB/s theoretical");
    CHECK(labels[2].text == "ridge 20 FLOP/B");
    CHECK(labels[0].box.radians == 0);
    CHECK(labels[1].box.radians < 0); // rises to the right
    for (std::size_t i = 0; i < labels.size(); ++i) {
        CHECK(within(labels[i].box, frame.bounds()));
        CHECK_FALSE(overlap(labels[i].box, obstacles.markers[0]));
        for (std::size_t j = 0; j < i; ++j)
            CHECK_FALSE(overlap(labels[i].box, labels[j].box));
    }
    CHECK(obstacles.text.size() == 3);
    CHECK(obstacles.lines.size() == 3); // slope, flat and ridge
}

TEST_CASE("where there is little room words get short, then go", "[chart_frame]") {
    Obstacles obstacles;
    const auto labels = placeRoofLabels(h100(), frameOf(190, 500), measure, obstacles);
    REQUIRE_FALSE(labels.empty());
    CHECK(labels[0].text == "FP32 66.9 TFLOP/s");
    CHECK(placeRoofLabels(h100(), frameOf(30, 30), measure, obstacles).empty());
    CHECK(placeRoofLabels({}, frameOf(800, 500), measure, obstacles).empty());
}

TEST_CASE("an arrow is clear of the markers at both its ends, or is not", "[chart_frame]") {
    const auto arrow = arrowBetween({0, 0}, {100, 0}, 4, 10);
    REQUIRE(arrow);
    CHECK(arrow->from.x == Approx(4));
    CHECK(arrow->tip().x == Approx(90));
    CHECK(arrow->neck.x < 90);
    CHECK(arrow->head[1].y == Approx(-arrow->head[2].y));
    CHECK_FALSE(arrowBetween({0, 0}, {20, 0}, 4, 10));
    CHECK_FALSE(arrowBetween({5, 5}, {5, 5}, 0, 0));
}

TEST_CASE("the arrow of a speedup goes straight up, and leans where the roof forbids it", "[chart_frame]") {
    const ChartFrame frame = frameOf(1000, 800); // 200 pixels a decade
    const auto up = speedupArrow(h100(), frame, {0, 11}, 10, 5);
    REQUIRE(up);
    CHECK(up->tip().x == Approx(frame.x.toPixel(0)));
    CHECK(up->tip().y == Approx(frame.y.toPixel(12)));
    CHECK(up->from.y < frame.y.toPixel(11) - 5); // clear of the marker
    // 0.01 FLOP/byte allows 33.5 GFLOP/s: ten times 10 GFLOP/s needs 0.03.
    const auto leaning = speedupArrow(h100(), frame, {-2, 10}, 10, 5);
    REQUIRE(leaning);
    CHECK(leaning->tip().x == Approx(frame.x.toPixel(11 - std::log10(3.352e12))));
    CHECK_FALSE(speedupArrow(h100(), frame, {2, 13.5}, 10, 5)); // above the flat roof
    CHECK_FALSE(speedupArrow(h100(), frame, {0, 11}, 1.05, 5)); // all head
    CHECK_FALSE(speedupArrow({}, frame, {0, 11}, 10, 5));
    CHECK(speedupText(9.1) == "×9.1 est. speedup");
}
