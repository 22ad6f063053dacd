// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "tests/support/catch.h"
#include "tests/support/german_locale.h"
#include "tests/support/hostile_session.h"
#include "tests/support/report_text.h"
#include "tests/support/sample_session.h"

#include <array>
#include <cstdio>
#include <map>

using namespace dormer::diagnosis;

using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;
using dormer::tests::csvText;
using dormer::tests::jsonText;

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
    CHECK(rows.front() == std::vector<std::string>{"launch", "workload", "kernel", "origin", "metric",
                                                   "value", "unit", "pid", "program", "nvtx"});
    int found = 0;
    for (const auto& row : rows) {
        REQUIRE(row.size() == 10);
        if (row[1] != "roofline/vector_add") continue;
        CHECK(row[3] == "measured");
        CHECK((row[7] == "4242" && row[8] == "dormer-workloads"));
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
        REQUIRE(row.size() == 10);
    const auto wide = parse(csvText(Diagnosis(session), CsvForm::Wide));
    REQUIRE(wide.size() == session.launches().size() + 1);
    for (const auto& row : wide)
        REQUIRE(row.size() == wide.front().size());
    std::string name = dormer::tests::kHostileName;
    name.replace(name.find('\xff'), 1, "\xef\xbf\xbd"); // U+FFFD
    CHECK(wide[1][2] == name);
}

TEST_CASE("Wide CSV has a row per launch, a column per metric and units in the head", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const auto rows = parse(csvText(diagnosis, CsvForm::Wide));
    REQUIRE(rows.size() == session.launches().size() + 1);
    REQUIRE(rows.front().size() == 9 + metricCatalogue().size());
    CHECK(std::vector(rows.front().begin(), rows.front().begin() + 9) ==
          std::vector<std::string>{"launch", "workload", "kernel", "origin", "pid", "program", "nvtx", "grid",
                                   "block"});
    // The same values as the long form has; what that has no row for is empty.
    std::map<std::pair<std::string, std::string>, std::string> values;
    for (const auto& row : parse(csvText(diagnosis)))
        values[{row[0], row[6].empty() ? row[4] : row[4] + " [" + row[6] + "]"}] = row[5];
    for (std::size_t i = 1; i < rows.size(); ++i)
        for (std::size_t column = 9; column < rows[i].size(); ++column) {
            const auto known = values.find({rows[i][0], rows[0][column]});
            CHECK(rows[i][column] == (known != values.end() ? known->second : ""));
        }
    CHECK(rows[1][7].find('x') != std::string::npos);
}

TEST_CASE("A name is not repeated for each metric, and its instantiations are told apart", "[report]") {
    Session session;
    std::string inner = "Leaf";
    while (inner.size() < 50'000)
        inner = "Node<" + inner + ", " + inner + " >";
    for (const std::uint64_t id : {0U, 1U}) {
        Kernel kernel;
        kernel.id = id;
        kernel.name = "void addSize<" + (id == 0 ? inner : "Leaf") + " >(int*)";
        kernel.mangledName = "k" + std::to_string(id);
        session.apply(kernel);
        Launch launch;
        launch.id = launch.kernel = id;
        launch.grid = launch.block = {1, 1, 1};
        launch.durationNs = 1000;
        launch.nvtx = "say \"hi\", he said";
        session.apply(launch);
    }
    const Diagnosis diagnosis(session);
    const std::string text = csvText(diagnosis);
    CHECK(text.size() < 20'000);
    for (const auto& row : parse(text)) {
        if (row[0] == "launch") continue;
        CHECK(row[2] == (row[0] == "0" ? "addSize<Node>" : "addSize<Leaf>"));
        CHECK(row[9] == "say \"hi\", he said");
    }
    CHECK(csvText(diagnosis, CsvForm::Wide).size() < inner.size() + 20'000);
    CHECK(jsonText(diagnosis).contains(inner)); // whole there
}

TEST_CASE("numbers don't follow the locale", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string before = csvText(Diagnosis(session));
    const std::string wide = csvText(Diagnosis(session), CsvForm::Wide),
                      json = jsonText(Diagnosis(session), true, true),
                      markdown = markdownText(Diagnosis(session)), page = htmlReport(Diagnosis(session), "t");
    const dormer::tests::GermanLocale german;
    if (!german.isThere()) {
        WARN("no German locale, and none can be made");
        return;
    }
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%.1f", 1.5);
    REQUIRE(std::string_view(text.data()) == "1,5");
    CHECK(csvText(Diagnosis(session)) == before);
    CHECK(csvText(Diagnosis(session), CsvForm::Wide) == wide);
    CHECK(jsonText(Diagnosis(session), true, true) == json);
    CHECK(markdownText(Diagnosis(session)) == markdown);
    CHECK(htmlReport(Diagnosis(session), "t") == page);
}
