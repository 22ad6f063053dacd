// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/code_rows.h"

#include "tests/support/catch.h"
#include "tests/support/line_session.h"

using namespace dormer;
using namespace dormer::ui::sources;

namespace {

lines::SourceFileView fileOf(std::vector<std::pair<std::uint32_t, double>> wasteOfLine) {
    lines::SourceFileView file;
    for (const auto& [line, waste] : wasteOfLine) {
        lines::SourceRow row;
        row.number = line;
        row.text = "line " + std::to_string(line);
        if (waste > 0) row.cost = lines::LineCost{.waste = waste};
        file.waste += waste;
        file.rows.push_back(row);
    }
    return file;
}

lines::CodeRow codeRow(std::uint64_t pc, const char* text) {
    lines::CodeRow row;
    row.pc = pc;
    row.text = text;
    return row;
}

} // namespace

TEST_CASE("tabs reach the next multiple of four, long lines end", "[code_rows]") {
    CHECK(expandTabs("\tx") == "    x");
    CHECK(expandTabs("ab\tx") == "ab  x");
    CHECK(expandTabs("abcd\tx") == "abcd    x");
    CHECK(expandTabs("\u00e9\tx") == "\u00e9   x"); // two bytes, one column
    CHECK(expandTabs("abcdef", 3) == "abc\u2026");
    CHECK(expandTabs("abc", 3) == "abc");
    CHECK(expandTabs("") == "");
}

TEST_CASE("hot lines are stepped through in the order of the file, around its ends", "[code_rows]") {
    const auto file = fileOf({{1, 0}, {2, 0.25}, {3, 0}, {4, 0.75}, {5, 0}});
    CHECK(hotRows(file, Heat::Waste) == std::vector<std::size_t>{3, 1});
    CHECK(nextHotRow(file, 0, Heat::Waste, true) == 1U);
    CHECK(nextHotRow(file, 1, Heat::Waste, true) == 3U);
    CHECK(nextHotRow(file, 3, Heat::Waste, true) == 1U);
    CHECK(nextHotRow(file, 1, Heat::Waste, false) == 3U);
    CHECK(nextHotRow(file, 4, Heat::Waste, false) == 3U);
    CHECK(nextHotRow(file, 0, Heat::Waste, false) == 3U);
    CHECK_FALSE(nextHotRow(fileOf({{1, 0}}), 0, Heat::Waste, true));
    CHECK_FALSE(nextHotRow(fileOf({}), 0, Heat::Waste, true));
}

TEST_CASE("hot is what was chosen: waste, traffic, stalls or instructions", "[code_rows]") {
    auto file = fileOf({{1, 0}, {2, 0}, {3, 0}});
    file.rows[2].cost = lines::LineCost{.traffic = 1, .executed = 0.5};
    file.rows[0].stalls = lines::StallCost{.stalled = 0.3, .reason = "barrier", .issued = 0.25};
    CHECK(hotRows(file, Heat::Waste).empty());
    CHECK(hotRows(file, Heat::Traffic) == std::vector<std::size_t>{2});
    CHECK(hotRows(file, Heat::Stalls) == std::vector<std::size_t>{0});
    CHECK(hotRows(file, Heat::Instructions) == std::vector<std::size_t>{2, 0});
}

TEST_CASE("what tells most is hot first: waste, else stalls, else traffic", "[code_rows]") {
    using view::details::heatsOf;
    lines::KernelSource source;
    lines::CodeRow& row = source.code.emplace_back();
    row.cost = lines::LineCost{.traffic = 1, .waste = 0.5, .executed = 1};
    CHECK(heatsOf(source) == std::vector{Heat::Waste, Heat::Instructions});
    source.samples = 100;
    row.stalls = lines::StallCost{.stalled = 0.3, .issued = 1};
    CHECK(heatsOf(source) == std::vector{Heat::Waste, Heat::Stalls, Heat::Instructions});
    row.cost->waste = 0;
    CHECK(heatsOf(source) == std::vector{Heat::Stalls, Heat::Traffic, Heat::Instructions});
    CHECK(heatsOf({}).empty());
}

TEST_CASE("rows are found by line, by words and by position", "[code_rows]") {
    const auto file = fileOf({{5, 0}, {7, 1}, {20, 0}});
    CHECK(rowOfLine(file, 7) == 1U);
    CHECK_FALSE(rowOfLine(file, 6));
    CHECK_FALSE(rowOfLine(file, 21));
    CHECK(findText(file, "LINE 2", 0, true) == 2U);
    CHECK(findText(file, "line", 1, true) == 1U);
    CHECK(findText(file, "line 5", 2, true) == 0U); // around the end
    CHECK(findText(file, "line", 0, false) == 0U);
    CHECK(findText(file, "line 20", 0, false) == 2U);
    CHECK_FALSE(findText(file, "nowhere", 0, true));
    CHECK_FALSE(findText(file, "", 0, true));

    lines::KernelSource source;
    source.code = {codeRow(0x10, "label"), codeRow(0x10, "LDG"), codeRow(0x20, "EXIT")};
    CHECK(codeOfPc(source, 0x10) == 1U);
    CHECK(codeOfPc(source, 0x20) == 2U);
    CHECK_FALSE(codeOfPc(source, 0x18));
    CHECK_FALSE(codeOfPc(source, 0));
}

TEST_CASE("of a line's instructions the costliest comes into view", "[code_rows]") {
    lines::KernelSource source;
    source.code = {codeRow(0x10, "MOV"), codeRow(0x20, "LDG"), codeRow(0x30, "STG")};
    source.code[1].cost = lines::LineCost{.traffic = 0.7, .waste = 0.1};
    source.code[2].cost = lines::LineCost{.traffic = 0.3, .waste = 0.9};
    CHECK(costliest(source, {0, 1, 2}, Heat::Waste) == 2U);
    CHECK(costliest(source, {0, 1}, Heat::Waste) == 1U);
    CHECK(costliest(source, {0}, Heat::Waste) == 0U);
    CHECK_FALSE(costliest(source, {}, Heat::Waste));
    source.code[1].cost->waste = source.code[2].cost->waste = 0;
    CHECK(costliest(source, {0, 1, 2}, Heat::Waste) == 1U); // nothing is wasted: what moves most
}

TEST_CASE("only kinds of traffic that a kernel has get columns", "[code_rows]") {
    const session::Session session = tests::lineSession();
    const CostKinds both = costKinds(dormer::lines::kernelSource(session, tests::kLineLaunches));
    CHECK(both.sectors);
    CHECK(both.wavefronts);
    CHECK_FALSE(costKinds({}).sectors);
}
