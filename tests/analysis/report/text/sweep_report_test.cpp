// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/report/svg/sweep_drawing.h"
#include "analysis/report/text/sweep_plot.h"
#include "analysis/view/plot/sweep_words.h"
#include "analysis/view/text.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/report_text.h"
#include "tests/support/sweep_session.h"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace dormer::diagnosis;
using namespace dormer::metrics;
using namespace dormer::report;
using namespace dormer::session;
using namespace dormer::view;
using namespace dormer::view::plot;
using namespace dormer::tests;
using dormer::tests::sessionJson;

namespace {

SweepTable tableOf(const Session& session) {
    const auto tables = sweepTables(MetricEvaluator(session));
    REQUIRE(tables.size() == 1);
    return tables.front();
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Column and row of every marker in a plot's canvas, from its left edge and its top.
std::vector<std::pair<std::size_t, std::size_t>> marksIn(const std::string& plot, std::string_view marker) {
    std::vector<std::pair<std::size_t, std::size_t>> marks;
    const auto lines = linesOf(plot);
    for (std::size_t row = 1; row < lines.size(); ++row) {
        auto edge = lines[row].find("│");
        if (edge == std::string::npos) edge = lines[row].find("┤");
        if (edge == std::string::npos) break;
        const std::string canvas = lines[row].substr(edge + std::string_view("│").size());
        for (auto at = canvas.find(marker); at != std::string::npos; at = canvas.find(marker, at + 1))
            marks.emplace_back(displayWidth(canvas.substr(0, at)), row - 1);
    }
    return marks;
}

SweepTable tuning(std::size_t points) {
    std::vector<SweepGiven> given;
    for (std::size_t i = 0; i < points; ++i) // 1000 ns is the best, in the middle
        given.push_back({{std::to_string(32 << (i % 4)), i % 2 == 0 ? "ldg" : "cg"},
                         1000.0 + 10.0 * std::abs(static_cast<double>(i) - static_cast<double>(points / 2))});
    return tableOf(sweepSession({"block", "load"}, given, "lowest"));
}

} // namespace

TEST_CASE("a plot for terminals puts points where their values are, within 80 columns", "[report]") {
    // A straight line over an axis from 0 to 20 in 15 rows: 10 in the middle, 20 on top.
    const SweepTable table =
        tableOf(sweepSession({"offset"}, {{{"0"}, 10}, {{"5"}, 15}, {{"10"}, 20}}, "highest"));
    const std::string plot = sweepPlotText(table);
    for (const std::string& line : linesOf(plot))
        CHECK(displayWidth(line) <= 80);
    const auto points = marksIn(plot, "●"), best = marksIn(plot, "◆");
    REQUIRE(points.size() == 2);
    REQUIRE(best.size() == 1);
    CHECK(best[0].second == 0); // the top
    CHECK(points[1].first == 0);
    CHECK(points[1].second == 7);
    CHECK(points[0].first == (best[0].first + 1) / 2); // rounded to a column
    CHECK(points[0].second == 3);                      // 15 is 3.5 rows from the top
    CHECK(plot.starts_with("time, ns\n"));
    CHECK(plot.find("20 ┤") != std::string::npos);
    CHECK(plot.find("offset") != std::string::npos);
    CHECK(plot.find("◆ best") != std::string::npos);
    CHECK(plot.find("logarithmic") == std::string::npos);
}

TEST_CASE("logarithmic axes say so, several lines have a legend", "[report]") {
    const SweepTable table = tableOf(sweepSession({"n", "memory"}, {{{"1", "device"}, 1},
                                                                    {{"10", "device"}, 10},
                                                                    {{"100", "device"}, 100},
                                                                    {{"1", "mapped"}, 100},
                                                                    {{"100", "mapped"}, 100}}));
    const std::string plot = sweepPlotText(table);
    CHECK(plot.starts_with("time, ns (logarithmic)\n"));
    CHECK(plot.find("n (logarithmic)") != std::string::npos);
    CHECK(plot.find("● device   ○ mapped") != std::string::npos);
    const auto device = marksIn(plot, "●");
    REQUIRE(device.size() >= 2);
    const auto middle =
        std::ranges::find(device, std::size_t{7}, [](const auto& mark) { return mark.second; });
    REQUIRE(middle != device.end());
    // 10 is half way from 1 to 100.
    const auto width = marksIn(plot, "○").back().first;
    CHECK(middle->first == (width + 1) / 2);
}

TEST_CASE("points without an axis are bars as long as their values", "[report]") {
    const SweepTable table =
        tableOf(sweepSession({"load"}, {{{"ldg"}, 100}, {{"cg"}, 50}, {{"cs"}, std::nullopt}}, "lowest"));
    const auto lines = linesOf(sweepPlotText(table));
    REQUIRE(lines.size() == 4);
    const auto blocks = [](const std::string& line) {
        std::size_t count = 0;
        for (auto at = line.find("█"); at != std::string::npos; at = line.find("█", at + 1))
            ++count;
        return count;
    };
    CHECK(blocks(lines[1]) > 20);
    CHECK(blocks(lines[2]) == blocks(lines[1]) / 2);
    CHECK(lines[2].ends_with("50 ns ◀ best"));
    CHECK(lines[3].ends_with("–"));
    for (const std::string& line : lines)
        CHECK(displayWidth(line) <= 80);
}

TEST_CASE("a long tuning sweep shows its best and worst and names the gap", "[report]") {
    const SweepTable table = tuning(96);
    const auto shown = barsShown(table);
    CHECK(shown.size() == 21);
    CHECK(shown.front() == table.best);
    CHECK_FALSE(shown[16]);
    CHECK(sweepPlotText(table).find("… 76 more") != std::string::npos);
    CHECK(barsShown(tuning(20)).size() == 20);
    // 48 is the best: 1000 ns. The worst, 0, takes 1480; half of the points take at most 1240.
    CHECK(bestText(table).starts_with(
        "best: block=32, load=ldg at 1.00 µs; ×1.48 over the worst, ×1.24 over "));
    CHECK(bestText(tableOf(sweepSession({"n"}, {{{"1"}, 5}, {{"2"}, 5}, {{"3"}, 10}}, "lowest"))) ==
          "best: n=1 at 5 ns (2 alike); ×2 over the worst, ×1 over the median of 3 points");
    CHECK(bestText(tableOf(sweepSession({"n"}, {{{"1"}, 5}, {{"2"}, 5}}, "lowest"))) ==
          "no point is better: all 2 at 5 ns");
    // Of many parameters the values alone stand beside the bars, and the best point is named.
    const SweepTable three = tableOf(sweepSession(
        {"a", "b", "c"}, {{{"1", "x", "2"}, 5}, {{"2", "y", "2"}, 6}, {{"1", "y", "3"}, 7}}, "lowest"));
    CHECK(barHead(three) == "time, from zero, by a b c");
    CHECK(shortPointText(three, three.points[1]) == "2 y 2");
    CHECK(bestText(three).starts_with("best: 0 (a=1, b=x, c=2) at 5 ns; "));
    CHECK(sweepTable(three).columns.front().title == "a");
    const auto effects = effectTexts(table);
    REQUIRE(effects.size() == 2);
    CHECK(effects[0] == "block: 32 → 1.00 µs, 64 → 1.01 µs, 128 → 1.02 µs, 256 → 1.01 µs");
}

TEST_CASE("a sweep without a value of its first metric has no plot, and says so", "[report]") {
    const SweepTable table = tableOf(sweepSession({"n"}, {{{"1"}, std::nullopt}, {{"2"}, std::nullopt}}));
    CHECK(sweepPlotText(table) == "no plot: time was not collected for any point\n");
    CHECK(drawSweep(table, {}).empty());
}

TEST_CASE("sweeps stand in Markdown, CSV and JSON", "[report]") {
    const Session session = sweepSession({"offset"}, {{{"0"}, 10}, {{"1"}, 40}}, "lowest");
    const Diagnosis diagnosis(session);
    const std::string markdown = sweepsMarkdownText(diagnosis);
    CHECK(markdown.find("## s/sweep: A sweep\n") != std::string::npos);
    CHECK(markdown.find("| 0 | 10 | – | ◀ best |\n") != std::string::npos);
    CHECK(markdownText(diagnosis).find("## s/sweep: A sweep\n") != std::string::npos);
    CHECK(sweepsCsvText(diagnosis) == "sweep,workload,parameters,metric,value,unit,best\r\n"
                                      "s/sweep,s/0,offset=0,duration_ns,10,ns,1\r\n"
                                      "s/sweep,s/1,offset=1,duration_ns,40,ns,0\r\n");
    const auto sweeps = sweepsJson(diagnosis);
    REQUIRE(sweeps.size() == 1);
    CHECK(sweeps[0]["axis"] == "offset");
    CHECK(sweeps[0]["best"] == "s/0");
    CHECK(sweeps[0]["best_over_worst"] == 4);
    CHECK(sweeps[0]["metrics"][0]["unit"] == "ns");
    CHECK(sweeps[0]["points"][1]["values"]["duration_ns"] == 40);
    CHECK(sweeps[0]["points"][1]["values"]["dram_bytes"].is_null());
    CHECK(sessionJson(diagnosis)["sweeps"] == sweeps);
    CHECK(sweepsDocument(diagnosis)["sweeps"] == sweeps);
    CHECK_FALSE(sweepsDocument(diagnosis).contains("launches"));
}

TEST_CASE("the page has a section a sweep, whose points lead to their kernels", "[report]") {
    const Session session = sweepSession({"offset"}, {{{"0"}, 10}, {{"1"}, 40}}, "lowest");
    const Diagnosis diagnosis(session);
    const std::string page = htmlReport(diagnosis, "x");
    CHECK(page.find(R"(aria-label="Sweep s/sweep")") != std::string::npos);
    // The longer one, s/1, is the first row of the table of kernels.
    CHECK(page.find(R"(<g class="pt" data-row="0" tabindex="0" role="img"><title>s/1&#10;)") !=
          std::string::npos);
    const std::string bars = drawSweep(tuning(96), {});
    CHECK(bars.find("… 76 more") != std::string::npos);
    CHECK(malformed(bars).empty());
    CHECK(htmlReport(Diagnosis(Session{}), "x").find("Sweep") == std::string::npos);
}

TEST_CASE("hostile names stay text in sweeps", "[report]") {
    const Session session = hostileSession();
    const Diagnosis diagnosis(session);
    REQUIRE(sweepTables(diagnosis.metrics()).size() == 1);
    CHECK(sweepsTableText(diagnosis).find('\x1b') == std::string::npos);
    const std::string markdown = sweepsMarkdownText(diagnosis);
    for (std::size_t at = markdown.find('<'); at != std::string::npos; at = markdown.find('<', at + 1))
        CHECK(markdown[at - 1] == '\\');
    CHECK(markdown.find('\x1b') == std::string::npos);
    CHECK_FALSE(
        sweepsDocument(diagnosis).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty());
    for (const SweepTable& table : sweepTables(diagnosis.metrics()))
        CHECK(malformed(drawSweep(table, {})).empty());
}
