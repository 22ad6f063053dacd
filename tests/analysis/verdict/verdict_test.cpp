// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/verdict.h"

#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/prose.h"
#include "tests/support/recorded_h200.h"
#include "tests/support/sample_session.h"

#include <algorithm>

using namespace dormer::device;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;
using namespace dormer::tests;

namespace {

LaunchIndex at(std::uint32_t index) {
    return static_cast<LaunchIndex>(index);
}

double utilization(const Verdict& verdict, Resource resource) {
    const auto& u = verdict.utilization[static_cast<std::size_t>(resource)];
    REQUIRE(u);
    return *u;
}

constexpr double h100Dram = 2 * 2.619e9 * 5120 / 8; ///< bytes/s

Verdict judgeOne(const Launch& launch, const std::map<std::string, double>& counters,
                 const Device& device = h200()) {
    const Session session = oneLaunch(device, launch, counters);
    return judge(MetricEvaluator(session), at(0));
}

bool anyLineHas(const std::vector<std::string>& lines, std::string_view text) {
    return std::ranges::any_of(lines,
                               [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("Utilization of recorded launches is what Nsight Compute says") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    const auto judged = [&](std::uint32_t launch) { return judge(metrics, at(launch)); };
    using namespace recorded;
    // gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed
    CHECK(utilization(judged(VectorAdd), Resource::Dram) == Approx(0.6788).margin(0.005));
    CHECK(utilization(judged(VectorAddStrided), Resource::Dram) == Approx(0.0804).margin(0.005));
    CHECK(utilization(judged(TransposeTiled), Resource::Dram) == Approx(0.2807).margin(0.005));
    CHECK(utilization(judged(TransposePadded), Resource::Dram) == Approx(0.6933).margin(0.005));
    CHECK(utilization(judged(Reduce), Resource::Dram) == Approx(0.7828).margin(0.01));
    // lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed
    CHECK(utilization(judged(VectorAddStrided), Resource::L2) == Approx(0.8085).margin(0.005));
    // l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}: 76.10 % + 2.53 %; here without lost arbitration
    CHECK(utilization(judged(TransposeTiled), Resource::Shared) == Approx(0.786).margin(0.015));
    // smsp__issue_active.avg.pct_of_peak_sustained_active 62.36 %, of active cycles
    CHECK(utilization(judged(FmaLoop), Resource::IssueSlots) == Approx(0.6236).margin(0.01));
    // 9954.9 FFMA a cycle of 132 x 128
    CHECK(utilization(judged(FmaLoop), Resource::Fp32) == Approx(0.589).margin(0.005));
}

TEST_CASE("Verdicts of recorded launches") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    const auto check = [&](std::uint32_t launch, Bound bound, Resource resource) {
        const Verdict verdict = judge(metrics, at(launch));
        INFO(headline(verdict));
        CHECK(verdict.bound == bound);
        CHECK(verdict.resource == resource);
    };
    using namespace recorded;
    check(VectorAdd, Bound::Memory, Resource::Dram);
    check(VectorAddStrided, Bound::Memory, Resource::L2);
    check(FmaLoop, Bound::Compute, Resource::IssueSlots);
    check(TransposeTiled, Bound::Memory, Resource::Shared);
    check(TransposePadded, Bound::Memory, Resource::Dram);
    check(Reduce, Bound::Memory, Resource::Dram);
    const Verdict last = judge(metrics, at(ReduceLast));
    CHECK(last.bound == Bound::Latency);
    CHECK(last.reason == LatencyReason::TooShort);
}

TEST_CASE("The evidence has the numbers of the launch") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    const auto lines = [&](std::uint32_t launch) {
        return evidence(metrics, at(launch), judge(metrics, at(launch)));
    };
    const auto strided = lines(recorded::VectorAddStrided);
    for (const auto& line : strided)
        UNSCOPED_INFO(line);
    CHECK(anyLineHas(strided, "1.99 GB"));      // L2 traffic
    CHECK(anyHasNumbers(strided, {32, 4, 88})); // sectors, ideal, % wasted
    CHECK(anyLineHas(strided, "1.0 sectors per lookup"));
    CHECK(anyLineHas(strided, "integer")); // undetermined
    CHECK(anyLineHas(lines(recorded::TransposeTiled), "bank conflicts"));
    CHECK_FALSE(anyLineHas(lines(recorded::TransposePadded), "bank conflicts"));
    CHECK(anyHasNumbers(lines(recorded::VectorAdd), {189, 3.27, 68})); // MB at TB/s, % of peak
}

TEST_CASE("Known answers of the sample session") {
    const Session session = sampleSession();
    const MetricEvaluator metrics(session);
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const std::string& workload = session.launches()[i].workload;
        const Verdict verdict = judge(metrics, static_cast<LaunchIndex>(i));
        INFO(workload << ": " << headline(verdict));
        if (workload == "roofline/vector_add" || workload == "roofline/scale" ||
            workload == "vector_sum/coalesced") {
            CHECK(verdict.bound == Bound::Memory);
            CHECK(verdict.resource == Resource::Dram);
            CHECK(verdict.textbook == Bound::Memory);
            CHECK(verdict.agrees());
        }
        if (workload == "roofline/scale") {
            CHECK(verdict.work == Work::Fp64);
            CHECK(*verdict.intensity == Approx(1.0 / 16));
            // FP64 units at the clock seen, over the DRAM's theoretical rate
            CHECK(*verdict.ridge == Approx(2 * 64 * 132 * 1.755e9 / (2 * 2.619e9 * 5120 / 8)));
        }
        if (workload == "roofline/fma_chain") {
            CHECK(verdict.bound == Bound::Compute);
            CHECK(verdict.resource == Resource::Fp32); // not the issue slots, which are a little ahead
            CHECK(verdict.textbook == Bound::Compute);
        }
        if (workload == "transpose/tiled") CHECK(verdict.resource == Resource::Shared);
        if (workload.empty()) {
            CHECK(verdict.bound == Bound::Unknown);
            CHECK(
                anyLineHas(evidence(metrics, static_cast<LaunchIndex>(i), verdict), "excluded by --kernels"));
        }
    }
}

TEST_CASE("The bound is the resource at 0.6 or more") {
    auto counters = idleCounters();
    const double dramPeak = 2 * 3.201e9 * 6016 / 8;
    const Launch launch = sizedLaunch(65536, 100000);
    counters["dram__bytes_read.sum"] = 0.601 * dramPeak * 1e-4;
    CHECK(judgeOne(launch, counters).bound == Bound::Memory);
    counters["dram__bytes_read.sum"] = 0.599 * dramPeak * 1e-4;
    CHECK(judgeOne(launch, counters).bound == Bound::Latency);
    // Never clamped
    counters["dram__bytes_read.sum"] = 1.5 * dramPeak * 1e-4;
    CHECK(*judgeOne(launch, counters).highest() == Approx(1.5));
}

TEST_CASE("Two sides within 0.1 balance") {
    auto counters = idleCounters();
    const double dramPeak = 2 * 3.201e9 * 6016 / 8;
    const double issuePeak = 4 * 132 * 1.98e9;
    const Launch launch = sizedLaunch(65536, 100000);
    counters["dram__bytes_read.sum"] = 0.70 * dramPeak * 1e-4;
    counters["smsp__inst_issued.sum"] = 0.65 * issuePeak * 1e-4;
    const Verdict balanced = judgeOne(launch, counters);
    CHECK(balanced.bound == Bound::Balanced);
    CHECK(balanced.resource == Resource::Dram);
    counters["smsp__inst_issued.sum"] = 0.59 * issuePeak * 1e-4;
    CHECK(judgeOne(launch, counters).bound == Bound::Memory);
    counters["smsp__inst_issued.sum"] = 0.85 * issuePeak * 1e-4;
    CHECK(judgeOne(launch, counters).bound == Bound::Compute);
}

TEST_CASE("Latency has the reason that explains it best") {
    auto counters = idleCounters();
    const auto reason = [&](const Launch& launch) {
        const Verdict verdict = judgeOne(launch, counters);
        CHECK(verdict.bound == Bound::Latency);
        return verdict.reason;
    };
    CHECK(reason(sizedLaunch(1, 4000)) == LatencyReason::TooShort);
    CHECK(reason(sizedLaunch(50, 10720)) == LatencyReason::SmallGrid);  // 50 blocks of 256 on 132 SMs
    CHECK(reason(sizedLaunch(125, 10720)) == LatencyReason::SmallGrid); // 5.3 % of the SMs stay idle
    CHECK(reason(sizedLaunch(128, 10720)) != LatencyReason::SmallGrid);
    // A second wave that is 88 or 94 % full costs next to nothing, one of a third 33 % of the slots.
    CHECK(reason(sizedLaunch(1056 + 930, 100000)) == LatencyReason::DependencyStalls);
    CHECK(reason(sizedLaunch(1056 + 993, 100000)) == LatencyReason::DependencyStalls);
    CHECK(reason(sizedLaunch(1056 + 352, 100000)) == LatencyReason::TailWave);
    CHECK(reason(sizedLaunch(65536, 100000, 2)) == LatencyReason::LowOccupancy);
    // 1823 blocks, 16 of 128 threads an SM, 108 SMs: one wave and 95 blocks
    Launch square = sizedLaunch(1823, 10850, 16);
    square.block = {128, 1, 1};
    Device a100 = h200();
    a100.computeCapabilityMajor = 8;
    a100.smCount = 108;
    const Verdict tail = judgeOne(square, counters, a100);
    CHECK(tail.reason == LatencyReason::TailWave);
    CHECK(reason(sizedLaunch(1056, 100000)) == LatencyReason::DependencyStalls); // exactly one wave: no tail
    CHECK(reason(sizedLaunch(1056 * 10, 100000)) == LatencyReason::DependencyStalls);
    counters["sm__warps_active.avg.pct_of_peak_sustained_active"] = 30;
    CHECK(reason(sizedLaunch(1056 * 10, 100000)) == LatencyReason::LowOccupancy);
}

TEST_CASE("A tail is not the reason where atomics are the time") {
    auto counters = idleCounters();
    // 100 us at 1.7 GHz are 141,667 passes of 1.2 clocks; L2 with two halves counts each 1.5 times.
    counters["lts__cycles_elapsed.avg.per_second"] = 1.7e9;
    counters["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"] = 1000;
    counters["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum"] = 0;
    const auto reason = [&](double passes) {
        counters["lts__t_sectors_op_atom.sum"] = 1.5 * passes;
        return judgeOne(sizedLaunch(1056 + 352, 100000), counters).reason;
    };
    CHECK(reason(80'000) == LatencyReason::DependencyStalls); // up to 56 us of it
    CHECK(reason(60'000) == LatencyReason::TailWave);         // at most 42 us
}

TEST_CASE("What an SM has is held against the SMs that work") {
    auto counters = idleCounters();
    const double clock = 1.98e9, seconds = 1e-4;
    // Shared memory of two SMs at 80 % for 100 us.
    counters["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 0.8 * 2 * clock * seconds;
    counters["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 0;
    counters["smsp__inst_issued.sum"] = 0.1 * 4 * 2 * clock * seconds;
    counters["dram__bytes_read.sum"] = 1000;
    const Verdict two = judgeOne(sizedLaunch(2, 1e9 * seconds), counters, h100Sxm());
    CHECK(utilization(two, Resource::Shared) == Approx(0.8));
    CHECK(utilization(two, Resource::IssueSlots) == Approx(0.1));
    CHECK(*two.ofDevice(Resource::Shared) == Approx(0.8 * 2 / 132));
    CHECK(utilization(two, Resource::Dram) == Approx(1000 / (h100Dram * seconds)));
    CHECK(two.resource == Resource::Shared);
    // The GPU as a whole is idle: that is what the launch suffers from.
    CHECK(two.bound == Bound::Latency);
    CHECK(two.reason == LatencyReason::SmallGrid);
    // 140 blocks at once: eight SMs have two, and they end last.
    CHECK(judgeOne(sizedLaunch(140, 1e5), counters, h100Sxm()).workingSms == Approx(140.0 / 264));
    CHECK(judgeOne(sizedLaunch(264, 1e5), counters, h100Sxm()).workingSms == 1);
    CHECK(judgeOne(sizedLaunch(1100, 1e5), counters, h100Sxm()).workingSms == 1); // more than a wave
}

TEST_CASE("L2 is held against what it reaches in practice") {
    auto counters = idleCounters();
    counters["lts__t_sectors.sum.peak_sustained"] = 240;
    counters["lts__cycles_elapsed.avg.per_second"] = 1.7e9;
    const auto at60 = [&](double sectorsPerClock) {
        counters["lts__t_sectors_op_read.sum"] = sectorsPerClock * 1.7e9 * 1e-4;
        return judgeOne(sizedLaunch(1056 * 10, 1e5), counters, h100Sxm());
    };
    // 125.8 of the 240 sectors per clock is the most recorded: 60 % of it is 75.5.
    const Verdict bound = at60(76);
    CHECK(bound.bound == Bound::Memory);
    CHECK(bound.resource == Resource::L2);
    CHECK(utilization(bound, Resource::L2) == Approx(76.0 / 240));
    CHECK(*bound.practicalL2 == Approx(76 / 125.8));
    CHECK(at60(75).bound == Bound::Latency);
    // No recording tells of an A100.
    Device a100 = h100Sxm();
    a100.computeCapabilityMajor = 8;
    CHECK_FALSE(judgeOne(sizedLaunch(1056 * 10, 1e5), counters, a100).practicalL2);
}

TEST_CASE("Latency is not concluded from missing counters") {
    const Launch launch = sizedLaunch(65536, 100000);
    for (const char* needed : {"dram__bytes_read.sum", "smsp__inst_issued.sum",
                               "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                               "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"}) {
        INFO(needed);
        auto counters = idleCounters();
        counters.erase(needed);
        CHECK(judgeOne(launch, counters).bound == Bound::Unknown);
    }
    // A kernel that uses shared memory may be bound by it
    auto counters = idleCounters();
    counters.erase("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    CHECK(judgeOne(launch, counters).bound == Bound::Latency);
    Launch withShared = launch;
    withShared.dynamicSharedBytes = 1024;
    CHECK(judgeOne(withShared, counters).bound == Bound::Unknown);
    // A busy tensor pipe, whose work is not counted
    counters = idleCounters();
    counters["sm__inst_executed_pipe_tensor.sum"] = 1e6;
    const Session session = oneLaunch(h200(), launch, counters);
    const MetricEvaluator metrics(session);
    CHECK(judge(metrics, at(0)).bound == Bound::Unknown);
    CHECK(anyLineHas(evidence(metrics, at(0), judge(metrics, at(0))), "--set tensor"));
    // All zero, it is of a kind that the counters don't know
    for (const auto& [name, zero] : unknownTensorCounters())
        counters[name] = zero;
    const Session counted = oneLaunch(h200(), launch, counters);
    const MetricEvaluator values(counted);
    CHECK(judge(values, at(0)).bound == Bound::Unknown);
    const auto lines = evidence(values, at(0), judge(values, at(0)));
    CHECK(anyLineHas(lines, "tensor work is not counted"));
    CHECK_FALSE(anyLineHas(lines, "--set tensor"));
    // A duration that can't be one
    CHECK(judgeOne(sizedLaunch(65536, 18446744073709551615.0), idleCounters()).bound == Bound::Unknown);
}

TEST_CASE("Where tensor cores may be what binds, a resource that is short of its ceiling is no bound") {
    // cuBLAS's hgemm moves 66 % of what L2 can while its tensor cores are at their ceiling.
    auto counters = idleCounters();
    const double dramPeak = 2 * 3.201e9 * 6016 / 8;
    const Launch launch = sizedLaunch(65536, 100000);
    const auto boundAt = [&](double dramShare, double tensorInstructions) {
        counters["dram__bytes_read.sum"] = dramShare * dramPeak * 1e-4;
        counters["sm__inst_executed_pipe_tensor.sum"] = tensorInstructions;
        return judgeOne(launch, counters).bound;
    };
    CHECK(boundAt(0.7, 1e6) == Bound::Unknown);
    CHECK(boundAt(0.95, 1e6) == Bound::Memory);
    // 132 SMs have 132 x 4 pipes x 198000 cycles; 0.6 of these are 490,000 instructions of 128 cycles.
    CHECK(boundAt(0.7, 500'000) == Bound::Unknown);
    CHECK(boundAt(0.7, 480'000) == Bound::Memory);
    CHECK(boundAt(0.1, 480'000) == Bound::Latency);
}

TEST_CASE("A launch too short to judge is not called memory-bound by what its start moved") {
    std::map<std::string, double> counters = idleCounters();
    counters["dram__bytes_read.sum"] = 4.0e6; // 4 MB in 1 us is 4 TB/s: 83 % of an H200's peak
    const Verdict brief = judgeOne(sizedLaunch(66, 1000), counters);
    CHECK(brief.bound == Bound::Latency);
    CHECK(brief.reason == LatencyReason::TooShort);
    // The share itself stays as it was measured.
    CHECK(utilization(brief, Resource::Dram) > 0.8);
    counters["dram__bytes_read.sum"] *= 6;
    CHECK(judgeOne(sizedLaunch(66, 6000), counters).bound == Bound::Memory);
    CHECK(judgeOne(sizedLaunch(66, 1000), {}).bound == Bound::Unknown);
}

TEST_CASE("Matrix work is judged against the tensor roof, whatever FP32 work stands beside it") {
    // 1,070 TFLOP/s of FP16 matrices at the maximum clock of 1.98 GHz: 132 x 2 x 2048 x 1.98e9.
    const double peak = 132 * 2 * 2048 * 1.98e9;
    auto counters = idleCounters();
    counters.merge(unknownTensorCounters());
    counters["sm__cycles_elapsed.avg.per_second"] = 1.98e9;
    counters["sm__ops_path_tensor_src_fp16.sum"] = 0.8 * peak * 100e-6;
    counters["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1e6;
    counters["dram__bytes_read.sum"] = 1e6;
    const Launch launch = sizedLaunch(65536, 100000);
    const Verdict verdict = judgeOne(launch, counters);
    CHECK(utilization(verdict, Resource::Tensor) == Approx(0.8));
    CHECK(verdict.bound == Bound::Compute);
    CHECK(verdict.resource == Resource::Tensor);
    CHECK(verdict.work == Work::Tensor);
    CHECK(*verdict.intensity == Approx(0.8 * peak * 100e-6 / 1e6));
    CHECK(verdict.textbook == Bound::Compute);
    CHECK(utilization(verdict, Resource::Fp32) < 0.01); // shown beside it

    // Two formats: each at its own rate, 0.8 of the time for FP16 and 0.15 for TF32 at half the rate.
    counters["sm__ops_path_tensor_src_tf32_dst_fp32.sum"] = 0.15 * peak / 2 * 100e-6;
    CHECK(utilization(judgeOne(launch, counters), Resource::Tensor) == Approx(0.95));

    // Not counted: nothing is said from the FP32 that is left.
    std::erase_if(counters, [](const auto& entry) { return entry.first.starts_with("sm__ops_path"); });
    const Verdict uncounted = judgeOne(launch, counters);
    CHECK(uncounted.bound == Bound::Unknown);
    CHECK_FALSE(uncounted.textbook);

    // FP32 takes more time than the matrices: 10 % of the tensor cores, 70 % of FP32.
    counters.merge(unknownTensorCounters());
    counters["sm__ops_path_tensor_src_fp16.sum"] = 0.1 * peak * 100e-6;
    counters["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 0.7 * 132 * 128 * 1.98e9 * 100e-6;
    const Verdict mixed = judgeOne(launch, counters);
    CHECK(mixed.work == Work::Fp32);
    CHECK(mixed.resource == Resource::Fp32);
    CHECK(utilization(mixed, Resource::Tensor) == Approx(0.1));
}
