// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Whole kernels from PTX text: results, counts of known access patterns.

#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

#include <numeric>

using namespace dormer;
using emulator::counts::MemoryOp;
using emulator::counts::MemorySpace;
using tests::EmulatedKernel;

namespace {

const std::string kVectorAdd = EmulatedKernel::module(R"(
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<11>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    ld.param.u32 %r2, [n];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    setp.ge.s32 %p1, %r1, %r2;
    @%p1 bra $done;
    cvta.to.global.u64 %rd4, %rd1;
    mul.wide.s32 %rd5, %r1, 4;
    add.s64 %rd6, %rd4, %rd5;
    cvta.to.global.u64 %rd7, %rd2;
    add.s64 %rd8, %rd7, %rd5;
    ld.global.f32 %f1, [%rd8];
    ld.global.f32 %f2, [%rd6];
    add.f32 %f3, %f2, %f1;
    cvta.to.global.u64 %rd9, %rd3;
    add.s64 %rd10, %rd9, %rd5;
    st.global.f32 [%rd10], %f3;
$done:
    ret;
}
)");

} // namespace

TEST_CASE("A vector addition gives the sums and the counts of coalesced access") {
    EmulatedKernel run(kVectorAdd);
    constexpr std::uint32_t kCount = 1000; // the last warp has 8 lanes at work
    std::vector<float> a(kCount), b(kCount);
    std::iota(a.begin(), a.end(), 1.0F);
    std::iota(b.begin(), b.end(), 1000.0F);
    float* out = run.allocate<float>(kCount);
    const auto outcome = run.launch("add", {4, 1, 1}, {256, 1, 1}, run.upload(a), run.upload(b), out, kCount);
    REQUIRE(outcome.has_value());
    for (std::uint32_t i = 0; i < kCount; ++i)
        REQUIRE(out[i] == a[i] + b[i]);

    const emulator::counts::LaunchCounts& counts = outcome->counts;
    CHECK(counts.warps == 32);
    CHECK(counts.threads == 1024);
    const emulator::counts::MemoryCounts& loads = counts.of(MemorySpace::Global, MemoryOp::Load);
    CHECK(loads.requests == 2 * 32);
    CHECK(loads.threads == 2 * kCount);
    CHECK(loads.sectors == 2 * 1000 * 4 / 32);
    CHECK(loads.sectorsIdeal == loads.sectors);
    CHECK(counts.of(MemorySpace::Global, MemoryOp::Store).sectors == 1000 * 4 / 32);
    CHECK(counts.threadsByWork[static_cast<int>(emulator::instructions::Work::Fp32Add)] == kCount);
    CHECK(counts.divergentBranches == 1);
    // 31 warps execute 22 instructions; the last one too: some of its lanes skip the middle.
    CHECK(counts.ptxInstructions == 32 * 22);
    // Data, and the code with what a launch needs: a few KB.
    CHECK(outcome->traffic.dramReadSectors >= 2 * 125 + 100);
    CHECK(outcome->traffic.dramReadSectors <= 2 * 125 + 150);
}

namespace {

/// A kernel that loads `count` words and then stores them in turn: all live at once.
std::string keeping(int count, const std::string& directives) {
    std::string body;
    for (int i = 0; i < count; ++i)
        body += "    ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
    for (int i = 0; i < count; ++i)
        body += "    st.global.u32 [%rd1+" + std::to_string(4 * (count - 1 - i)) + "], %r" +
                std::to_string(i) + ";\n";
    return EmulatedKernel::module(".visible .entry keep(.param .u64 words)\n" + directives +
                                  "\n{\n    .reg .b32 %r<" + std::to_string(count) +
                                  ">;\n    .reg .b64 %rd<2>;\n    ld.param.u64 %rd1, [words];\n" + body +
                                  "    ret;\n}\n");
}

std::uint32_t registersOf(int count, const std::string& directives) {
    EmulatedKernel run(keeping(count, directives));
    return run.kernel("keep").facts().registersPerThread;
}

} // namespace

TEST_CASE("Without a cubin registers are estimated from what lives, within what directives leave") {
    const std::uint32_t free = registersOf(100, "");
    CHECK(free >= 100);
    CHECK(free <= 120);
    CHECK(registersOf(100, ".maxnreg 40") == 40);
    CHECK(registersOf(100, ".maxnreg 200") == free);
    // 65536 registers of an SM for 8 blocks of 8 warps: 1024 per warp, 32 per lane.
    CHECK(registersOf(100, ".maxntid 256, 1, 1\n.minnctapersm 8") == 32);
    // One block of 32 warps: 2048 per warp, 64 per lane.
    CHECK(registersOf(100, ".maxntid 1024, 1, 1") == 64);
    CHECK(registersOf(100, ".maxntid 128, 1, 1") == free);
    // 16 blocks of 8 warps are more than the 64 warps of an SM.
    CHECK(registersOf(100, ".maxntid 256, 1, 1\n.minnctapersm 16") == free);
    CHECK(registersOf(2, ".maxnreg 40") == 16);
}

TEST_CASE("The clusters that a kernel declares are among its facts") {
    const auto factsOf = [](const std::string& directives) {
        EmulatedKernel run(
            EmulatedKernel::module(".visible .entry inClusters()\n" + directives + "\n{\n    ret;\n}\n"));
        return run.kernel("inClusters").facts();
    };
    using Size = std::array<std::uint32_t, 3>;
    CHECK(factsOf(".explicitcluster\n.reqnctapercluster 2, 1, 1").cluster == Size{2, 1, 1});
    CHECK_FALSE(factsOf(".explicitcluster\n.reqnctapercluster 2, 1, 1").needsCluster);
    CHECK(factsOf(".reqnctapercluster 1, 4, 2").cluster == Size{1, 4, 2});
    CHECK(factsOf(".explicitcluster").needsCluster);
    CHECK(factsOf("").cluster == Size{0, 0, 0});
}
