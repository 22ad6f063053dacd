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
    CHECK(hotRows(file) == std::vector<std::size_t>{3, 1});
    CHECK(nextHotRow(file, 0, true) == 1U);
    CHECK(nextHotRow(file, 1, true) == 3U);
    CHECK(nextHotRow(file, 3, true) == 1U);
    CHECK(nextHotRow(file, 1, false) == 3U);
    CHECK(nextHotRow(file, 4, false) == 3U);
    CHECK(nextHotRow(file, 0, false) == 3U);
    CHECK_FALSE(nextHotRow(fileOf({{1, 0}}), 0, true));
    CHECK_FALSE(nextHotRow(fileOf({}), 0, true));
}

TEST_CASE("where nothing is wasted, traffic is hot", "[code_rows]") {
    auto file = fileOf({{1, 0}, {2, 0}, {3, 0}});
    file.rows[2].cost = lines::LineCost{.traffic = 1};
    CHECK(hotRows(file) == std::vector<std::size_t>{2});
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
    source.code = {
        {0x10, "label", {}, 0, {}, {}}, {0x10, "LDG", {}, 0, {}, {}}, {0x20, "EXIT", {}, 0, {}, {}}};
    CHECK(codeOfPc(source, 0x10) == 1U);
    CHECK(codeOfPc(source, 0x20) == 2U);
    CHECK_FALSE(codeOfPc(source, 0x18));
    CHECK_FALSE(codeOfPc(source, 0));
}

TEST_CASE("of a line's instructions the costliest comes into view", "[code_rows]") {
    lines::KernelSource source;
    source.code = {{0x10, "MOV", {}, 0, {}, {}},
                   {0x20, "LDG", {}, 0, lines::LineCost{.traffic = 0.7, .waste = 0.1}, {}},
                   {0x30, "STG", {}, 0, lines::LineCost{.traffic = 0.3, .waste = 0.9}, {}}};
    CHECK(costliest(source, {0, 1, 2}) == 2U);
    CHECK(costliest(source, {0, 1}) == 1U);
    CHECK(costliest(source, {0}) == 0U);
    CHECK_FALSE(costliest(source, {}));
    source.code[1].cost->waste = source.code[2].cost->waste = 0;
    CHECK(costliest(source, {0, 1, 2}) == 1U); // nothing is wasted: what moves most
}

TEST_CASE("only kinds of traffic that a kernel has get columns", "[code_rows]") {
    const session::Session session = tests::lineSession();
    const CostKinds both = costKinds(dormer::lines::kernelSource(session, tests::kLineLaunches));
    CHECK(both.sectors);
    CHECK(both.wavefronts);
    CHECK_FALSE(costKinds({}).sectors);
}
