// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/report/report_rows.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/sample_session.h"

#include <chrono>
#include <regex>

using namespace dormer::analysis;
using dormer::tests::malformed;
using dormer::tests::occurrences;

namespace {

/// Elements without an end tag in HTML are closed, so that the strict check can read the page.
std::string asXml(std::string html) {
    html = std::regex_replace(html, std::regex("^<!doctype html>"), "");
    html = std::regex_replace(html, std::regex("(<(meta|input)[^>]*)>"), "$1/>");
    return std::regex_replace(html, std::regex(" data-first>"), ">");
}

} // namespace

TEST_CASE("the page is one file that loads nothing", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string html = htmlReport(MetricEvaluator(session), "suite");
    for (const char* loading :
         {"src=", "url(", "@import", "<link", "<iframe", "fetch(", "XMLHttpRequest", "href=\"http"})
        CHECK(html.find(loading) == std::string::npos);
    CHECK(occurrences(html, "http://") == occurrences(html, "xmlns=\"http://www.w3.org/2000/svg\""));
    CHECK(html.find("https://") == std::string::npos);
    CHECK(html.find("default-src &#39;none&#39;") ==
          std::string::npos); // the policy must not be escaped away
    CHECK(html.find("default-src 'none'") != std::string::npos);
}

TEST_CASE("the page is well-formed and every link on it leads somewhere", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string html = htmlReport(MetricEvaluator(session), "suite");
    CHECK(malformed(asXml(html)) == "");
    const std::regex link("href=\"#([^\"]+)\"");
    std::size_t links = 0;
    for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it, ++links)
        CHECK(html.find("id=\"" + (*it)[1].str() + "\"") != std::string::npos);
    CHECK(links > 20);
}

TEST_CASE("each kernel has a row and its evidence", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const MetricEvaluator metrics(session);
    const std::string html = htmlReport(metrics, "suite");
    const ReportRows rows = reportRows(metrics, 100);
    CHECK(occurrences(html, "<tr data-row=") == rows.rows.size());
    CHECK(occurrences(html, "<article ") == rows.rows.size());
    for (const ReportRow& row : rows.rows)
        CHECK(html.find("<h3>" + row.label + "</h3>") != std::string::npos);
    for (const char* words :
         {"measured on NVIDIA H100", "driver 580.95.05", "counter set memory", "passes 5",
          "flushed before each counted launch", "Memory bounds", "Most to gain", "32 / 4", "Known answers",
          "Where the bytes go", "ridge 20 FLOP/B", "clocks were not locked"})
        CHECK(html.find(words) != std::string::npos);
    // The kernel without counters says why it has dashes.
    CHECK(html.find("excluded by --kernels") != std::string::npos);
}

TEST_CASE("hostile names are text everywhere on the page", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const std::string html = htmlReport(MetricEvaluator(session), dormer::tests::kHostileName);
    CHECK(malformed(asXml(html)) == "");
    CHECK(html.find("<script>alert") == std::string::npos);
    CHECK(html.find("<img") == std::string::npos);
    CHECK(html.find('\x1b') == std::string::npos);
    CHECK(html.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
    CHECK(occurrences(html, "<script") == 2); // ours
}

TEST_CASE("an empty session gives a page that says so", "[report]") {
    const Session session;
    const std::string html = htmlReport(MetricEvaluator(session), "nothing");
    CHECK(malformed(asXml(html)) == "");
    CHECK(html.find("No kernel was launched.") != std::string::npos);
}

TEST_CASE("a session of 100,000 launches makes a page of a few megabytes", "[report]") {
    const Session session = dormer::tests::generatedSession(100'000);
    const MetricEvaluator metrics(session);
    const auto start = std::chrono::steady_clock::now();
    const std::string html = htmlReport(metrics, "long");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(html.size() < 10'000'000);
    CHECK(std::regex_search(html, std::regex("faint dots are single launches, [0-9]+ of [0-9]+ drawn")));
    WARN("html of 100,000 launches: " << took.count() << " s, " << html.size() / 1000 << " kB");
}
