// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/roof_geometry.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <cmath>

using namespace dormer::view::plot;
using namespace dormer::verdict;
using dormer::device::Resource;
using dormer::session::Session;

namespace {

/// H100 SXM: 3.352 TB/s, 66.9 TFLOP/s, and what a copy and an FMA loop reach of it.
Roofline h100(bool measured) {
    Roofline roofline;
    roofline.memory = {{.resource = Resource::Dram, .perSecond = 3.352e12, .source = {}}};
    roofline.compute = {{.resource = Resource::Fp32, .perSecond = 66.9e12, .source = {}}};
    roofline.ridge = 66.9 / 3.352;
    if (measured) {
        roofline.memory.push_back(
            {.resource = Resource::Dram, .perSecond = 3.02e12, .measured = true, .source = {}});
        roofline.compute.push_back(
            {.resource = Resource::Fp32, .perSecond = 63.5e12, .measured = true, .source = {}});
    }
    return roofline;
}

const ChartRange kView{{-2, 3}, {10, 14}};

} // namespace

TEST_CASE("slope and flat meet at the ridge") {
    const auto all = roofs(h100(true));
    REQUIRE(all.size() == 2);
    CHECK_FALSE(all[0].measured);
    CHECK(std::pow(10, *all[0].ridge()) == Approx(19.96).epsilon(1e-3));
    CHECK(std::pow(10, *all[1].ridge()) == Approx(63.5 / 3.02));
    const auto slope = slopeIn(all[0], kView), flat = flatIn(all[0], kView);
    REQUIRE(slope);
    REQUIRE(flat);
    CHECK(slope->x1 == -2);
    CHECK(slope->y1 == Approx(std::log10(3.352e10)));
    CHECK(slope->x2 == Approx(flat->x1));
    CHECK(slope->y2 == Approx(flat->y1));
    CHECK(flat->x2 == 3);
}

TEST_CASE("roofs out of view are not drawn") {
    const Roof roof = roofs(h100(false))[0];
    CHECK_FALSE(slopeIn(roof, {{2, 3}, {10, 14}}));
    CHECK_FALSE(flatIn(roof, {{-2, 1}, {10, 14}}));
    CHECK_FALSE(flatIn(roof, {{-2, 3}, {10, 13}}));
    CHECK(slopeIn(roof, {{-2, 3}, {11, 12}})->y2 == Approx(12));
}

TEST_CASE("a side measured alone is drawn alone") {
    Roofline roofline = h100(true);
    roofline.memory.pop_back();
    const auto all = roofs(roofline);
    REQUIRE(all.size() == 2);
    CHECK_FALSE(slopeIn(all[1], kView));
    REQUIRE(flatIn(all[1], kView));
    CHECK(std::pow(10, flatIn(all[1], kView)->x1) == Approx(63.5 / 3.352));
}

TEST_CASE("a roof is one line, its shades lie under it and its ridge goes down to the axis") {
    const Roof roof = roofs(h100(false))[0];
    const double ridge = *roof.ridge();
    const auto line = outlineIn(roof, kView);
    REQUIRE(line.size() == 3);
    CHECK(line[1].x == Approx(ridge));
    CHECK(line[1].y == Approx(*roof.compute));
    const Shades shades = shadesIn(roof, kView);
    for (const auto& [corners, left, right] :
         {std::tuple(shades.memory, -2.0, ridge), std::tuple(shades.compute, ridge, 3.0)}) {
        REQUIRE(corners.size() == 4);
        for (const Spot& corner : corners) {
            CHECK(corner.x >= Approx(left));
            CHECK(corner.x <= Approx(right));
            CHECK(corner.y >= kView.y.lower);
            CHECK(corner.y <= Approx(*roof.attainable(corner.x)));
        }
    }
    CHECK(ridgeIn(roof, kView)->x1 == Approx(ridge));
    CHECK(ridgeIn(roof, kView)->y1 == Approx(*roof.compute));
    CHECK(ridgeIn(roof, kView)->y2 == 10);
    // Zoomed in under the roof, everything is shade; above it nothing is.
    const ChartRange below{{0, 1}, {10, 11}}, above{{-2, 0}, {13, 14}};
    CHECK(shadesIn(roof, below).memory.size() == 4);
    CHECK(shadesIn(roof, above).memory.empty());
    CHECK(outlineIn(roof, above).empty());
    CHECK_FALSE(ridgeIn(roof, below));
    CHECK(shadesIn({.memory = 12.5, .compute = {}}, kView).memory.empty()); // no ridge to part them
}

TEST_CASE("what is attainable, and where") {
    const Roof roof = roofs(h100(false))[0];
    CHECK(std::pow(10, *roof.attainable(0)) == Approx(3.352e12));
    CHECK(std::pow(10, *roof.attainable(2)) == Approx(66.9e12));
    CHECK(std::pow(10, *roof.leastIntensity(std::log10(33.52e12))) == Approx(10));
    CHECK_FALSE(roof.leastIntensity(std::log10(70e12)));
}

TEST_CASE("labels say what is measured and what is promised, in one unit") {
    CHECK(memoryRoofLabel(h100(true)) == "DRAM 3.02 TB/s measured · 3.35 theoretical");
    CHECK(computeRoofLabel(h100(true)) == "FP32 63.5 TFLOP/s measured · 66.9 theoretical");
    CHECK(computeRoofLabel(h100(false)) == "FP32 66.9 TFLOP/s theoretical");
    CHECK(shortMemoryRoofLabel(h100(true)) == "DRAM 3.02 TB/s");
    CHECK(memoryRoofLabel({}).empty());
    CHECK(ridgeLabel(14.66, Work::Fp32) == "ridge 14.7 FLOP/B");
    CHECK(ridgeLabel(19.96, Work::IntegerAndFp) == "ridge 20 op/B");
    CHECK(intensityAxisTitle(Work::Fp32, MemoryLevel::Dram) == "arithmetic intensity, FLOP per DRAM byte");
    CHECK(intensityAxisTitle(Work::WarpInstructions, MemoryLevel::L2) ==
          "intensity, warp instructions per L2 byte");
    CHECK(rateText(1.23e12, Work::Fp64) == "1.23 TFLOP/s");
}

TEST_CASE("roofs of a session need none of its launches") {
    const Session session = dormer::tests::sampleSession();
    const Roofline here = roofsOf(session, Work::Fp32, MemoryLevel::Dram);
    CHECK(here.points.empty());
    REQUIRE(here.memory.size() == 1);
    CHECK(here.memory[0].perSecond == Approx(3.352e12).epsilon(1e-3)); // NVIDIA's figure for the H100 SXM
    CHECK(here.compute[0].perSecond == Approx(66.9e12).epsilon(1e-2));
    CHECK(roofsOf(Session(), Work::Fp32, MemoryLevel::Dram).memory.empty());
}
