// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "ui/roofline/roofline_points.h"

#include <algorithm>
#include <set>

using namespace dormer;
using namespace dormer::ui::roofline;
using dormer::session::LaunchIndex;
using dormer::verdict::Bound;

namespace {

ChartPoint point(std::uint32_t launch, double x, double y, double durationNs, Bound bound = Bound::Memory) {
    return {.launch = LaunchIndex{launch}, .bound = bound, .x = x, .y = y, .durationNs = durationNs};
}

const view::plot::LogScale kX{{-2, 3}, 0, 1000};
const view::plot::LogScale kY{{10, 14}, 800, 0};

} // namespace

TEST_CASE("points are found, moved and removed by launch") {
    PointSet set;
    set.put(point(3, 0, 12, 100));
    set.put(point(7, 1, 13, 400));
    CHECK(set.shownCount() == 2);
    CHECK(set.longestNs() == 400);
    ChartPoint moved = point(7, 2, 11, 50);
    moved.appearedMs = 99;
    set.put(moved);
    CHECK(set.shownCount() == 2);
    CHECK(set.longestNs() == 100);
    CHECK(set.find(LaunchIndex{7})->x == 2);
    CHECK(set.find(LaunchIndex{7})->appearedMs == 0); // it appeared when it first came
    CHECK(set.extent().y->lower == 11);
    set.remove(LaunchIndex{3});
    CHECK(set.find(LaunchIndex{3}) == nullptr);
    CHECK(set.find(LaunchIndex{7})->x == 2);
    CHECK(set.extent().y->upper == 11);
    CHECK(set.find(LaunchIndex{1000}) == nullptr);
}

TEST_CASE("a filter hides points without losing them") {
    PointSet set;
    for (std::uint32_t i = 0; i < 10; ++i)
        set.put(point(i, 0, 12, 100 + i));
    set.filter([](LaunchIndex launch) { return raw(launch) < 4; });
    CHECK(set.shownCount() == 4);
    CHECK(set.longestNs() == 103);
    set.filter([](LaunchIndex) { return true; });
    CHECK(set.shownCount() == 10);
}

TEST_CASE("the area of a marker goes by time") {
    const double whole = markerDiameter(1000, 1000), half = markerDiameter(500, 1000);
    CHECK(whole == kMostMarker);
    CHECK(half * half / (whole * whole) == Approx(0.5));
    CHECK(markerDiameter(1, 1e9) == kLeastMarker);
    CHECK(markerDiameter(0, 0) == kLeastMarker);
}

TEST_CASE("few points each get a marker, the largest first") {
    std::vector<ChartPoint> points{point(0, 0, 12, 10), point(1, 0, 12, 1000), point(2, 9, 12, 500)};
    MarkerBinner binner;
    const auto markers = binner.bin(points, kX, kY, 1000, 1e9);
    REQUIRE(markers.size() == 2); // launch 2 is out of view
    CHECK(raw(markers[0].launch) == 1);
    CHECK(raw(markers[1].launch) == 0);
    CHECK(markers[0].x == Approx(400)); // two of five decades
    CHECK(markers[0].y == Approx(400));
}

TEST_CASE("points that are yet to appear are not drawn") {
    std::vector<ChartPoint> points{point(0, 0, 12, 10)};
    points[0].appearedMs = 50;
    MarkerBinner binner;
    CHECK(binner.bin(points, kX, kY, 10, 49).empty());
    CHECK(binner.bin(points, kX, kY, 10, 50).size() == 1);
}

TEST_CASE("many points share markers, none is lost, and verdicts stay apart") {
    std::vector<ChartPoint> points;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        const double t = i / 20000.0;
        points.push_back(
            point(i, -1 + 3 * t, 11 + 2 * t * t, 1 + i % 97, i % 2 == 0 ? Bound::Memory : Bound::Latency));
    }
    MarkerBinner binner;
    const auto markers = binner.bin(points, kX, kY, 97, 1e9);
    CHECK(markers.size() < 1000);
    std::size_t stoodFor = 0;
    std::set<Bound> bounds;
    for (const Marker& marker : markers) {
        stoodFor += marker.count;
        bounds.insert(marker.bound);
        CHECK(marker.bound == points[raw(marker.launch)].bound);
    }
    CHECK(stoodFor == points.size());
    CHECK(bounds.size() == 2);
    CHECK(std::is_sorted(markers.begin(), markers.end(),
                         [](const Marker& a, const Marker& b) { return a.diameter > b.diameter + 1; }));
}

TEST_CASE("panning regroups nothing") {
    std::vector<ChartPoint> points;
    for (std::uint32_t i = 0; i < 5000; ++i)
        points.push_back(point(i, i * 1e-4, 12 + (i % 50) * 1e-3, 1 + i % 13));
    MarkerBinner binner;
    const auto shownBy = [&](double shift) {
        std::set<std::uint32_t> launches;
        const view::plot::LogScale x{{-2 + shift, 3 + shift}, 0, 1000};
        for (const Marker& marker : binner.bin(points, x, kY, 13, 1e9))
            launches.insert(raw(marker.launch));
        return launches;
    };
    CHECK(shownBy(0) == shownBy(0.0137));
}

TEST_CASE("the pointer finds the marker on top, then the nearest") {
    const std::vector<Marker> markers{{100, 100, 24, LaunchIndex{0}, Bound::Memory, 1},
                                      {104, 100, 8, LaunchIndex{1}, Bound::Compute, 1},
                                      {200, 100, 8, LaunchIndex{2}, Bound::Compute, 1}};
    CHECK(raw(markerAt(markers, 105, 100, 6)->launch) == 1); // small and on top
    CHECK(raw(markerAt(markers, 91, 100, 6)->launch) == 0);
    CHECK(raw(markerAt(markers, 209, 100, 6)->launch) == 2); // 5 pixels off its edge
    CHECK(markerAt(markers, 150, 100, 6) == nullptr);
}

TEST_CASE("arrows go to the next marker that way") {
    const std::vector<Marker> markers{{0, 0, 8, LaunchIndex{0}, {}, 1},
                                      {50, 5, 8, LaunchIndex{1}, {}, 1},
                                      {100, 0, 8, LaunchIndex{2}, {}, 1},
                                      {0, -40, 8, LaunchIndex{3}, {}, 1}};
    CHECK(raw(markerTowards(markers, 0, 0, Direction::Right)->launch) == 1);
    CHECK(raw(markerTowards(markers, 50, 5, Direction::Right)->launch) == 2);
    CHECK(raw(markerTowards(markers, 0, 0, Direction::Up)->launch) == 3);
    CHECK(markerTowards(markers, 0, 0, Direction::Left) == nullptr);
    CHECK(markerTowards(markers, 0, 0, Direction::Down) == nullptr);
}

TEST_CASE("points fade in over a fifth of a second") {
    CHECK(fadeIn(0) == 0);
    CHECK(fadeIn(kFadeMs / 2) > 0.4);
    CHECK(fadeIn(kFadeMs) == 1);
    CHECK(fadeIn(1e9) == 1);
}

TEST_CASE("a gain becomes a factor only where it is a part of the time") {
    CHECK(*speedup(497000, 436400) == Approx(497000.0 / 60600)); // the mock's x8.2
    CHECK_FALSE(speedup(1000, {}));
    CHECK_FALSE(speedup(1000, 1000.0));
    CHECK_FALSE(speedup(1000, 2000.0));
    CHECK_FALSE(speedup(1000, -5.0));
    CHECK_FALSE(speedup(1000, 10.0)); // one percent is no arrow
    CHECK_FALSE(speedup(0, 10.0));
}
