// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/cupti/sampling/sampled_device.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("The offset of samples is found from where kernels begin and end") {
    for (const std::int64_t early : {0, 500, 900, 1'700}) {
        SampledDevice device = SampledDevice::program({{1, 1.0}}, 20'000, 90'000, 200, 30'000);
        device.stampedEarlyNs = early;
        ClockOffset offset;
        const Burst burst = device.burst(5'000, 700);
        offset.learn(burst, burst.values, device.kernels);
        CHECK(offset.ns() == Approx(early).margin(200));
    }
}

TEST_CASE("Without idle time the offset stays what it was") {
    SampledDevice device = SampledDevice::program({{1, 1.0}}, 20'000, 90'000, 200, 0);
    device.stampedEarlyNs = 1'700;
    ClockOffset offset;
    const std::int64_t before = offset.ns();
    const Burst burst = device.burst(5'000, 700);
    offset.learn(burst, burst.values, device.kernels);
    CHECK(offset.ns() == before);
}
