// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/sources.h"
#include "analysis/report/report.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"
#include "tests/support/line_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/source_session.h"
#include "tests/support/unpacked_page.h"

#include <regex>
#include <set>

using namespace dormer::diagnosis;
using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::view;
using dormer::tests::malformed;
using dormer::tests::occurrences;
using dormer::tests::unpackedPage;

namespace {

dormer::report::page::SourcePanel
panelOf(const Session& session,
        dormer::report::page::Allowance allowance = dormer::report::page::kAllowance) {
    const KernelRows rows = kernelRows(Diagnosis(session), 10);
    REQUIRE_FALSE(rows.rows.empty());
    return dormer::report::page::sourcePanel(session, rows.rows[0], 0, allowance);
}

/// Rows that nothing folds away.
std::string openPart(const std::string& html) {
    return std::regex_replace(html, std::regex("<details class=\"fold\">[^]*?</details>"), "");
}

/// A session of one kernel that loads at one line of the given file, eight sectors (ideal four).
Session sessionWith(std::string path, std::string text, std::uint32_t line) {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    Launch launch;
    launch.durationNs = 1e5;
    session.apply(launch);
    LineCounts counts;
    counts.file = path;
    counts.line = line;
    counts.pc = 0x10;
    counts.instruction = "LDG";
    counts.space = MemorySpace::Global;
    counts.op = MemoryOperation::Load;
    counts.widthBytes = 4;
    counts.executions = 10;
    counts.threads = 320;
    counts.sectors = 80;
    counts.sectorsIdeal = 40;
    session.apply(LaunchLines{0, {counts}});
    session.apply(SourceFile{std::move(path), std::move(text)});
    return session;
}

} // namespace

TEST_CASE("source has heat, numbers and code beside it, and what is far from counts is folded", "[report]") {
    const dormer::report::page::SourcePanel panel = panelOf(dormer::tests::sourceSession());
    CHECK(malformed(panel.html) == "");
    // All of the waste is the conflicting read of line 12.
    CHECK(panel.html.find("<div class=\"l\" id=\"k0-f0-12\"><b>12</b><i style=\"--h:1.00\">100 %</i>") !=
          std::string::npos);
    CHECK(panel.html.find("<p class=\"w\"><strong>Shared-memory bank conflicts</strong> · shared load: 32 "
                          "wavefronts/request (ideal 1); store: coalesced</p>") != std::string::npos);
    CHECK(panel.html.find("id=\"k0-f0-9\" title=\"load: coalesced; shared store: conflict-free\"") !=
          std::string::npos);
    const std::string open = openPart(panel.html);
    CHECK(open.find("in[y * 1024 + x];") != std::string::npos);
    CHECK(open.find("    tile[threadIdx.y]") != std::string::npos); // tabs are four columns
    CHECK(open.find("// line 15") != std::string::npos);            // three lines about line 12
    CHECK(open.find("// line 16") == std::string::npos);
    CHECK(panel.html.find("// line 16") != std::string::npos);
    CHECK(panel.html.find("⋯ 37 lines") != std::string::npos);

    CHECK(panel.html.find("<h4>PTX</h4>") != std::string::npos);
    CHECK(panel.html.find("<div class=\"c\" id=\"k0-p6e\" data-s=\"f0-12\"><b>110</b>") != std::string::npos);
    // The picture is that of the worst access, of lanes that were seen.
    CHECK(panel.html.find(
              "<figure class=\"lanes\" data-s=\"f0-12\"><figcaption><strong>transpose.cu:12</strong> "
              "ld.shared.f32: 32 wavefronts (ideal 1): 32-way bank conflict") != std::string::npos);
    CHECK(panel.html.find("lanes of one warp, as seen") != std::string::npos);
}

TEST_CASE("places lead to the rows that are there", "[report]") {
    const dormer::report::page::SourcePanel panel = panelOf(dormer::tests::sourceSession());
    FindingPlace place;
    place.file = dormer::tests::kTransposePath;
    place.line = 12;
    CHECK(panel.anchor(place) == "k0-f0-12");
    place.line = 99;
    place.pc = 110;
    CHECK(panel.anchor(place) == "k0-p6e"); // its instruction is there
    place.pc = 7;
    CHECK(panel.anchor(place) == "");
    // What is not shown for want of room can't be led to.
    const dormer::report::page::SourcePanel small = panelOf(dormer::tests::sourceSession(), 0);
    CHECK(small.html.find("<p class=\"fold\">⋯ 37 lines not shown</p>") != std::string::npos);
    for (const auto& [line, id] : small.lines)
        CHECK(small.html.find("id=\"" + id + "\"") != std::string::npos);
    for (const auto& [pc, id] : small.instructions)
        CHECK(small.html.find("id=\"" + id + "\"") != std::string::npos);
}

TEST_CASE("every link to a kernel or line leads there", "[report]") {
    const Session session = dormer::tests::sourceSession();
    const std::string html = htmlReport(Diagnosis(session), "source");
    const std::regex link("href=\"#(k[^\"]+)\"");
    bool toLine = false;
    for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it) {
        CHECK(occurrences(html, "id=\"" + (*it)[1].str() + "\"") == 1);
        toLine |= (*it)[1].str() == "k0-f0-12";
    }
    CHECK(toLine);
}

TEST_CASE("without text there are the lines with counts and why", "[report]") {
    const dormer::report::page::SourcePanel panel = panelOf(dormer::tests::lineSession());
    CHECK(malformed(panel.html) == "");
    CHECK(panel.html.find("The text of b.cuh, a.cu is not in the session") != std::string::npos);
    CHECK(occurrences(panel.html, "<div class=\"l\"") == 3);
    CHECK(panel.html.find("branch: 15 % of its executions diverge") != std::string::npos);
    CHECK(panel.html.find("<h4>SASS</h4>") != std::string::npos);
    Session none;
    none.apply(ProcessStart{});
    none.apply(Kernel{});
    none.apply(Launch{});
    CHECK(panelOf(none).html.empty());
}

TEST_CASE("hostile source stays text", "[report]") {
    const std::string evil = "</script><script>alert(1)</script>";
    const Session session = sessionWith("/src/" + evil + "\"'.cu",
                                        "first\n" + evil + " \" ' & \x01\x1b[31m \xff\xfe\n" +
                                            std::string(10'000, 'x') + "\n\t\t\xF0\x9F\x98\x80 end\n",
                                        2);
    const dormer::report::page::SourcePanel panel = panelOf(session);
    CHECK(malformed(panel.html) == "");
    CHECK(panel.html.find("<script") == std::string::npos);
    CHECK(panel.html.find('\x1b') == std::string::npos);
    CHECK(panel.html.find('\x01') == std::string::npos);
    CHECK(panel.html.find("&lt;/script&gt;&lt;script&gt;alert(1)") != std::string::npos);
    CHECK(panel.html.find(std::string(240, 'x') + "…") != std::string::npos);
    CHECK(panel.html.find(std::string(241, 'x')) == std::string::npos);
    CHECK(panel.html.find("        \xF0\x9F\x98\x80 end") != std::string::npos);
    const std::string html = htmlReport(Diagnosis(session), "evil");
    CHECK(occurrences(html, "<script") == 2); // ours
    CHECK(occurrences(html, "</script") == 2);
}

TEST_CASE("large files and many hot lines make a page of bounded size", "[report]") {
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += "int x = 0; // a line as long as they commonly are in programs\n";
    Session session = sessionWith("/src/large.cu", text, 50'000);
    const dormer::report::page::SourcePanel one = panelOf(session);
    CHECK(one.html.size() < 20'000); // the rest is larger than the page allows
    CHECK(one.html.find("⋯ 49996 lines not shown") != std::string::npos);
    CHECK(one.lines.contains({"/src/large.cu", 50'000}));

    std::vector<LineCounts> all;
    for (std::uint32_t i = 1; i <= 20'000; ++i) {
        LineCounts counts = session.lines(LaunchIndex{0})[0];
        counts.line = i;
        counts.pc = i * 16;
        all.push_back(counts);
    }
    session.apply(LaunchLines{0, all});
    dormer::report::page::Allowance allowance = 0;
    const KernelRows rows = kernelRows(Diagnosis(session), 10);
    const dormer::report::page::SourcePanel many =
        dormer::report::page::sourcePanel(session, rows.rows[0], 0, allowance);
    CHECK(many.html.size() < 120'000);
    CHECK(many.lines.size() < 500);
    CHECK(malformed(many.html) == "");
}

TEST_CASE("the page of 205 recorded workloads stays below two megabytes, its links whole", "[report]") {
    const auto session = loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
    REQUIRE(session.has_value());
    const std::string page = htmlReport(Diagnosis(*session), "lines");
    CHECK(page.size() < 2'000'000);
    const std::string html = unpackedPage(page);
    CHECK(html.size() > 2 * page.size()); // its kernels' cards and sources are packed
    CHECK(occurrences(html, "<section class=\"panel source\"") > 100);
    std::set<std::string> ids;
    const std::regex id("id=\"(k[0-9]+[^\"]*)\""), link("href=\"#(k[0-9]+[^\"]*)\"");
    for (std::sregex_iterator it(html.begin(), html.end(), id), end; it != end; ++it)
        CHECK(ids.insert((*it)[1].str()).second); // each stands once
    std::size_t toLines = 0;
    for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it) {
        CHECK(ids.contains((*it)[1].str()));
        toLines += (*it)[1].str().find('-') != std::string::npos ? 1 : 0;
    }
    CHECK(toLines > 50);
}

TEST_CASE("open rows are those with the most, and their neighbours", "[report]") {
    using dormer::report::page::openRows;
    CHECK(openRows({0, 0, 0, 5, 0, 0, 0}, 1, 9) == std::vector<bool>{0, 0, 1, 1, 1, 0, 0});
    CHECK(openRows({1, 0, 0, 0, 0, 5, 0, 0, 0, 0, 2}, 0, 2) ==
          std::vector<bool>{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    CHECK(openRows({0, 1, 0, 0, 0, 2, 0}, 0, 9) == std::vector<bool>{0, 1, 1, 1, 1, 1, 0}); // a small gap
    CHECK(openRows({3, 0, 0, 4}, 2, 9) == std::vector<bool>{1, 1, 1, 1});
    CHECK(openRows({}, 2, 9).empty());
    const std::vector<dormer::report::page::RowRun> runs =
        dormer::report::page::runsOf({false, true, true, false});
    REQUIRE(runs.size() == 3);
    CHECK(runs[1].begin == 1);
    CHECK(runs[1].end == 3);
    CHECK(runs[1].open);
}
