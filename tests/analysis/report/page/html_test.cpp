// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/kernel_rows.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/sample_session.h"

#include <chrono>
#include <cmath>
#include <map>
#include <regex>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::view;
using dormer::tests::malformed;
using dormer::tests::occurrences;

namespace {

/// Elements without an end tag in HTML are closed, so that the strict check can read the page.
std::string asXml(std::string html) {
    html = std::regex_replace(html, std::regex("^<!doctype html>"), "");
    html = std::regex_replace(html, std::regex("(<(meta|input)[^>]*)>"), "$1/>");
    return std::regex_replace(html, std::regex(" data-first>"), ">");
}

/// Colours of the n-th :root block of the style sheet: 0 light, 1 dark, 2 paper.
std::map<std::string, std::uint32_t> colours(const std::string& html, int block) {
    std::size_t at = 0;
    for (int i = 0; i <= block; ++i)
        at = html.find(":root {", at) + 1;
    const std::string text = html.substr(at, html.find('}', at) - at);
    std::map<std::string, std::uint32_t> found;
    const std::regex colour("--([a-z-]+): #([0-9a-f]{3,6});");
    for (std::sregex_iterator it(text.begin(), text.end(), colour), end; it != end; ++it) {
        std::string hex = (*it)[2];
        if (hex.size() == 3) hex = {hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]};
        found[(*it)[1]] = static_cast<std::uint32_t>(std::stoul(hex, nullptr, 16));
    }
    return found;
}

/// WCAG 2.1, relative luminance and contrast ratio.
double luminance(std::uint32_t rgb) {
    const auto channel = [&](int shift) {
        const double c = ((rgb >> shift) & 0xff) / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
}

double contrast(std::uint32_t a, std::uint32_t b) {
    const double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;
    return std::max(la, lb) / std::min(la, lb);
}

} // namespace

TEST_CASE("text has a contrast of at least 4.5 on every ground, markers 3 on panels", "[report]") {
    CHECK(contrast(0xffffff, 0x000000) == Approx(21));
    const Session session;
    const std::string html = htmlReport(Diagnosis(session), "colours");
    for (int block = 0; block < 3; ++block) {
        auto colour = colours(html, block);
        for (const char* ground : {"panel", "ground", "sunken", "selection"})
            for (const char* text : {"text", "muted", "gain", "good", "accent"}) {
                INFO(block << ": " << text << " on " << ground);
                CHECK(contrast(colour.at(text), colour.at(ground)) >= 4.5);
            }
        for (const char* mark : {"memory", "compute", "latency", "balanced", "unknown"}) {
            INFO(block << ": " << mark);
            CHECK(contrast(colour.at(mark), colour.at("panel")) >= 3);
        }
    }
}

TEST_CASE("the page is one file that loads nothing", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string html = htmlReport(Diagnosis(session), "suite");
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
    const std::string html = htmlReport(Diagnosis(session), "suite");
    CHECK(malformed(asXml(html)) == "");
    const std::regex link("href=\"#([^\"]+)\"");
    std::size_t links = 0;
    for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it, ++links)
        CHECK(html.find("id=\"" + (*it)[1].str() + "\"") != std::string::npos);
    CHECK(links > 20);
}

TEST_CASE("each kernel has a row and its evidence", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const std::string html = htmlReport(diagnosis, "suite");
    const KernelRows rows = kernelRows(diagnosis, 100);
    CHECK(occurrences(html, "<tr data-row=") == rows.rows.size());
    CHECK(occurrences(html, "<article ") == rows.rows.size());
    for (const KernelRow& row : rows.rows)
        CHECK(html.find("<h3>" + row.label + "</h3>") != std::string::npos);
    for (const char* words :
         {"measured on NVIDIA H100", "driver 580.95.05", "counter set memory", "counters in 5 passes",
          "flushed before each counted launch", "Memory bounds", "Recommendations, by estimated time saved",
          "32 / 4", "Expected values", "Memory chart", "Utilization (% of peak)", "ridge 20 FLOP/B",
          "clocks were not locked"})
        CHECK(html.find(words) != std::string::npos);
    // The kernel without counters says why it has dashes.
    CHECK(html.find("excluded by --kernels") != std::string::npos);
}

TEST_CASE("hostile names are text everywhere on the page", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const std::string html = htmlReport(Diagnosis(session), dormer::tests::kHostileName);
    CHECK(malformed(asXml(html)) == "");
    CHECK(html.find("<script>alert") == std::string::npos);
    CHECK(html.find("<img") == std::string::npos);
    CHECK(html.find('\x1b') == std::string::npos);
    CHECK(html.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
    CHECK(occurrences(html, "<script") == 2); // ours
}

TEST_CASE("an empty session gives a page that says so", "[report]") {
    const Session session;
    const std::string html = htmlReport(Diagnosis(session), "nothing");
    CHECK(malformed(asXml(html)) == "");
    CHECK(html.find("No kernel was launched.") != std::string::npos);
}

TEST_CASE("a session of 100,000 launches makes a page of a few megabytes", "[report]") {
    const Session session = dormer::tests::generatedSession(100'000);
    const Diagnosis diagnosis(session);
    const auto start = std::chrono::steady_clock::now();
    const std::string html = htmlReport(diagnosis, "long");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(html.size() < 10'000'000);
    CHECK(std::regex_search(html, std::regex("faint dots are single launches, [0-9]+ of [0-9]+ drawn")));
    WARN("html of 100,000 launches: " << took.count() << " s, " << html.size() / 1000 << " kB");
}
