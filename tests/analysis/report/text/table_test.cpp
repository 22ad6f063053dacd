// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/report_summary.h"
#include "analysis/view/text.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/sample_session.h"

#include <sstream>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::view;

namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string lineWith(const std::string& text, std::string_view word) {
    for (const std::string& line : linesOf(text))
        if (line.find(word) != std::string::npos) return line;
    return {};
}

} // namespace

TEST_CASE("the summary accounts for all GPU time", "[report]") {
    const Session session = dormer::tests::sampleSession();
    for (const std::size_t limit : {100u, 2u}) {
        const KernelRows rows = kernelRows(Diagnosis(session), limit);
        const ReportSummary summary = summarize(rows);
        double ns = 0;
        std::size_t kernels = 0;
        for (const auto& share : summary.shares) {
            ns += share.ns;
            kernels += share.kernels;
        }
        CHECK(ns == Approx(rows.totalNs));
        CHECK(kernels == 11); // all, whatever the limit
    }
    const Session empty;
    CHECK(summarize(kernelRows(Diagnosis(empty), 9)).sentence == "No kernel was launched.");
}

TEST_CASE("the table is aligned and says the verdict by word and symbol", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string table = tableText(Diagnosis(session));
    const auto lines = linesOf(table);
    const std::size_t timeColumn = displayWidth(lines[0].substr(0, lines[0].find("time, µs"))) + 8;
    for (std::size_t i = 1; i < lines.size() && !lines[i].empty(); ++i) {
        // Right-aligned: each row's time ends where the head ends.
        std::size_t bytes = 0;
        while (bytes < lines[i].size() && displayWidth(lines[i].substr(0, bytes)) < timeColumn)
            ++bytes;
        CHECK(std::isdigit(static_cast<unsigned char>(lines[i][bytes - 1])));
        CHECK(lines[i][bytes] == ' ');
    }
    CHECK(lineWith(table, "vector_sum/coalesced").starts_with("● memory-bound"));
    CHECK(lineWith(table, "roofline/fma_chain").starts_with("■ compute-bound"));
    CHECK(lineWith(table, " fill ").starts_with("○ undetermined"));
    CHECK(lineWith(table, " fill ").find("–") != std::string::npos);
    CHECK(lines.back().find("measured on NVIDIA H100") != std::string::npos);
}

TEST_CASE("hostile names stay on their line of the table and of Markdown", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const Diagnosis diagnosis(session);
    const std::string table = tableText(diagnosis);
    CHECK(table.find('\x1b') == std::string::npos);
    const auto lines = linesOf(table);
    REQUIRE(lines.size() > 4);
    CHECK(lines[2].empty()); // head, one row, blank, foot; then the transfers
    CHECK(lines[4].empty());
    const std::string markdown = markdownText(diagnosis);
    for (std::size_t at = markdown.find('<'); at != std::string::npos; at = markdown.find('<', at + 1))
        CHECK(markdown[at - 1] == '\\'); // escaped: no HTML
    CHECK(markdown.find('\x1b') == std::string::npos);
}

TEST_CASE("Markdown has a table whose rows have the cells of its head", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string markdown = markdownText(Diagnosis(session));
    std::size_t rows = 0;
    for (const std::string& line : linesOf(markdown)) {
        if (!line.starts_with("|")) continue;
        CHECK(std::count(line.begin(), line.end(), '|') == 12);
        ++rows;
    }
    CHECK(rows == 2 + kernelRows(Diagnosis(session), 100).rows.size());
    CHECK(markdown.find("## How it was measured") != std::string::npos);
    CHECK(markdown.find("driver: 580.95.05") != std::string::npos);
}

TEST_CASE("a kernel that was not timed has no time, rather than a time of zero", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Device{});
    Kernel kernel;
    kernel.name = "stopped(int*)";
    session.apply(kernel);
    session.apply(Launch{});
    const Diagnosis diagnosis(session);
    const std::string line = lineWith(tableText(diagnosis), "stopped");
    CHECK(line.starts_with("○ undetermined"));
    CHECK(line.find("0.0000") == std::string::npos);
    CHECK(lineWith(markdownText(diagnosis), "stopped").find("| – | – |") != std::string::npos);
}
