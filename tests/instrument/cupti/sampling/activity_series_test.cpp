// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/activity_series.h"
#include "tests/instrument/cupti/sampling/sampled_device.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

const SampleGroup kGroup{{"lts__t_sectors.sum", "lts__t_sectors.sum", Meaning::Sum},
                         {"clock", "sm__cycles_elapsed.avg.per_second", Meaning::Mean},
                         {"hits", "lts__t_sectors_lookup_hit.sum", Meaning::ShareOfSectors},
                         {"peak", "lts__t_sectors.sum.peak_sustained", Meaning::Constant}};

Burst burstOf(std::vector<std::array<double, 4>> rows, std::int64_t intervalNs) {
    Burst burst;
    burst.intervalNs = intervalNs;
    for (const auto& row : rows) {
        const auto at = static_cast<std::int64_t>(burst.startNs.size()) * intervalNs;
        burst.startNs.push_back(1'000'000 + at);
        burst.endNs.push_back(1'000'000 + at + intervalNs);
        burst.values.insert(burst.values.end(), row.begin(), row.end());
    }
    return burst;
}

} // namespace

TEST_CASE("A device's activity is told in steps: sums per second, rates as their mean") {
    const Burst burst = burstOf(
        {{100, 1e9, 0.5, 7}, {300, 2e9, 1.0, 7}, {0, 1e9, kNothing, 7}, {50, 1e9, 0.2, 7}, {9, 9, 9, 9}},
        10'000);
    const auto all = activityOf(burst, kGroup, -400, 2);
    // Five samples in steps of three: one is whole.
    REQUIRE(all.size() == 3);
    CHECK(all[0].values.values.size() == 1);

    const auto pairs = activityOf(
        burstOf({{100, 1e9, 0.5, 7}, {300, 2e9, 1.0, 7}, {0, 1e9, kNothing, 7}, {50, 1e9, 0.2, 7}}, 10'000),
        kGroup, -400, 2);
    REQUIRE(pairs.size() == 3); // not what never changes
    for (const session::DeviceActivity& each : pairs) {
        CHECK(each.startNs == 999'600);
        CHECK(each.stepNs == 20'000);
        REQUIRE(each.values.values.size() == 2);
    }
    CHECK(pairs[0].counter == "lts__t_sectors.sum");
    CHECK(pairs[0].values.values[0] == Approx(400 / 20e-6)); // sectors in 20 µs
    CHECK(pairs[0].values.values[1] == Approx(50 / 20e-6));
    CHECK(pairs[1].values.values[0] == Approx(1.5e9));
    CHECK(pairs[2].values.values[0] == Approx((50 + 300) / 20e-6)); // shares of the sectors
    CHECK(pairs[2].values.values[1] == Approx(10 / 20e-6));
}

TEST_CASE("What the hardware did not give is no zero in a device's activity") {
    const auto all = activityOf(burstOf({{kNothing, 1e9, 0, 0}, {5, 1e9, 0, 0}}, 10'000), kGroup, 0, 2);
    REQUIRE(all.size() == 3);
    CHECK(std::isnan(all[0].values.values[0]));
    CHECK(all[0].values.values[1] == Approx(5 / 10e-6));
    CHECK(activityOf(Burst{}, kGroup, 0, 64).empty());
}

TEST_CASE("Activity of a run of hours grows ever slower") {
    CHECK(activitySteps(0) == 64);
    CHECK(activitySteps(255) == 64);
    CHECK(activitySteps(256) == 32);
    CHECK(activitySteps(512) == 16);
    CHECK(activitySteps(std::size_t{1} << 20) == 1);
}
