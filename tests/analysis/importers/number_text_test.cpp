// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/number_text.h"

#include "analysis/importers/parts/unit_scale.h"
#include "tests/support/catch.h"

#include <vector>

using namespace dormer;

namespace {

std::optional<double> read(const std::string& text, const std::vector<std::string>& others = {}) {
    importers::NumberFormat format;
    format.learn(text);
    for (const std::string& other : others)
        format.learn(other);
    return format.parse(text);
}

} // namespace

TEST_CASE("numbers are read as their file writes them", "[importers]") {
    CHECK(read("1,234.5") == 1234.5);
    CHECK(read("1.234,5") == 1234.5);
    CHECK(read("1,258,422,474") == 1258422474);
    CHECK(read("1.258.422.474") == 1258422474);
    CHECK(read("12,50") == 12.5);
    CHECK(read("0,015152") == 0.015152);
    CHECK(read("0,125") == 0.125);
    CHECK(read("0.125") == 0.125);
    CHECK(read("1 234,5") == 1234.5);
    CHECK(read("1\xE2\x80\xAF"
               "234\xC2\xA0"
               "567") == 1234567);
    CHECK(read("1'234.5") == 1234.5);
    CHECK(read("12,34,567.8") == 1234567.8);
    CHECK(read("-3.5") == -3.5);
    CHECK(read("1.5e+06") == 1.5e6);
    CHECK(read("7") == 7);
}

TEST_CASE("a mark with three digits behind it is read by the file's other numbers", "[importers]") {
    CHECK(read("1,048") == 1048);
    CHECK(read("1,048", {"73.25"}) == 1048);
    CHECK(read("1,048", {"73,25"}) == 1.048);
    CHECK(read("1.048", {"73,25"}) == 1048);
    CHECK(read("1.048") == 1.048);
    // A file of both kinds does not tell.
    CHECK_FALSE(read("1,048", {"73,25", "73.25"}));
    CHECK(read("73,25", {"73.25"}) == 73.25);
}

TEST_CASE("text is no number", "[importers]") {
    for (const char* text :
         {"", "n/a", "nan", "inf", "-", ".", ",", "1,2.3,4.5", "PolicySpread", "1e999", "0x10", "e5"}) {
        INFO(text);
        CHECK_FALSE(read(text));
    }
    CHECK_FALSE(read(std::string(1000, '9')));
}

TEST_CASE("units are scaled to those of counters", "[importers]") {
    using importers::unitScale;
    CHECK(unitScale("Kbyte") == 1e3);
    CHECK(unitScale("Mbyte") == 1e6);
    CHECK(unitScale("Gbyte/s") == 1e9);
    CHECK(unitScale("Tbyte/second") == 1e12);
    CHECK(unitScale("Kbyte/block") == 1e3);
    CHECK(unitScale("%/Kbyte") == 1e3); // of derived__pct_occupancy_per_shared_mem_size
    CHECK(unitScale("usecond") == 1e3);
    CHECK(unitScale("us") == 1e3);
    CHECK(unitScale("msecond") == 1e6);
    CHECK(unitScale("second") == 1e9);
    CHECK(unitScale("nsecond") == 1);
    CHECK(unitScale("cycle/nsecond") == 1e9);
    CHECK(unitScale("Ghz") == 1e9);
    CHECK(unitScale("sector/us") == 1e6);
    CHECK(unitScale("byte/cycle") == 1);
    CHECK(unitScale("%") == 1);
    CHECK(unitScale("register/thread") == 1);
    CHECK(unitScale("") == 1);
}
