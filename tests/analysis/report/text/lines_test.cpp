// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/details/line_rows.h"
#include "analysis/view/text.h"
#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/line_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/report_text.h"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::view;
using namespace dormer::view::details;
using dormer::tests::jsonText;
using dormer::tests::linesCsvText;
using dormer::tests::lineSession;
using dormer::tests::sessionJson;

namespace {

std::vector<std::string> textLines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Words of the first line that holds `word`.
std::vector<std::string> wordsOf(const std::string& text, std::string_view word) {
    std::vector<std::string> words;
    for (const std::string& line : textLines(text)) {
        if (line.find(word) == std::string::npos) continue;
        std::istringstream in(line);
        for (std::string each; in >> each;)
            words.push_back(each);
        break;
    }
    return words;
}

} // namespace

TEST_CASE("the table of lines says place, access, actual and ideal", "[report]") {
    const Session session = lineSession();
    const std::string table = linesTableText(Diagnosis(session));
    CHECK(table.starts_with("k, 2 launches added up\n"));
    CHECK(wordsOf(table, "a.cu:5") == std::vector<std::string>{"a.cu:5", "2", "×", "LDG", "global", "load",
                                                               "4", "40", "1280", "160", "8.00", "fully",
                                                               "scattered", "(1", "sector", "per", "lane)"});
    CHECK(wordsOf(table, "b.cuh:9") == std::vector<std::string>{"b.cuh:9", "STS", "shared", "store", "4",
                                                                "20", "620", "20", "31.00", "31-way", "bank",
                                                                "conflict"});
    CHECK(wordsOf(table, "a.cu:7") == std::vector<std::string>{"a.cu:7", "BRA", "branch", "20", "3"});
    CHECK(table.find("  inlined at b.cuh:20 < a.cu:6\n") != std::string::npos);
    CHECK(table.find("a.cu:5") < table.find("b.cuh:9")); // more excess first
    CHECK(textLines(table).back() == "measured on NVIDIA H100");
    CHECK(table.find("-lineinfo") == std::string::npos);
}

TEST_CASE("a program without line information is told the flag", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    Kernel kernel;
    kernel.name = "bare(float*)";
    session.apply(kernel);
    session.apply(Launch{});
    LineCounts load;
    load.pc = 0x110;
    load.instruction = "LDG";
    load.space = MemorySpace::Global;
    load.op = MemoryOperation::Load;
    session.apply(LaunchLines{0, {load}});
    const Diagnosis diagnosis(session);
    const std::string why =
        "bare: compiled without line information; with -lineinfo (or -G) these are source lines";
    CHECK(linesTableText(diagnosis).find("pc 0x110") != std::string::npos);
    CHECK(linesTableText(diagnosis).find('\n' + why + '\n') != std::string::npos);
    CHECK(linesMarkdownText(diagnosis).find(escapeMarkdown(why) + ".\n") != std::string::npos);
}

TEST_CASE("branches that never part a warp are no rows, and many lines are cut with a word", "[report]") {
    Session session = lineSession();
    std::vector<LineCounts> many(40);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i].pc = 16 * i;
        many[i].op = MemoryOperation::Load;
        many[i].space = MemorySpace::Global;
        many[i].executions = 1;
    }
    many[0].op = MemoryOperation::Branch;
    many[0].divergent = 0;
    session.apply(LaunchLines{0, many});
    const KernelLines kernel = kernelLines(session, "k", std::vector{LaunchIndex{0}}, 30);
    CHECK(kernel.lines.size() == 30);
    CHECK(kernel.hiddenLines == 9);
    CHECK(kernel.launches == 1);
}

TEST_CASE("local memory is not held against the ideal of its line's global accesses", "[report]") {
    Session session = lineSession();
    LineCounts load = session.lines(LaunchIndex{0})[0];
    load.sectors = 40;
    LineCounts spill = load;
    spill.pc = 0x20;
    spill.instruction = "STL";
    spill.space = MemorySpace::Local;
    spill.op = MemoryOperation::Store;
    spill.sectors = 4000;
    spill.sectorsIdeal.reset();
    session.apply(LaunchLines{0, {load, spill}});
    const KernelLines kernel = kernelLines(session, "k", std::vector{LaunchIndex{0}}, 30);
    REQUIRE(kernel.lines.size() == 1);
    REQUIRE(kernel.lines[0].rows.size() == 3);
    const auto& [total, global, local] =
        std::tie(kernel.lines[0].rows[0], kernel.lines[0].rows[1], kernel.lines[0].rows[2]);
    CHECK(total.cells[5] == "4040");
    CHECK(total.cells[6].empty());
    CHECK(total.cells[7].empty());
    CHECK_FALSE(total.wastes);
    CHECK(global.cells[7] == "1.00");
    CHECK(local.cells[5] == "4000");
    CHECK(local.cells[6].empty());
}

TEST_CASE("CSV of lines has a row per launch and instruction under one head", "[report]") {
    const Session session = lineSession();
    const auto lines = textLines(linesCsvText(Diagnosis(session)));
    REQUIRE(lines.size() == 1 + 2 * 5);
    CHECK(lines[0] ==
          "launch,workload,kernel,origin,file,line,inlined_at,function,pc,instruction,space,op,width_bytes,"
          "executions,threads,sectors,sectors_ideal,tags,wavefronts,wavefronts_ideal,serialized,divergent,"
          "lanes\r");
    CHECK(lines[1] == "0,,k,measured,/src/a.cu,5,,,16,LDG,global,load,4,10,320,320,40,320,,,,,\r");
    CHECK(lines[5] == "0,,k,measured,,,,,80,,local,load,,1,,,,,,,,,\r"); // not counted is empty, not 0
    for (const std::string& line : lines)
        CHECK(std::ranges::count(line, ',') == std::ranges::count(lines[0], ','));
}

TEST_CASE("JSON has lines when requested, with null for what was not counted", "[report]") {
    const Session session = lineSession();
    const Diagnosis diagnosis(session);
    CHECK_FALSE(sessionJson(diagnosis)["launches"][0].contains("lines"));
    const nlohmann::json launch = sessionJson(diagnosis, true)["launches"][1];
    REQUIRE(launch["lines"].size() == 5);
    const nlohmann::json load = launch["lines"][0];
    CHECK(load["file"] == "/src/a.cu");
    CHECK(load["line"] == 5);
    CHECK(load["pc"] == 16);
    CHECK(load["sectors"] == 320);
    CHECK(load["sectors_ideal"] == 40);
    CHECK(load["wavefronts"].is_null());
    CHECK(load["class"] == "fully scattered (1 sector per lane)"); // 320 sectors of 320 lanes
    CHECK(launch["lines"][4]["class"].is_null());
    CHECK(launch["lines"][2]["inlined_at"] == "/src/b.cuh:20 < /src/a.cu:6");
    CHECK(launch["lines"][3]["divergent"] == 3);
    CHECK(launch["lines"][4]["file"].is_null());
    CHECK(launch["lines"][4]["line"].is_null());
    CHECK(nlohmann::json::parse(jsonText(diagnosis, true, true)) == sessionJson(diagnosis, true));
}

TEST_CASE("Markdown of lines has rows with the cells of their head", "[report]") {
    const Session session = lineSession();
    const std::string markdown = linesMarkdownText(Diagnosis(session));
    std::size_t rows = 0;
    for (const std::string& line : textLines(markdown)) {
        if (!line.starts_with("|")) continue;
        CHECK(std::ranges::count(line, '|') == static_cast<std::ptrdiff_t>(kLineColumns.size()) + 1);
        ++rows;
    }
    CHECK(rows == 2 + 4 + 1); // head, four lines, one chain
    CHECK(markdown.find("| a.cu:5 | 2 × LDG | global load | 4 | 40 | 1280 | 160 | 8.00 |") !=
          std::string::npos);
}

TEST_CASE("the report has a table of lines in the kernel's source", "[report]") {
    const Session session = lineSession();
    const std::string page = htmlReport(Diagnosis(session), "lines");
    CHECK(page.find("All counts by line") != std::string::npos);
    CHECK(page.find(R"(<td class="gain">8.00</td>)") != std::string::npos);
    CHECK(page.find("inlined at b.cuh:20 &lt; a.cu:6") != std::string::npos);
    Session bare;
    CHECK(htmlReport(Diagnosis(bare), "none").find("All counts by line") == std::string::npos);
}

TEST_CASE("hostile places stay text", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const Diagnosis diagnosis(session);
    CHECK(linesTableText(diagnosis).find('\x1b') == std::string::npos);
    const std::string markdown = linesMarkdownText(diagnosis);
    for (std::size_t at = markdown.find('<'); at != std::string::npos; at = markdown.find('<', at + 1))
        CHECK(markdown[at - 1] == '\\');
    const std::string page = htmlReport(diagnosis, "hostile");
    CHECK(page.find("All counts by line") != std::string::npos);
    CHECK(page.find("<script>alert(1)") == std::string::npos);
}
