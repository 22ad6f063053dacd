// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/axis_math.h"

#include "tests/support/catch.h"

#include <cmath>

using namespace dormer::view::plot;

TEST_CASE("a scale maps decades to pixels and back") {
    const LogScale x{{-2, 3}, 100, 600};
    CHECK(x.toPixel(-2) == Approx(100));
    CHECK(x.toPixel(0) == Approx(300)); // two of five decades
    CHECK(x.toDecades(x.toPixel(1.234)) == Approx(1.234));
    const LogScale y{{10, 14}, 400, 0}; // pixels grow downwards
    CHECK(y.toPixel(11) == Approx(300));
    CHECK(y.pixelsPerDecade() == Approx(100));
}

TEST_CASE("the view is fitted to the roofs of an H100") {
    // 66.9 TFLOP/s over 3.352 TB/s: ridge at 19.96 FLOP/byte.
    const ChartRange fit = fitRange(3.352e12, 66.9e12, {});
    CHECK(fit.x == Decades{-2, 3});
    CHECK(fit.y.upper > std::log10(66.9e12));
    CHECK(fit.y.lower < std::log10(3.352e12 * 0.01)); // the left end of the memory roof is in view
    CHECK(fit.y.lower > std::log10(3.352e12 * 0.01) - 1);
}

TEST_CASE("without roofs there is still a chart") {
    const ChartRange fit = fitRange({}, {}, {});
    CHECK(fit.x == Decades{-2, 3});
    CHECK(fit.y == Decades{10, 14});
}

TEST_CASE("points outside widen the fitted view and leave the rest alone") {
    Extent points;
    points.include(-3, 12);
    const ChartRange fit = fitRange(3.352e12, 66.9e12, points);
    CHECK(fit.x.lower == Approx(-3 - kPointMargin));
    CHECK(fit.x.upper == Approx(3));
}

TEST_CASE("a live view moves only for points outside") {
    const ChartRange view{{-2, 3}, {10, 14}};
    Extent inside;
    inside.include(0, 12);
    CHECK(widened(view, inside) == view);
    CHECK(widened(view, {}) == view);
    Extent outside = inside;
    outside.include(3.5, 12);
    const ChartRange wider = widened(view, outside);
    CHECK(wider.x.upper == Approx(3.5 + kPointMargin));
    CHECK(wider.x.lower == -2);
    CHECK(wider.y == view.y);
    CHECK(widened(wider, outside) == wider); // and then rests
}

TEST_CASE("the view glides to its target and arrives") {
    const ChartRange from{{-2, 3}, {10, 14}}, to{{-2, 4}, {9, 14}};
    const ChartRange first = stepTowards(from, to, 16);
    CHECK(first.x.upper > 3);
    CHECK(first.x.upper < 3.5);
    ChartRange now = from;
    int steps = 0;
    while (!(now == to) && steps < 100) {
        now = stepTowards(now, to, 16);
        ++steps;
    }
    CHECK(now == to);
    CHECK(steps * 16 < 600);
    CHECK(sameView(now, {{-2, 4 + 1e-9}, {9, 14}}));
    CHECK_FALSE(sameView(now, from));
}

TEST_CASE("zooming keeps what is under the pointer") {
    const Decades in = zoomed({-2, 3}, 1, 0.5);
    CHECK(in.lower == Approx(-0.5));
    CHECK(in.upper == Approx(2));
    CHECK(zoomed({-2, 3}, 1, 1e-9).span() == Approx(0.2)); // no farther than a fifth of a decade
    CHECK(zoomed({-2, 3}, 1, 1e9).span() == Approx(30));
    CHECK(limited({5, 5}).span() == Approx(0.2));
    CHECK(limited({-1000, 1000}).span() == Approx(30));
}

TEST_CASE("ticks stand at decades, ends included") {
    const Ticks ticks = logTicks({-2, 3}, 9);
    REQUIRE(ticks.major.size() == 6);
    CHECK(ticks.major.front() == Approx(0.01));
    CHECK(ticks.major.back() == Approx(1000));
    CHECK(ticks.minor.size() == 5 * 8); // 2 to 9 in each decade
}

TEST_CASE("ticks get fewer or finer with the span") {
    CHECK(logTicks({0, 30}, 6).major.size() <= 7);
    CHECK(logTicks({0, 30}, 6).major.size() >= 4);
    const auto many = logTicks({-9, 15}, 9).major;
    REQUIRE(many.size() <= 9);
    CHECK(many[1] / many[0] == Approx(many[2] / many[1]));
    CHECK(logTicks({std::log10(2), std::log10(5e3)}, 9).major.front() == Approx(10));
    const Ticks fine = logTicks({0, 1}, 9);
    CHECK(fine.major == std::vector<double>{1, 2, 5, 10});
    const Ticks narrow = logTicks({std::log10(14), std::log10(22)}, 8);
    CHECK(narrow.major == std::vector<double>{14, 16, 18, 20, 22});
    CHECK(logTicks({3, 3}, 8).major.empty());
    CHECK(logTicks({NAN, 3}, 8).major.empty());
}

TEST_CASE("tick labels read as people write them: digits up to 9999, SI prefixes above") {
    CHECK(tickLabel(0) == "0");
    CHECK(tickLabel(0.01) == "0.01");
    CHECK(tickLabel(0.001) == "0.001");
    CHECK(tickLabel(1e-6) == "1e-06");
    CHECK(tickLabel(0.1) == "0.1");
    CHECK(tickLabel(1) == "1");
    CHECK(tickLabel(20) == "20");
    CHECK(tickLabel(1000) == "1000");
    CHECK(tickLabel(10000) == "10 k");
    CHECK(tickLabel(1e5) == "100 k");
    CHECK(tickLabel(2.5e6) == "2.5 M");
    CHECK(tickLabel(1e10) == "10 G");
    CHECK(tickLabel(1e13) == "10 T");
    CHECK(tickLabel(1e14) == "100 T");
    CHECK(tickLabel(1e15) == "1 P");
    CHECK(tickLabel(-20000) == "-20 k");
    CHECK(tickLabel(1e30) == "1e+30");
    CHECK(tickLabel(std::pow(10, 4)) == tickLabel(9999.9999999999)); // ticks come from logarithms
}
