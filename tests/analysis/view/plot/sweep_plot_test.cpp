// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/sweep_plot.h"

#include "analysis/view/plot/sweep_words.h"
#include "tests/support/catch.h"

using namespace dormer::view::plot;
using dormer::metrics::SweepPoint;
using dormer::metrics::SweepTable;

namespace {

SweepTable tableOf(const std::vector<std::pair<double, std::optional<double>>>& points, bool logarithmic) {
    SweepTable table;
    table.sweep.parameters = {"n"};
    table.sweep.metrics = {"duration_ns"};
    table.axis = 0;
    table.numeric = true;
    table.logarithmic = logarithmic;
    for (const auto& [x, y] : points) {
        SweepPoint point;
        point.workload = "family/" + std::to_string(x);
        point.x = x;
        point.parameters = {std::to_string(x)};
        point.values = {y};
        table.points.push_back(std::move(point));
    }
    return table;
}

} // namespace

TEST_CASE("points lie at their numbers, in one unit, on a ground of zero") {
    const SweepPlot plot = sweepPlot(tableOf({{0, 4000}, {16, 5000}, {32, 4000}}, false));
    REQUIRE(plot.spots.size() == 3);
    CHECK(plot.numeric);
    CHECK(plot.spots[1].x == 16);
    CHECK(plot.spots[1].y == 5);
    CHECK(plot.yTitle == "time, µs");
    CHECK(plot.xTitle == "n");
    CHECK_FALSE(plot.x.logarithmic);
    CHECK(plot.x.low == 0);
    CHECK(plot.x.high == 32);
    CHECK(plot.x.ticks == std::vector<double>{0, 16, 32});
    CHECK_FALSE(plot.y.logarithmic);
    CHECK(plot.y.low == 0);
    CHECK(plot.y.high == 5);
}

TEST_CASE("a logarithmic axis says so") {
    const SweepPlot plot = sweepPlot(tableOf({{1024, 1}, {1 << 20, 1000}}, true));
    CHECK(plot.x.logarithmic);
    CHECK(plot.x.low == 1024);
    CHECK(plot.xTitle == "n (logarithmic)");
    CHECK(plot.y.logarithmic);
    CHECK(plot.yTitle == "time, µs (logarithmic)");
    CHECK(plot.y.ticks.front() == Approx(0.001));
    CHECK(plot.y.ticks.back() == Approx(1));
    // A factor 30 exactly still starts at zero, and so does a span that holds zero.
    CHECK_FALSE(sweepPlot(tableOf({{1, 1}, {2, 30}}, false)).y.logarithmic);
    CHECK(sweepPlot(tableOf({{1, 1}, {2, 31}}, false)).y.logarithmic);
    CHECK_FALSE(sweepPlot(tableOf({{1, 0}, {2, 1000}}, false)).y.logarithmic);
}

TEST_CASE("a point without a value is left out, and the axis keeps its place") {
    const SweepPlot plot = sweepPlot(tableOf({{0, 1}, {10, std::nullopt}}, false));
    REQUIRE(plot.spots.size() == 1);
    CHECK(plot.spots[0].point == 0);
    CHECK(plot.x.high == 10);
    CHECK(sweepPlot(tableOf({{0, std::nullopt}}, false)).spots.empty());
    CHECK(sweepPlot(tableOf({{0, 1}}, false), 7).spots.empty()); // no such metric
    CHECK(sweepPlot({}).spots.empty());
}

TEST_CASE("without numbers points stand side by side in their order") {
    SweepTable table = tableOf({{5, 1}, {3, 2}, {9, 3}}, false);
    table.numeric = false;
    const SweepPlot plot = sweepPlot(table);
    CHECK_FALSE(plot.numeric);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(plot.spots[i].x == static_cast<double>(i));
    CHECK(plot.x.low == 0);
    CHECK(plot.x.high == 2);
}

TEST_CASE("lonely and equal points still get an axis") {
    const SweepPlot lone = sweepPlot(tableOf({{64, 0}}, true));
    CHECK(lone.x.low < lone.x.high);
    CHECK(lone.y.low < lone.y.high);
    CHECK(sweepPlot(tableOf({{1, -2}, {2, 3}}, false)).y.low <= -2);
}

TEST_CASE("labels that would touch are left out") {
    const std::vector<double> centres{0, 10, 20, 30, 40};
    const std::vector<double> widths(5, 8);
    using Indices = std::vector<std::size_t>;
    CHECK(labelsThatFit(centres, widths, 2) == Indices{0, 1, 2, 3, 4});
    CHECK(labelsThatFit(centres, widths, 3) == Indices{0, 2, 4});
    CHECK(labelsThatFit({}, {}, 3).empty());
}

TEST_CASE("the nearest point within reach is the one meant") {
    const std::vector<double> xs{0, 10, 20}, ys{0, 0, 0};
    CHECK(nearest(xs, ys, 11, 1, 5) == 1);
    CHECK(nearest(xs, ys, 17, 0, 5) == 2);
    CHECK_FALSE(nearest(xs, ys, 40, 0, 5));
    CHECK_FALSE(nearest({}, {}, 0, 0, 5));
}

TEST_CASE("parameters at ticks keep all their digits") {
    CHECK(parameterTick(0) == "0");
    CHECK(parameterTick(0.25) == "0.25");
    CHECK(parameterTick(1024) == "1024");
    CHECK(parameterTick(65536) == "64 Ki");
    CHECK(parameterTick(33554432) == "32 Mi");
    CHECK(parameterTick(268435456) == "256 Mi");
    CHECK(parameterTick(100000) == "100000");
}
