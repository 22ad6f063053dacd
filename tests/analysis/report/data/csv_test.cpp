// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/sample_session.h"

#include <clocale>

using namespace dormer::diagnosis;

using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

namespace {

/// RFC 4180, written from its grammar.
std::vector<std::vector<std::string>> parse(std::string_view text) {
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& cell = rows.back().back();
        if (quoted) {
            if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else if (c == '"')
                quoted = false;
            else
                cell += c;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            rows.back().emplace_back();
        } else if (c == '\r' && text.substr(i, 2) == "\r\n") {
            ++i;
            if (i + 1 < text.size()) rows.push_back({""});
        } else {
            cell += c;
        }
    }
    return rows;
}

} // namespace

TEST_CASE("CSV is long, in SI units, with its unit in a column", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const auto rows = parse(csvText(Diagnosis(session)));
    CHECK(rows.front() ==
          std::vector<std::string>{"launch", "workload", "kernel", "origin", "metric", "value", "unit"});
    int found = 0;
    for (const auto& row : rows) {
        REQUIRE(row.size() == 7);
        if (row[1] != "roofline/vector_add") continue;
        CHECK(row[3] == "measured");
        if (row[4] == "dram_bytes") {
            CHECK(row[5] == "201326592");
            CHECK(row[6] == "B");
            ++found;
        }
        if (row[4] == "arithmetic_intensity_dram_fp32") {
            CHECK(std::stod(row[5]) == 1.0 / 12); // reads back as the same double
            CHECK(row[6] == "FLOP/B");
            ++found;
        }
        if (row[4] == "flops_fp64") CHECK(row[5] == "0"); // counted, and none
    }
    CHECK(found == 6); // three launches, two metrics
    for (const auto& row : rows)
        CHECK_FALSE((row[2].find("fill") == 0 && row[4] == "dram_bytes"));
}

TEST_CASE("CSV survives hostile names", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const auto rows = parse(csvText(Diagnosis(session)));
    REQUIRE(rows.size() > 3);
    for (const auto& row : rows)
        REQUIRE(row.size() == 7);
    CHECK(rows[1][2] == dormer::tests::kHostileName);
}

TEST_CASE("numbers don't follow the locale", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string before = csvText(Diagnosis(session));
    const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
    CHECK(csvText(Diagnosis(session)) == before);
    if (set) std::setlocale(LC_ALL, "C");
}
