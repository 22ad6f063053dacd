// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Terminal, Markdown and page paint the cells that view/kernel_table decides; tests/ui compares the app's.
#include "analysis/report/report.h"
#include "analysis/store/session_file.h"
#include "analysis/view/text.h"

#include "tests/support/catch.h"
#include "tests/support/painted_cells.h"
#include "tests/support/sample_session.h"

#include <sstream>

using namespace dormer;

namespace {

session::Session recorded(const char* name) {
    auto session = store::loadSession(std::string(DORMER_SOURCE_DIR "/samples/") + name);
    REQUIRE(session);
    return std::move(*session);
}

tests::CellTexts withoutVerdict(tests::CellTexts texts) {
    for (auto& row : texts)
        row.front().clear();
    return texts;
}

} // namespace

TEST_CASE("terminal, Markdown and page show the same cells", "[report]") {
    for (const session::Session& session :
         {tests::sampleSession(), recorded("h100-basics.dormer"), recorded("h100-lines.dormer")}) {
        const diagnosis::Diagnosis diagnosis(session);
        const tests::CellTexts decided = tests::decidedCells(view::kernelRows(diagnosis, 150));
        REQUIRE(decided.size() > 5);
        CHECK(tests::terminalCells(report::tableText(diagnosis, {.rows = 150, .width = 1000})) == decided);
        CHECK(tests::markdownCells(report::markdownText(diagnosis)) ==
              tests::decidedCells(view::kernelRows(diagnosis, 200))); // has more rows
        CHECK(tests::pageCells(report::htmlReport(diagnosis, "same")) ==
              withoutVerdict(tests::decidedCells(view::kernelRows(diagnosis, 5000)))); // has all
    }
}

TEST_CASE("a narrow terminal drops columns and elides names, never numbers", "[report]") {
    const session::Session session = recorded("h100-basics.dormer");
    const diagnosis::Diagnosis diagnosis(session);
    const view::KernelRows rows = view::kernelRows(diagnosis, 200);
    for (const std::size_t width : {80u, 120u}) {
        const std::string table =
            report::tableText(diagnosis, {.rows = 200, .width = static_cast<int>(width)});
        std::istringstream in(table.substr(table.find("verdict")));
        std::size_t row = 0;
        for (std::string line; std::getline(in, line) && !line.empty();) {
            INFO(line);
            CHECK(view::displayWidth(line) <= width);
            if (line.starts_with("verdict") || line.starts_with(' ')) continue; // head of two lines
            REQUIRE(row < rows.rows.size());
            for (const auto column : {view::KernelColumn::Time, view::KernelColumn::Savings})
                CHECK(line.find(rows.rows[row].cell(column).text) != std::string::npos);
            ++row;
        }
        CHECK(row == rows.rows.size());
        CHECK(table.find("not shown in " + std::to_string(width) + " columns: ") != std::string::npos);
    }
}
