// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/practical.h"

#include "analysis/store/session_file.h"
#include "analysis/verdict/verdict.h"
#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>

using namespace dormer::device;
using namespace dormer::metrics;
using namespace dormer::session;
using namespace dormer::tests;

TEST_CASE("Practical roofs are what the best recorded launches reached") {
    const auto session = dormer::store::loadSession(DORMER_SOURCE_DIR "/samples/h100-suite.dormer");
    REQUIRE(session);
    const MetricEvaluator metrics(*session);
    constexpr double kLongEnoughNs = 20'000;
    std::array<double, kResourceCount> best{};
    for (std::uint32_t i = 0; i < session->launches().size(); ++i) {
        const auto launch = static_cast<LaunchIndex>(i);
        if (session->launch(launch).durationNs.value_or(0) < kLongEnoughNs) continue;
        const auto verdict = dormer::verdict::judge(metrics, launch);
        for (std::size_t r = 0; r < best.size(); ++r)
            best[r] = std::max(best[r], verdict.utilization[r].value_or(0));
        const auto bytes = metrics.value(launch, "l2_bytes_per_second");
        const auto clock = metrics.value(launch, "l2_clock_hz");
        double& l2 = best[static_cast<std::size_t>(Resource::L2)];
        if (l2 < 2) l2 = 0; // a share, of lookups perhaps: sectors per clock stand here
        if (bytes && clock) l2 = std::max(l2, *bytes / 32 / *clock);
    }
    for (const RecordedBest& each : recordedBests()) {
        INFO(toString(each.resource));
        CHECK(best[static_cast<std::size_t>(each.resource)] == Approx(each.best).epsilon(0.01));
    }
}

TEST_CASE("A practical roof is at the clocks of the launch") {
    Clocks clocks;
    clocks.smHz = 1.98e9;
    clocks.memoryHz = 2.619e9;
    clocks.l2Hz = 1.7e9;
    const auto l2 = practicalRoof(h100Sxm(), Resource::L2, 240 * 32 * 1.7e9, clocks);
    REQUIRE(l2);
    CHECK(l2->perSecond == Approx(125.8 * 32 * 1.7e9)); // 6.8 TB/s, of 13.1
    CHECK(practicalRoof(h100Sxm(), Resource::Dram, 3e12, clocks)->perSecond == Approx(0.94 * 3e12));
    CHECK_FALSE(practicalRoof(h100Sxm(), Resource::Fp16, 1e14, clocks)); // none is recorded
    CHECK_FALSE(practicalRoof(h100Sxm(), Resource::L2, 0, Clocks{}));
    Device other = h100Sxm();
    other.computeCapabilityMajor = 12;
    CHECK_FALSE(practicalRoof(other, Resource::Dram, 3e12, clocks));
}
