// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/metric_words.h"

#include "tests/support/catch.h"

#include <vector>

using namespace dormer;
using metrics::Unit;

namespace {

ui::look::NumberScale scaleOf(Unit unit, const std::vector<double>& values) {
    return ui::look::scaleFor(unit, values);
}

} // namespace

TEST_CASE("a column has one unit and as many decimals as its numbers need", "[metric_words]") {
    const ui::look::NumberScale times = scaleOf(Unit::Nanoseconds, {61200, 63500});
    CHECK(times.titled("time") == QString::fromUtf8("time, \u00b5s"));
    CHECK(times.text(61200) == "61.2");
    // The smallest keeps two digits that count.
    const ui::look::NumberScale rates = scaleOf(Unit::BytesPerSecond, {9.47e9, 0.1e9});
    CHECK(rates.unit == "GB/s");
    CHECK(rates.text(0.1e9) == "0.10");
    CHECK(rates.text(9.47e9) == "9.47");
    CHECK(scaleOf(Unit::Ratio, {0.5, 0.25}).text(0.25) == "25");
    CHECK(scaleOf(Unit::Ratio, {0.5}).titled("hit rate") == "hit rate, %");
}

TEST_CASE("counts stay whole until they get long", "[metric_words]") {
    const ui::look::NumberScale exact = scaleOf(Unit::Count, {4194304, 5});
    CHECK(exact.text(4194304) == "4194304");
    CHECK(exact.titled("sectors") == "sectors");
    const ui::look::NumberScale large = scaleOf(Unit::Count, {16777216});
    CHECK(large.unit == "M");
    CHECK(large.text(16777216) == "16.8");
    CHECK(scaleOf(Unit::None, {4, 4.5}).text(4.5) == "4.50");
    CHECK(scaleOf(Unit::None, {4, 32}).text(32) == "32");
}

TEST_CASE("no numbers, zeros and tiny ones have a scale, too", "[metric_words]") {
    CHECK(scaleOf(Unit::Nanoseconds, {}).text(0) == "0");
    CHECK(scaleOf(Unit::Bytes, {0, 0}).unit == "B");
    CHECK(scaleOf(Unit::None, {1e-9}).text(1e-9) == "0.000"); // three decimals at most
    CHECK(scaleOf(Unit::Nanoseconds, {-2500}).text(-2500) == "-2.50");
}
