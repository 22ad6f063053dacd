// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/number_scale.h"

#include "tests/support/catch.h"

#include <vector>

using dormer::metrics::Unit;
using dormer::view::NumberScale;

namespace {

NumberScale scaleOf(Unit unit, const std::vector<double>& values) {
    return dormer::view::scaleFor(unit, values);
}

} // namespace

TEST_CASE("a column has one unit and as many decimals as its numbers need", "[view]") {
    const NumberScale times = scaleOf(Unit::Nanoseconds, {61200, 63500});
    CHECK(times.titled("time") == "time, µs");
    CHECK(times.text(61200) == "61.2");
    // The smallest keeps two digits that count.
    const NumberScale rates = scaleOf(Unit::BytesPerSecond, {9.47e9, 0.1e9});
    CHECK(rates.unit == "GB/s");
    CHECK(rates.text(0.1e9) == "0.10");
    CHECK(rates.text(9.47e9) == "9.47");
    CHECK(scaleOf(Unit::Ratio, {0.5, 0.25}).text(0.25) == "25");
    CHECK(scaleOf(Unit::Ratio, {0.5}).titled("hit rate") == "hit rate, %");
}

TEST_CASE("counts stay whole until they get long", "[view]") {
    const NumberScale exact = scaleOf(Unit::Count, {4194304, 5});
    CHECK(exact.text(4194304) == "4194304");
    CHECK(exact.titled("sectors") == "sectors");
    const NumberScale large = scaleOf(Unit::Count, {16777216});
    CHECK(large.unit == "M");
    CHECK(large.text(16777216) == "16.8");
    CHECK(scaleOf(Unit::None, {4, 4.5}).text(4.5) == "4.50");
    CHECK(scaleOf(Unit::None, {4, 32}).text(32) == "32");
}

TEST_CASE("no numbers, zeros and tiny ones have a scale, too", "[view]") {
    CHECK(scaleOf(Unit::Nanoseconds, {}).text(0) == "0");
    CHECK(scaleOf(Unit::Nanoseconds, {}).titled("time") == "time"); // no numbers, no unit
    CHECK(scaleOf(Unit::Bytes, {0, 0}).unit == "B");
    CHECK(scaleOf(Unit::None, {1e-9}).text(1e-9) == "0.000"); // three decimals at most
    CHECK(scaleOf(Unit::Nanoseconds, {-2500}).text(-2500) == "-2.50");
}

TEST_CASE("the unit gets smaller before a small number vanishes beside a large one", "[view]") {
    const NumberScale wide = scaleOf(Unit::Nanoseconds, {43'518'068'700, 2'000});
    CHECK(wide.unit == "ms");
    CHECK(wide.text(2'000) == "0.002");
    CHECK(wide.text(43'518'068'700) == "43518.069");
    CHECK(scaleOf(Unit::Nanoseconds, {4e14, 2'000}).unit == "s"); // too far apart for one column
}
