// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/chart_axis.h"

#include "tests/support/catch.h"

#include <array>
#include <limits>

using namespace dormer::view;

TEST_CASE("a logarithmic axis gives each decade the same room", "[report]") {
    const LogAxis axis{0.01, 1000, 100, 600};
    CHECK(axis.pixel(0.01) == Approx(100));
    CHECK(axis.pixel(1) == Approx(300));
    CHECK(axis.pixel(1000) == Approx(600));
    CHECK(axis.value(axis.pixel(14.7)) == Approx(14.7));
    const LogAxis upright{1e10, 1e14, 400, 0}; // pixels count downwards
    CHECK(upright.pixel(1e12) == Approx(200));
}

TEST_CASE("ranges are whole decades around the values", "[report]") {
    const LogRange range = decadesAround(std::array{0.083, 14.7}, 0.1, 0.1);
    CHECK(range.low == Approx(0.01));
    CHECK(range.high == Approx(100));
    const LogRange exact = decadesAround(std::array{1.0, 1000.0}, 0, 0);
    CHECK(exact.low == Approx(1));
    CHECK(exact.high == Approx(1000));
    const LogRange wide = decadesAround(std::array{0.011, 9.5}, 0.12, 0.12);
    CHECK(wide.low == Approx(0.001));
    CHECK(wide.high == Approx(100));
    const LogRange none = decadesAround(std::array{0.0, -1.0, std::numeric_limits<double>::infinity()}, 1, 1);
    CHECK(none.low == 1);
    CHECK(none.high == 10);
}

TEST_CASE("ticks stand on decades and are thinned evenly", "[report]") {
    const auto ticks = decadeTicks({0.01, 1000});
    REQUIRE(ticks.size() == 6);
    CHECK(ticks.front() == Approx(0.01));
    CHECK(ticks.back() == Approx(1000));
    const auto many = decadeTicks({1e-9, 1e15}, 9);
    REQUIRE(many.size() <= 9);
    CHECK(many[1] / many[0] == Approx(many[2] / many[1]));
    CHECK(decadeTicks({2, 5e3}).front() == Approx(10));
}

TEST_CASE("tick labels are short", "[report]") {
    CHECK(plainTickLabel(0.01) == "0.01");
    CHECK(plainTickLabel(1000) == "1000");
    CHECK(plainTickLabel(1e5) == "100 k");
    CHECK(plainTickLabel(1e-6) == "1e-06");
    CHECK(siTickLabel(1e13) == "10 T");
}
