// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/text.h"
#include "tests/support/catch.h"
#include "tests/support/mixed_session.h"
#include "tests/support/sample_session.h"

#include <sstream>
#include <vector>

using namespace dormer;
using namespace dormer::tests;

namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// The line of the chart, which the axis begins, that holds this; nothing when none does.
std::optional<std::size_t> chartRow(const std::vector<std::string>& lines, std::string_view part) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t axis = std::min(lines[i].find("│"), lines[i].find("┤"));
        if (axis != std::string::npos && lines[i].find(part, axis) != std::string::npos) return i;
    }
    return std::nullopt;
}

} // namespace

TEST_CASE("the terminal's roofline fits its columns and has every kernel's letter", "[report]") {
    const auto session = sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    for (const std::size_t columns : {80U, 120U}) {
        const std::vector<std::string> lines = linesOf(report::rooflineText(diagnosis, columns));
        for (const std::string& line : lines) {
            INFO(line);
            CHECK(view::displayWidth(line) <= columns);
        }
        CHECK(chartRow(lines, "a"));
        CHECK(chartRow(lines, "b"));
    }
    // Not known: as on 80 columns.
    CHECK(report::rooflineText(diagnosis, 0) == report::rooflineText(diagnosis, 80));
}

TEST_CASE("a kernel alone is joined with its places at the other levels, its scalar work has a capital",
          "[report]") {
    session::Session session = mixedSession();
    session.apply(session::MeasuredCeiling{0, "dram", 4.6e12, "write"});
    session.apply(session::MeasuredCeiling{0, "fp32", 6.5e13, "chains"});
    const std::string text = report::rooflineText(diagnosis::Diagnosis(session), 100);
    INFO(text);
    const std::vector<std::string> lines = linesOf(text);
    const auto own = chartRow(lines, "─a"), part = chartRow(lines, "A");
    REQUIRE(own);
    REQUIRE(part);
    CHECK(*own < *part);             // 400 TFLOP/s above 20
    CHECK(holds(lines[*own], "○─")); // L2 to the left of DRAM
    CHECK(holds(lines[*own - 1] + lines[*own + 1], "L2"));
    CHECK(holds(text, "FP32 65.0 TFLOP/s")); // the part's own roof
    CHECK(holds(text, "DRAM 4.60 TB/s measured"));
}

TEST_CASE("without counted work the roofline says so", "[report]") {
    session::Session session;
    CHECK(holds(report::rooflineText(diagnosis::Diagnosis(session), 80), "no kernel did"));
}
