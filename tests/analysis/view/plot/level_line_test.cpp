// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/level_line.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <algorithm>
#include <cmath>

using namespace dormer::view::plot;
using namespace dormer::verdict;
using dormer::session::LaunchIndex;
using dormer::session::Session;

namespace {

LaunchIndex launchOf(const Session& session, std::string_view workload) {
    const auto found = std::ranges::find(session.launches(), workload, &dormer::session::Launch::workload);
    REQUIRE(found != session.launches().end());
    return LaunchIndex(static_cast<std::size_t>(found - session.launches().begin()));
}

} // namespace

TEST_CASE("a kernel has a place at each level that it moved bytes at, its work divided by them") {
    const Session session = dormer::tests::sampleSession();
    const dormer::metrics::MetricEvaluator metrics(session);
    const LevelLine line = levelLine(metrics, launchOf(session, "roofline/vector_add"), Work::Fp32);
    // 2^24 additions in 68 µs; 12 bytes of each go through DRAM, L2 and L1, none through shared memory.
    CHECK(line.rate == Approx(16777216.0 / 68e-6).epsilon(1e-3));
    REQUIRE(line.stops.size() == 3);
    for (const LevelLine::Stop& stop : line.stops)
        CHECK(stop.intensity == Approx(1.0 / 12).epsilon(0.01));
    CHECK(
        std::ranges::none_of(line.stops, [](const auto& stop) { return stop.level == MemoryLevel::Shared; }));
    CHECK(levelLine(metrics, launchOf(session, "roofline/vector_add"), Work::Fp64).stops.empty());
}

TEST_CASE("the further from the SM, the fewer bytes and the higher the intensity") {
    const Session session = dormer::tests::sampleSession();
    const dormer::metrics::MetricEvaluator metrics(session);
    bool any = false;
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const LevelLine line = levelLine(metrics, LaunchIndex(i), Work::IntegerAndFp);
        CHECK(std::ranges::is_sorted(line.stops, {}, &LevelLine::Stop::intensity));
        any = any || line.stops.size() > 2;
    }
    CHECK(any);
}

TEST_CASE("other levels' roofs are those of the device, measured where it was") {
    Session session = dormer::tests::sampleSession();
    const std::vector<LevelRoof> theoretical = levelRoofs(session, Work::Fp32, MemoryLevel::Dram, 0);
    // L1 and shared memory move 128 bytes a cycle each; no data sheet tells of the L2.
    REQUIRE(theoretical.size() == 1);
    CHECK(theoretical[0].label == "shared memory / L1 33.5 TB/s");
    CHECK_FALSE(theoretical[0].roof.measured);
    CHECK(theoretical[0].level == MemoryLevel::L1);
    CHECK(*theoretical[0].roof.memory == Approx(std::log10(132 * 1.98e9 * 128)).epsilon(0.01));
    dormer::session::MeasuredCeiling l2;
    l2.device = session.devices().front().id;
    l2.resource = "l2";
    l2.perSecond = 5.5e12;
    (void)session.apply(l2); // says whether it is a launch
    const std::vector<LevelRoof> measured = levelRoofs(session, Work::Fp32, MemoryLevel::Dram, 0);
    REQUIRE(measured.size() == 2);
    CHECK(measured[0].roof.measured);
    CHECK(measured[0].label == "L2 5.50 TB/s");
    CHECK(levelRoofs(session, Work::Fp32, MemoryLevel::L2, 0).front().level == MemoryLevel::Dram);
    CHECK(levelRoofs(session, Work::Fp32, MemoryLevel::L2, 9).empty()); // no such device
}
