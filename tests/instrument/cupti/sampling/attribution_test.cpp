// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/cupti/sampling/sampled_device.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace dormer;
using namespace dormer::tests;

namespace {

double rateOf(const Attribution& attribution, std::uint32_t signature) {
    return attribution.totals().at(signature).at("dram__bytes_read.sum").perNs();
}

} // namespace

TEST_CASE("Launches of several samples get what they did, whatever ran before and after") {
    const SampledDevice device =
        SampledDevice::program({{1, 2.5}, {2, 0.001}, {3, 0.8}}, 20'000, 60'000, 300, 4'000);
    Attribution attribution;
    const auto wholes = attribution.add(device.burst(2'000, 700), kOneSum, device.kernels, 0);
    for (const auto& [signature, rate] : device.perNs)
        CHECK(rateOf(attribution, signature) == Approx(rate).epsilon(0.01).margin(0.005));
    // Every one of at least ten samples.
    CHECK(wholes.size() == device.kernels.size());
    for (const Attribution::Whole& whole : wholes) {
        const KernelInterval& kernel = device.kernels[whole.kernel];
        const double counted =
            device.perNs.at(kernel.signature) * static_cast<double>(kernel.endNs - kernel.startNs);
        REQUIRE(whole.values.size() == 1);
        CHECK(whole.values.front().second == Approx(counted).epsilon(0.05).margin(3'000));
    }
}

TEST_CASE("Launches shorter than a sample are resolved by the sums of their signatures") {
    const SampledDevice device =
        SampledDevice::program({{1, 3.0}, {2, 0.1}, {3, 1.0}}, 2'000, 6'000, 6'000, 2'000);
    Attribution attribution;
    const auto wholes = attribution.add(device.burst(5'000, 1'300), kOneSum, device.kernels, 0);
    CHECK(wholes.empty());
    for (const auto& [signature, rate] : device.perNs)
        CHECK(rateOf(attribution, signature) == Approx(rate).epsilon(0.05).margin(0.02));
}

TEST_CASE("What is shared out is what was counted, no more and no less") {
    SampledDevice device = SampledDevice::program({{1, 3.0}, {2, 0.1}}, 2'000, 9'000, 500, 100);
    Attribution attribution;
    const Burst burst = device.burst(5'000, 300);
    attribution.add(burst, kOneSum, device.kernels, 0);
    double given = 0;
    for (const auto& [signature, totals] : attribution.totals())
        given += totals.at("dram__bytes_read.sum").value;
    double counted = 0;
    for (const double value : burst.values)
        counted += value;
    CHECK(given == Approx(counted).epsilon(1e-9));
}

TEST_CASE("Launches side by side are told apart by what their signatures do alone") {
    SampledDevice device{.perNs = {{1, 2.0}, {2, 0.5}}, .kernels = {}};
    std::int64_t at = 1'000'000;
    for (int i = 0; i < 40; ++i) {
        device.kernels.push_back({at, at + 50'000, 1});
        device.kernels.push_back({at + 60'000, at + 110'000, 2});
        device.kernels.push_back({at + 120'000, at + 170'000, 1});
        device.kernels.push_back({at + 120'000, at + 170'000, 2}); // both at once
        at += 200'000;
    }
    Attribution attribution;
    attribution.add(device.burst(5'000, 1'000), kOneSum, device.kernels, 0);
    CHECK(rateOf(attribution, 1) == Approx(2.0).epsilon(0.01));
    CHECK(rateOf(attribution, 2) == Approx(0.5).epsilon(0.01));
    // Half of its time was shared with another.
    const Attribution::Total& total = attribution.totals().at(1).at("dram__bytes_read.sum");
    CHECK(total.shared / total.value == Approx(0.5).epsilon(0.15));
}

TEST_CASE("The uncertainty covers the error, and shrinks with launches") {
    double first = 0;
    for (const int launches : {40, 400, 4'000}) {
        SampledDevice device = SampledDevice::program({{1, 3.0}, {2, 0.3}}, 8'000, 16'000, launches, 500);
        Attribution attribution;
        attribution.add(device.burst(5'000, 700), kOneSum, device.kernels, 0);
        const Attribution::Total& total = attribution.totals().at(1).at("dram__bytes_read.sum");
        REQUIRE(total.uncertainty());
        CHECK(std::abs(total.perNs() / 3.0 - 1) < 3 * *total.uncertainty());
        if (launches == 400) CHECK(*total.uncertainty() < first / 2);
        if (launches == 4'000) CHECK(*total.uncertainty() < first / 5);
        if (launches == 40) first = *total.uncertainty();
    }
}

TEST_CASE("Clocks are means over a launch's time, shares of sectors become sectors") {
    const SampleGroup group{{"lts__t_sectors.sum", "lts__t_sectors.sum", Meaning::Sum},
                            {"lts__hits.ratio", "lts__t_sectors_lookup_hit.sum", Meaning::ShareOfSectors},
                            {"sm__clock", "sm__cycles_elapsed.avg.per_second", Meaning::Mean}};
    Burst burst;
    burst.intervalNs = 10;
    const double samples[][3] = {{100, 0.25, 1.0e9}, {300, 0.75, 2.0e9}, {0, std::nan(""), 2.0e9}};
    for (std::int64_t i = 0; i < 3; ++i) {
        burst.startNs.push_back(10 * i);
        burst.endNs.push_back(10 * i + 10);
        burst.values.insert(burst.values.end(), std::begin(samples[i]), std::end(samples[i]));
    }
    const std::vector<KernelInterval> kernels{{0, 30, 5}};
    Attribution attribution;
    attribution.add(burst, group, kernels, 0);
    const Attribution::Totals& totals = attribution.totals().at(5);
    CHECK(totals.at("lts__t_sectors.sum").value == 400);
    CHECK(totals.at("lts__t_sectors_lookup_hit.sum").value == 100 * 0.25 + 300 * 0.75);
    CHECK(totals.at("sm__cycles_elapsed.avg.per_second").perNs() == Approx((1.0e9 + 2.0e9 + 2.0e9) / 3));
}

TEST_CASE("Traffic of a copy is not laid at the door of the kernel beside it") {
    SampledDevice device{.perNs = {{1, 1.0}, {0xffffffff, 3.0}}, .kernels = {}};
    std::int64_t at = 1'000'000;
    for (int i = 0; i < 50; ++i) {
        device.kernels.push_back({at, at + 40'000, 1});
        device.kernels.push_back({at + 20'000, at + 60'000, 0xffffffff});
        at += 100'000;
    }
    Attribution attribution;
    attribution.add(device.burst(5'000, 2'500), kOneSum, device.kernels, 0);
    CHECK(rateOf(attribution, 1) == Approx(1.0).epsilon(0.02));
}
