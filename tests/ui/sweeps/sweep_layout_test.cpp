// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_layout.h"

#include "tests/support/catch.h"

using namespace dormer;
using metrics::SweepPoint;
using metrics::SweepTable;

namespace {

SweepTable tableOf(const std::vector<std::pair<double, std::optional<double>>>& points, bool logarithmic) {
    SweepTable table;
    table.numeric = true;
    table.logarithmic = logarithmic;
    for (const auto& [x, y] : points) {
        SweepPoint point;
        point.workload = "family/" + std::to_string(x);
        point.x = x;
        point.values = {y};
        table.points.push_back(std::move(point));
    }
    return table;
}

} // namespace

TEST_CASE("points lie at their numbers, in the scale's unit, on a ground of zero") {
    const ui::sweeps::SweepLayout layout =
        ui::layOut(tableOf({{0, 4000}, {16, 5000}, {32, 4000}}, false), 0, 1000);
    REQUIRE(layout.spots.size() == 3);
    CHECK(layout.numeric);
    CHECK(layout.spots[1].x == 16);
    CHECK(layout.spots[1].y == 5);
    CHECK_FALSE(layout.x.logarithmic);
    CHECK(layout.x.lower < 0);
    CHECK(layout.x.upper > 32);
    CHECK_FALSE(layout.y.logarithmic);
    CHECK(layout.y.lower == 0);
    CHECK(layout.y.upper > 5);
}

TEST_CASE("an axis is logarithmic where the table says so, or heights span a hundredfold") {
    const ui::sweeps::SweepLayout layout = ui::layOut(tableOf({{1024, 1}, {1 << 20, 1000}}, true), 0, 1);
    CHECK(layout.x.logarithmic);
    CHECK(layout.x.lower > 0);
    CHECK(layout.x.lower < 1024);
    CHECK(layout.x.upper > 1 << 20);
    CHECK(layout.y.logarithmic);
    CHECK(layout.y.lower > 0);
    CHECK(layout.y.lower < 1);
    CHECK(layout.y.upper > 1000);
    // A hundredfold exactly still starts at zero, and so does a span that holds zero.
    CHECK_FALSE(ui::layOut(tableOf({{1, 1}, {2, 100}}, false), 0, 1).y.logarithmic);
    CHECK_FALSE(ui::layOut(tableOf({{1, 0}, {2, 1000}}, false), 0, 1).y.logarithmic);
}

TEST_CASE("a point without a value is left out, and the axis keeps its place") {
    const ui::sweeps::SweepLayout layout = ui::layOut(tableOf({{0, 1}, {10, std::nullopt}}, false), 0, 1);
    REQUIRE(layout.spots.size() == 1);
    CHECK(layout.spots[0].point == 0);
    CHECK(layout.x.upper > 10);
    CHECK(ui::layOut(tableOf({{0, std::nullopt}}, false), 0, 1).spots.empty());
    CHECK(ui::layOut(tableOf({{0, 1}}, false), 7, 1).spots.empty()); // no such metric
    CHECK(ui::layOut({}, 0, 1).spots.empty());
}

TEST_CASE("without numbers points stand side by side in their order") {
    SweepTable table = tableOf({{5, 1}, {3, 2}, {9, 3}}, false);
    table.numeric = false;
    const ui::sweeps::SweepLayout layout = ui::layOut(table, 0, 1);
    CHECK_FALSE(layout.numeric);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(layout.spots[i].x == static_cast<double>(i));
    CHECK(layout.x.lower == -0.5);
    CHECK(layout.x.upper == 2.5);
}

TEST_CASE("lonely and equal points still get an axis") {
    const ui::sweeps::SweepLayout lone = ui::layOut(tableOf({{64, 0}}, true), 0, 1);
    CHECK(lone.x.lower < 64);
    CHECK(lone.x.upper > 64);
    CHECK(lone.y.lower < lone.y.upper);
    const ui::sweeps::SweepLayout below = ui::layOut(tableOf({{1, -2}, {2, 3}}, false), 0, 1);
    CHECK(below.y.lower < -2);
}

TEST_CASE("labels that would touch are left out") {
    const std::vector<double> centres{0, 10, 20, 30, 40};
    const std::vector<double> widths(5, 8);
    using Indices = std::vector<std::size_t>;
    CHECK(ui::sweeps::labelsThatFit(centres, widths, 2) == Indices{0, 1, 2, 3, 4});
    CHECK(ui::sweeps::labelsThatFit(centres, widths, 3) == Indices{0, 2, 4});
    CHECK(ui::sweeps::labelsThatFit({}, {}, 3).empty());
}

TEST_CASE("the nearest point within reach is the one meant") {
    const std::vector<double> xs{0, 10, 20}, ys{0, 0, 0};
    CHECK(ui::sweeps::nearest(xs, ys, 11, 1, 5) == 1);
    CHECK(ui::sweeps::nearest(xs, ys, 17, 0, 5) == 2);
    CHECK_FALSE(ui::sweeps::nearest(xs, ys, 40, 0, 5));
    CHECK_FALSE(ui::sweeps::nearest({}, {}, 0, 0, 5));
}

TEST_CASE("a point is called by its parameters, else by its workload") {
    SweepPoint point;
    point.workload = "tile_scan/a";
    CHECK(ui::nameOf(point) == "tile_scan/a");
    point.parameters = {"256", "direct"};
    CHECK(ui::nameOf(point) == "256 \u00b7 direct");
}
