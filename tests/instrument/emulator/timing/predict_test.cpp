// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/timing/predict.h"

#include "analysis/verdict/verdict.h"
#include "instrument/emulator/timing/synthesize.h"
#include "tests/instrument/emulator/timing/recorded_suite.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>

using namespace dormer;
using namespace dormer::emulator::counts;
using namespace dormer::emulator::timing;
using tests::recordedKernels;

namespace {

const device::Chip& h100() {
    return *device::findChip("H100");
}

verdict::Verdict judged(const tests::RecordedKernel& kernel, const Prediction& prediction) {
    session::Session session;
    session.apply(h100().device);
    session::Kernel described = tests::recordedH100().kernelOf(kernel.launch);
    described.id = 0;
    session.apply(described);
    session::Launch launch = tests::recordedH100().launch(kernel.launch);
    launch.id = launch.kernel = 0;
    launch.durationNs = prediction.durationNs;
    launch.blocksPerSm = prediction.blocksPerSm;
    session.apply(launch);
    session.apply(session::LaunchCounters{0,
                                          synthesizeCounters(*metrics::findCounterSet("memory"), h100(),
                                                             kernel.counts, kernel.traffic, prediction),
                                          true});
    return verdict::judge(metrics::MetricEvaluator(session), session::LaunchIndex{0});
}

/// Asked is a median of 25 %. What starting a kernel costs differs from kernel to kernel (its code has to be
/// fetched), which shows in those that are too short to judge.
double tolerance(const tests::RecordedKernel& kernel) {
    return kernel.durationNs < verdict::kTooShortNs ? 0.5 : 0.25;
}

/// A launch of the given shape that does nothing.
LaunchCounts idle(const LaunchShape& shape) {
    LaunchCounts counts;
    counts.blocks = shape.grid.count();
    counts.warps = counts.blocks * ((shape.block.count() + 31) / 32);
    counts.threads = counts.blocks * shape.block.count();
    return counts;
}

} // namespace

TEST_CASE("The recorded suite's times are predicted, and judged as the recording is") {
    std::vector<double> errors;
    std::vector<std::string> otherSide;
    for (const tests::RecordedKernel& kernel : recordedKernels()) {
        const Prediction prediction = predict(h100(), kernel.shape, kernel.counts, kernel.traffic);
        errors.push_back(std::abs(prediction.durationNs / kernel.durationNs - 1));
        CAPTURE(kernel.name, prediction.durationNs, kernel.durationNs, prediction.limiter);
        CHECK(prediction.durationNs == Approx(kernel.durationNs).epsilon(tolerance(kernel)));
        const verdict::Verdict real =
            verdict::judge(metrics::MetricEvaluator(tests::recordedH100()), kernel.launch);
        const verdict::Verdict predicted = judged(kernel, prediction);
        const auto occupancy = *tests::recordedH100().counter(
            kernel.launch, "sm__warps_active.avg.pct_of_peak_sustained_active");
        CHECK(std::abs(prediction.achievedOccupancy * 100 - occupancy) < 15);
        if (predicted.bound != real.bound) otherSide.push_back(kernel.name);
    }
    std::ranges::sort(errors);
    CHECK(errors[errors.size() / 2] < 0.10); // the middle of 17
    CAPTURE(otherSide);
    CHECK(otherSide.empty());
}

TEST_CASE("Times on an H200, to which nothing was fitted, are predicted as well") {
    for (const tests::RecordedKernel& kernel : tests::recordedH200Kernels()) {
        const Prediction prediction =
            predict(*device::findChip("H200"), kernel.shape, kernel.counts, kernel.traffic);
        CAPTURE(kernel.name, prediction.limiter);
        CHECK(prediction.durationNs == Approx(kernel.durationNs).epsilon(tolerance(kernel)));
    }
    CHECK(tests::recordedH200Kernels().size() == 6);
}

TEST_CASE("An empty launch takes what launching takes") {
    const LaunchShape shape{{1, 1, 1}, {32, 1, 1}, 0, 16, 0};
    const Prediction prediction = predict(h100(), shape, idle(shape), {});
    CHECK(prediction.limiter == "launch");
    CHECK(prediction.durationNs > 900); // the shortest recorded kernel takes 1056 ns
    CHECK(prediction.durationNs < 1200);
    CHECK(prediction.activeSms == 1);
}

TEST_CASE("A resource's time is its work at the chip's rate") {
    // 132 blocks of one warp, one to each SM.
    const LaunchShape shape{{132, 1, 1}, {32, 1, 1}, 0, 16, 0};
    const auto timeOf = [&](std::string_view name, const LaunchCounts& counts, const Traffic& traffic,
                            const char* chip = "H100") {
        const Prediction prediction = predict(*device::findChip(chip), shape, counts, traffic);
        const auto found = std::ranges::find(prediction.resources, name, &ResourceTime::name);
        return found == prediction.resources.end() ? 0.0 : found->ns;
    };
    LaunchCounts counts = idle(shape);
    counts.warpsByWork[static_cast<std::size_t>(emulator::instructions::Work::Fp32Fma)] =
        132e6; // a million on each SM
    counts.instructions = 132e6;
    // 128 lanes, four schedulers: both take a quarter of a million cycles at 1.98 GHz.
    CHECK(timeOf("FP32", counts, {}) == Approx(250000 / 1.98));
    CHECK(timeOf("issue slots", counts, {}) == Approx(250000 / 1.98));
    counts = idle(shape);
    counts.warpsByWork[static_cast<std::size_t>(emulator::instructions::Work::Special)] = 132e6;
    CHECK(timeOf("special functions", counts, {}) == Approx(2e6 / 1.98)); // 16 per clock
    counts = idle(shape);
    counts.tensorMacs = {0.4e12, 0, 0, 0, 0, 0.6e12};
    CHECK(timeOf("tensor", counts, {}) ==
          Approx((0.8e12 / 989.4e12 + 1.2e12 / 1978.9e12) * 1e9).epsilon(0.01));

    Traffic traffic;
    traffic.dramReadSectors = 1'000'000'000 / 32;
    CHECK(timeOf("DRAM", idle(shape), traffic) ==
          Approx(1e9 / (3352.3 * 0.93)).epsilon(0.001)); // GB/s published
    CHECK(timeOf("DRAM", idle(shape), traffic, "V100") == Approx(1e9 / (898.0 * 0.91)).epsilon(0.001));
}

TEST_CASE("A slower chip takes longer, a busier SM decides, and waves wait for one another") {
    LaunchShape shape{{132 * 8, 1, 1}, {256, 1, 1}, 0, 32, 0};
    const auto chain = [&](std::uint32_t blocks, const char* chip) {
        shape.grid.x = blocks;
        LaunchCounts counts = idle(shape);
        counts.chainCycles = 20000.0 * static_cast<double>(counts.warps);
        return predict(*device::findChip(chip), shape, counts, {});
    };
    // One wave however full, then a second for one block more.
    const double wave = (20000 + 150) / 1.98;
    CHECK(chain(1, "H100").durationNs == Approx(1000 + wave));
    CHECK(chain(132 * 8, "H100").durationNs == Approx(1000 + wave));
    CHECK(chain(132 * 8 + 1, "H100").durationNs == Approx(1000 + 2 * wave));
    CHECK(chain(132 * 8, "H100").waves == 1);
    CHECK(chain(132 * 8, "H100").limiter == "latency");
    CHECK(chain(132, "H100").achievedOccupancy < 0.13);
    CHECK(chain(132 * 8, "H100").achievedOccupancy > 0.75);
    CHECK(chain(132 * 8, "T4").durationNs > 5 * wave); // 40 SMs of four blocks: seven waves

    // 133 blocks: one SM has two, all others wait for it.
    LaunchCounts counts;
    for (const std::uint32_t blocks : {132U, 133U}) {
        shape.grid.x = blocks;
        counts = idle(shape);
        counts.instructions = 1e6 * blocks;
        const Prediction prediction = predict(h100(), shape, counts, {});
        CHECK(prediction.resources.front().ns == Approx((blocks == 132 ? 250000 : 500000) / 1.98));
    }
}

TEST_CASE("More traffic, conflicts and contention never make a launch shorter") {
    const tests::RecordedKernel kernel = recordedKernels().at(9); // transpose/tiled
    const auto time = [&](const LaunchCounts& counts, const Traffic& traffic) {
        return predict(h100(), kernel.shape, counts, traffic).durationNs;
    };
    const double base = time(kernel.counts, kernel.traffic);
    Traffic traffic = kernel.traffic;
    traffic.dramReadSectors *= 4;
    CHECK(time(kernel.counts, traffic) > base);
    traffic = kernel.traffic;
    traffic.hottestAtomicPasses = 1'000'000;
    CHECK(time(kernel.counts, traffic) > 5 * base);
    LaunchCounts counts = kernel.counts;
    counts.memory[static_cast<int>(MemorySpace::Shared)][static_cast<int>(MemoryOp::Load)].wavefronts *= 2;
    CHECK(time(counts, kernel.traffic) > 1.5 * base);
}
