// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/report/svg/roofline_drawing.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/markup_check.h"
#include "tests/support/mixed_session.h"
#include "tests/support/sample_session.h"

#include <regex>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;

using namespace dormer::view;
using dormer::tests::malformed;
using dormer::tests::occurrences;

namespace {

/// Centre of the circle that marks the row whose tooltip starts with `label`.
std::pair<double, double> circleOf(const std::string& svg, const std::string& label) {
    const std::size_t at = svg.find("<title>" + label + "&#10;");
    REQUIRE(at != std::string::npos);
    std::smatch found;
    const std::string rest = svg.substr(at, svg.find("</g>", at) - at);
    REQUIRE(std::regex_search(rest, found, std::regex("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"")));
    return {std::stod(found[1]), std::stod(found[2])};
}

} // namespace

TEST_CASE("the roofline picture is well-formed and has a place for every kernel", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const std::size_t kernels = kernelRows(diagnosis, 100).groups;
    for (const Work work : {Work::Fp32, Work::Fp64, Work::IntegerAndFp, Work::WarpInstructions})
        for (const MemoryLevel level :
             {MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1, MemoryLevel::Shared}) {
            const std::string svg = rooflineSvg(diagnosis, work, level);
            CHECK(malformed(svg) == "");
            CHECK(occurrences(svg, "class=\"pt ") == kernels); // on the chart or in the gutter, never dropped
            CHECK(svg.find("nan") == std::string::npos);
            CHECK(svg.find("inf") == std::string::npos);
        }
}

TEST_CASE("points stand where the axes say", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string svg = rooflineSvg(Diagnosis(session), Work::IntegerAndFp, MemoryLevel::Dram);
    // Ticks of the horizontal axis give pixels per decade; scale and padded transpose differ by known ratios.
    std::map<double, double> ticks;
    const std::regex tick("<text class=\"muted\" x=\"([0-9.]+)\" y=\"566\" [^>]*>([0-9.]+)</text>");
    for (std::sregex_iterator it(svg.begin(), svg.end(), tick), end; it != end; ++it)
        ticks[std::stod((*it)[2])] = std::stod((*it)[1]);
    REQUIRE(ticks.size() >= 3);
    const double decade = ticks.at(10) - ticks.at(1);
    CHECK(decade == Approx(ticks.at(100) - ticks.at(10)).margin(0.2));

    const Diagnosis diagnosis(session);
    for (const KernelRow& row : kernelRows(diagnosis, 100).rows) {
        if (row.verdict.bound != Bound::Memory) continue;
        const auto [x, y] = circleOf(svg, row.label);
        const double intensity = *diagnosis.metrics().value(row.launch, "int_fp_ops") /
                                 *diagnosis.metrics().value(row.launch, "dram_bytes");
        CHECK(x == Approx(ticks.at(1) + std::log10(intensity) * decade).margin(0.3));
    }
}

TEST_CASE("the ridge of an H100 stands at 20 FLOP per byte for FP32", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const std::string svg = rooflineSvg(Diagnosis(session), Work::Fp32, MemoryLevel::Dram);
    CHECK(svg.find(">ridge 20 FLOP/B</text>") != std::string::npos); // 66.9 / 3.352 = 19.96
    CHECK(svg.find(">FP32 66.9 TFLOP/s theoretical</text>") != std::string::npos);
    CHECK(svg.find(">DRAM 3.35 TB/s theoretical</text>") != std::string::npos);
    CHECK(svg.find("measured on NVIDIA H100") != std::string::npos);
}

TEST_CASE("measured roofs are drawn solid beside theoretical ones", "[report]") {
    Session session = dormer::tests::sampleSession();
    session.apply(MeasuredCeiling{0, "dram", 2.9e12, "triad"});
    session.apply(MeasuredCeiling{0, "fp32", 62e12, "fma"});
    const std::string svg = rooflineSvg(Diagnosis(session), Work::Fp32, MemoryLevel::Dram);
    CHECK(svg.find(">DRAM 2.90 TB/s measured · 3.35 theoretical</text>") != std::string::npos);
    CHECK(svg.find(">FP32 62.0 TFLOP/s measured · 66.9 theoretical</text>") != std::string::npos);
    CHECK(occurrences(svg, "<polyline class=\"roof\"") == 2);
    CHECK(malformed(svg) == "");
}

TEST_CASE("an empty session still gives a picture that says so", "[report]") {
    const Session session;
    const std::string svg = rooflineSvg(Diagnosis(session), Work::Fp32, MemoryLevel::Dram);
    CHECK(malformed(svg) == "");
    CHECK(svg.find("no kernel did FP32 work that was counted") != std::string::npos);
}

TEST_CASE("hostile names stay text in a picture", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const std::string svg = rooflineSvg(Diagnosis(session), Work::Fp32, MemoryLevel::Dram);
    CHECK(malformed(svg) == "");
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;alert(1)") != std::string::npos);
}

TEST_CASE("the picture marks scalar work beside tensor work, with its own roof", "[report]") {
    const Session session = dormer::tests::mixedSession();
    const std::string svg = rooflineSvg(Diagnosis(session), Work::Tensor, MemoryLevel::Dram);
    CHECK(malformed(svg) == "");
    CHECK(occurrences(svg, "class=\"levels parts\"") == 1);
    CHECK(svg.find(">FP32<") != std::string::npos);
    CHECK(svg.find(">FP32 66.9 TFLOP/s<") != std::string::npos);
    CHECK(svg.find("class=\"levels parts\" display") == std::string::npos); // there is nobody to select it
    CHECK(
        rooflineSvg(Diagnosis(dormer::tests::sampleSession()), Work::Fp32, MemoryLevel::Dram).find("parts") ==
        std::string::npos);
}
