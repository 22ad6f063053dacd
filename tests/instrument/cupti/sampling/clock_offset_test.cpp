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

TEST_CASE("Launches back to back tell the offset, too, when they differ") {
    SampledDevice device = SampledDevice::program({{1, 3.0}, {2, 0.1}, {3, 1.0}}, 20'000, 90'000, 300, 0);
    device.stampedEarlyNs = 400;
    ClockOffset offset;
    const Burst burst = device.burst(5'000, 700);
    offset.learn(burst, burst.values, device.kernels);
    CHECK(offset.ns() == Approx(400).margin(100));
}

TEST_CASE("Launches that are all alike tell nothing: the offset stays what it was") {
    SampledDevice device = SampledDevice::program({{1, 1.0}}, 20'000, 90'000, 200, 0);
    device.stampedEarlyNs = 1'700;
    ClockOffset offset;
    const std::int64_t before = offset.ns();
    Burst burst = device.burst(5'000, 700);
    for (auto* edges : {&burst.startNs, &burst.endNs}) { // before the first launch and after the last
        edges->erase(edges->begin(), edges->begin() + 3);
        edges->resize(edges->size() - 3);
    }
    burst.values.erase(burst.values.begin(), burst.values.begin() + 3);
    burst.values.resize(burst.values.size() - 3);
    offset.learn(burst, burst.values, device.kernels);
    CHECK(offset.ns() == before);
}
