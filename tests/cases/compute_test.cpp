// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What kernels compute, and which numbers stand for it.

#include "analysis/verdict/roofline.h"
#include "tests/cases/case_session.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("Arrays indexed by memory are local traffic and no register spills") {
    const Case c = caseOf("dormer_cases", "local_arrays", "case/local_arrays");
    CHECK(c.session.kernelOf(c.launch).localBytesPerThread == 256); // two arrays of 32 floats
    const int fill = lineOf("compute.cu", "local: fill"), update = lineOf("compute.cu", "local: update");
    constexpr std::uint64_t kWarps = 1056 * 4, kSteps = 32;
    const auto loads = c.at(update, "local", "load");
    CHECK(loads.executions == 2 * kWarps * kSteps); // a weight and a sum
    CHECK(c.at(update, "local", "store").executions == kWarps * kSteps);
    CHECK(c.at(fill, "local", "store").executions > 0);
    REQUIRE(c.find("local-memory-traffic") != nullptr);
    const findings::Finding& finding = *c.find("local-memory-traffic");
    CHECK(finding.places.at(0).line == static_cast<unsigned>(update));
    // PTX has no spills: these accesses are the program's own. Machine code alone may leave it open.
    const bool arrays = finding.advice.starts_with(adviceOf(findings::FindingKind::LocalArrays));
    CHECK((arrays ||
           (!emulated() && finding.advice.starts_with(adviceOf(findings::FindingKind::LocalMemory)))));
    CHECK(c.find("uncoalesced-global-access") == nullptr);
}

TEST_CASE("An if and else that become a selection divide no warp") {
    for (const char* workload : {"case/branch_lanes", "case/branch_warps", "case/branch_twice"}) {
        CAPTURE(workload);
        const Case c = caseOf("dormer_cases", "branches", workload);
        for (const session::LineCounts& each : c.session.lines(c.launch)) {
            CAPTURE(each.instruction);
            CHECK((each.op != session::MemoryOperation::Branch ||
                   each.executions.value_or(0) == 0)); // code ends in one never reached
            CHECK(each.divergent.value_or(0) == 0);
        }
        CHECK(c.all("global", "store").threads == 64 * 64);
        CHECK(c.metric("threads_per_warp") == 32);
        CHECK(c.codes() == kNoCodes);
    }
}

TEST_CASE("A warp of one thread diverges nowhere, and its lanes are idle") {
    const Case c = caseOf("dormer_cases", "branches", "case/branch_one_thread");
    CHECK(c.metric("threads_per_warp") == 1);
    for (const session::LineCounts& each : c.session.lines(c.launch))
        CHECK(each.divergent.value_or(0) == 0);
    CHECK(c.find("divergence") == nullptr);
    REQUIRE(c.find("partial-warps") != nullptr);
    CHECK(numbersIn(c.find("partial-warps")->evidence) == Numbers{1, 1, 32}); // threads, lanes of a warp
}

TEST_CASE("A division of doubles is one operation in PTX and a sequence in machine code") {
    const Case c = caseOf("dormer_cases", "precision", "case/double_division");
    constexpr double kThreads = 100; // 10 x 10 of 16 x 16
    const double fp64 = c.metric("flops_fp64"), fp32 = c.metric("flops_fp32");
    if (emulated()) {
        CHECK(fp64 == 2 * kThreads); // div and mul
        CHECK(fp32 == 0);
    } else {
        CHECK(fp64 > 6 * kThreads);
        CHECK(fp64 < 40 * kThreads);
    }
    for (const findings::Finding& finding : c.findings)
        CHECK((finding.title + finding.evidence + finding.advice).find("mixed precision") ==
              std::string::npos);
}

TEST_CASE("A literal without its f makes the arithmetic double") {
    constexpr double kElements = 2048 * 256;
    const Case accident = caseOf("dormer_cases", "precision", "case/double_by_accident");
    CHECK(accident.metric("flops_fp64") == 2 * kElements); // one fused multiply-add
    CHECK(accident.metric("flops_fp32") == 0);
    const Case mended = caseOf("dormer_cases", "precision", "case/double_mended");
    CHECK(mended.metric("flops_fp64") == 0);
    CHECK(mended.metric("flops_fp32") == 2 * kElements);
    // An H100 computes doubles at half the rate of floats: no reason to complain.
    CHECK(accident.codes() == kNoCodes);
}

TEST_CASE("Work of the matrix unit is told apart, and one launch is one point of the roofline") {
    const Case c = caseOf("dormer_cases", "matrix_unit", "case/matrix_unit");
    CHECK(c.session.launches().size() == 1);
    // Two machine instructions of 16 x 8 x 16 for one wmma
    CHECK(c.metric("tensor_instructions") == 2);
    CHECK(c.metric("flops_fp32") == 0);
    CHECK(c.verdict.work == verdict::Work::Tensor);
    const metrics::MetricEvaluator metrics(c.session);
    // On a GPU this set does not count it, which is not called none: no FLOPs are made up. Two instructions
    // keep no pipe busy, whatever they compute.
    if (!emulated()) {
        CHECK(c.verdict.bound == verdict::Bound::Latency);
        CHECK(std::ranges::any_of(verdict::evidence(metrics, c.launch, c.verdict),
                                  [](const std::string& sentence) {
                                      return sentence.find("tensor work is not counted") != std::string::npos;
                                  }));
    }
    const auto roofline =
        verdict::roofline(metrics, verdict::Work::WarpInstructions, verdict::MemoryLevel::Dram);
    CHECK(roofline.points.size() == 1);
}

TEST_CASE("FLOPs of the matrix unit are those of the whole tile") {
    const Case c = caseOf("dormer_cases", "matrix_unit", "case/matrix_unit", "tensor");
    constexpr double kTile = 2. * 16 * 16 * 16; // one warp, one wmma, for a product of 8 x 8 x 8: 1,024
    CHECK(c.metric("flops_tensor") == kTile);
    CHECK(c.metric("flops_tensor_fp16") == kTile);
    CHECK(c.metric("integer_ops_tensor") == 0);
    CHECK(c.metric("flops_fp32") == 0);
    CHECK(c.verdict.bound != verdict::Bound::Compute);
    CHECK(c.verdict.work == verdict::Work::Tensor);
}

TEST_CASE("A kernel of matrix products stands under the tensor roof, with what FP32 work it has beside it") {
    const Case c = caseOf("dormer_cases", "matrices_scaled", "case/matrices_scaled", "tensor");
    constexpr double kWarps = 264 * 8, kProducts = 256;
    CHECK(c.metric("flops_tensor") == kWarps * kProducts * 2 * 16 * 16 * 16);
    CHECK(c.metric("flops_fp32") == kWarps * 256 * 2); // a multiply-add for each sum
    // 2,112 tiles of sums and 128 of halves at most, of which L2 may keep any.
    CHECK(c.metric("arithmetic_intensity_dram_tensor") > 1900);
    CHECK(c.verdict.work == verdict::Work::Tensor);
    CHECK(c.verdict.textbook == verdict::Bound::Compute);
    CHECK(c.verdict.bound != verdict::Bound::Memory);
    REQUIRE(c.verdict.ridge);
    CHECK(*c.verdict.ridge > 200); // 989 TFLOP/s over 3.35 TB/s of an H100, or 4.8 of an H200
    // 989 TFLOP/s, dense, is what NVIDIA states; no clock lets an H100 pass 1,070.
    CHECK(c.metric("duration_ns") > kWarps * kProducts * 8192 / 1070e3);
    // Which lane loads what of a fragment is not the program's to change.
    for (const findings::Finding& finding : c.findings)
        CHECK(finding.advice.find("threadIdx") == std::string::npos);
}
