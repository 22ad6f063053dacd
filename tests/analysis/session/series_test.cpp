// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/series.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>

using namespace dormer::session;

TEST_CASE("A series is a text of four digits each, with dashes where nothing was seen") {
    const Series series{{1.23456e12, 0, std::nan(""), 0.5}};
    CHECK(toString(series) == "1.235e+12 0 - 0.5");
    Series read;
    REQUIRE(fromString(toString(series), read));
    REQUIRE(read.values.size() == 4);
    CHECK(read.values[0] == 1.235e12);
    CHECK(std::isnan(read.values[2]));
    CHECK(fromString("", read));
    CHECK(read.values.empty());
    for (const char* wrong : {"1  2", " 1", "1 ", "x", "1e999", "inf", "1 2x", "--"}) {
        INFO(wrong);
        CHECK_FALSE(fromString(wrong, read));
        CHECK(read.values.empty());
    }
}

TEST_CASE("Spans are a text of begins and lengths") {
    const Spans spans{{{0, 1'200}, {5'000, 0}, {-3, 7}}};
    CHECK(toString(spans) == "0+1200 5000+0 -3+7");
    Spans read;
    REQUIRE(fromString(toString(spans), read));
    CHECK(read == spans);
    for (const char* wrong : {"1", "1+", "+1", "1+-2", "1+2 ", "99999999999999999999+1", "1+2+3"}) {
        INFO(wrong);
        CHECK_FALSE(fromString(wrong, read));
        CHECK(read.spans.empty());
    }
    std::string many = "0+1";
    for (std::size_t i = 0; i < Spans::kMost; ++i)
        many += " 0+1";
    CHECK_FALSE(fromString(many, read));
}
