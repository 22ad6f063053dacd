// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/format.h"

#include "tests/support/catch.h"

#include <limits>

using namespace dormer::metrics;

using namespace dormer::session;

TEST_CASE("numbers for people have three significant digits and a scaled unit", "[format]") {
    CHECK(forPeople(61'200.0, Unit::Nanoseconds) == "61.2 µs");
    CHECK(forPeople(497'123.0, Unit::Nanoseconds) == "497 µs");
    CHECK(forPeople(7.0, Unit::Nanoseconds) == "7 ns");
    CHECK(forPeople(2.5e9, Unit::Nanoseconds) == "2.50 s");
    CHECK(forPeople(7.2e12, Unit::Nanoseconds) == "7200 s");
    CHECK(forPeople(3.352e12, Unit::BytesPerSecond) == "3.35 TB/s");
    CHECK(forPeople(201'326'592.0, Unit::Bytes) == "201 MB");
    CHECK(forPeople(512.0, Unit::Bytes) == "512 B");
    CHECK(forPeople(1.98e9, Unit::Hertz) == "1.98 GHz");
    CHECK(forPeople(1.0 / 12, Unit::FlopPerByte) == "0.0833 FLOP/B");
    CHECK(forPeople(0.083, Unit::FlopPerByte) == "0.083 FLOP/B");
    CHECK(forPeople(14.7, Unit::OpPerByte) == "14.7 op/B");
    CHECK(forPeople(1056.0, Unit::Count) == "1056");
    CHECK(forPeople(16'777'216.0, Unit::Count) == "16.8 M");
    CHECK(forPeople(3.1e9, Unit::PerSecond) == "3.10 G/s");
}

TEST_CASE("rounding carries into the next prefix", "[format]") {
    CHECK(forPeople(999'960.0, Unit::Bytes) == "1.00 MB");
    CHECK(forPeople(999'600.0, Unit::Nanoseconds) == "1.00 ms");
    CHECK(withSiPrefix(9.996e12) == "10.0 T");
}

TEST_CASE("percents are whole from ten on and never hide the last bit", "[format]") {
    CHECK(forPeople(0.83, Unit::Ratio) == "83 %");
    CHECK(forPeople(0.091, Unit::Ratio) == "9.1 %");
    CHECK(forPeople(0.001, Unit::Ratio) == "0.1 %");
    CHECK(forPeople(0.0, Unit::Ratio) == "0 %");
    CHECK(forPeople(1.0, Unit::Ratio) == "100 %");
    CHECK(forPeople(0.9996, Unit::Ratio) == "99.9 %");
    CHECK(forPeople(1.71, Unit::Ratio) == "171 %"); // never clamped
}

TEST_CASE("what is absent or no number is a dash", "[format]") {
    CHECK(forPeople(std::nullopt, Unit::Bytes) == "–");
    CHECK(forPeople(std::numeric_limits<double>::quiet_NaN(), Unit::Bytes) == "–");
    CHECK(forPeople(std::numeric_limits<double>::infinity(), Unit::Nanoseconds) == "–");
    CHECK(withSiPrefix(std::numeric_limits<double>::infinity()) == "–");
}

TEST_CASE("SI prefixes serve axes and rates", "[format]") {
    CHECK(withSiPrefix(66.9e12) == "66.9 T");
    CHECK(withSiPrefix(1e14, 1) == "100 T");
    CHECK(withSiPrefix(1e10, 1) == "10 G");
    CHECK(withSiPrefix(1.0, 1) == "1");
    CHECK(withSiPrefix(0.05) == "0.0500");
    CHECK(withSiPrefix(-2.5e6) == "-2.50 M");
}

TEST_CASE("dimensions leave out trailing ones", "[format]") {
    CHECK(forPeople(Dim3{65536, 1, 1}) == "65536");
    CHECK(forPeople(Dim3{128, 128, 1}) == "128 x 128");
    CHECK(forPeople(Dim3{2, 3, 4}) == "2 x 3 x 4");
    CHECK(forPeople(Dim3{2, 1, 4}) == "2 x 1 x 4");
}
