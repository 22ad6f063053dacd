// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What the assembler makes of PTX, as counted: known from machine code of ptxas 13.0 for sm_90 and from what
// an H100 counted of it.

#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

#include <fmt/format.h>

using namespace dormer;
using emulator::counts::MemoryOp;
using emulator::counts::MemorySpace;
using emulator::instructions::Work;
using tests::EmulatedKernel;

namespace {

/// Counts of one warp that runs the instructions. %r1 is the thread's number, of which %r2 is `aligned`
/// times.
emulator::counts::LaunchCounts countsOf(const std::string& instructions, int aligned = 4) {
    EmulatedKernel run(EmulatedKernel::module(fmt::format(R"(
.visible .entry path(.param .u64 data)
{{
    .shared .align 16 .b8 words[2048];
    .reg .pred %p<3>;
    .reg .f32 %f<30>;
    .reg .f64 %fd<9>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mov.u32 %r20, words;
    mad.lo.s32 %r2, %r1, {}, %r20;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.rn.f32.u32 %f2, %r2;
    {}
    ret;
}})",
                                                          aligned, instructions)));
    auto* data = run.allocate<std::uint64_t>(64);
    const auto outcome = run.launch("path", {1, 1, 1}, {32, 1, 1}, data);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    return outcome->counts;
}

/// FP32 additions, products and fused multiply-adds of each thread.
struct Fp32 {
    std::uint64_t adds = 0, muls = 0, fmas = 0;
    bool operator==(const Fp32&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Fp32& each) {
    return out << each.adds << " additions, " << each.muls << " products, " << each.fmas << " FMAs";
}
Fp32 fp32Of(const std::string& instructions) {
    const auto counts = countsOf(instructions);
    const auto threads = [&](Work work) { return counts.threadsByWork[static_cast<std::size_t>(work)] / 32; };
    return {threads(Work::Fp32Add), threads(Work::Fp32Mul), threads(Work::Fp32Fma)};
}

double instructionsOf(const std::string& instructions) {
    return countsOf(instructions).instructions - countsOf("").instructions;
}

emulator::counts::MemoryCounts sharedLoads(const std::string& instructions, int aligned) {
    return countsOf(instructions, aligned).of(MemorySpace::Shared, MemoryOp::Load);
}

} // namespace

TEST_CASE("A product that is added is an FMA, unless the program rounds it by itself") {
    CHECK(fp32Of("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1;") == Fp32{0, 0, 1});
    CHECK(fp32Of("mul.f32 %f3, %f1, %f2; sub.f32 %f4, %f1, %f3;") == Fp32{0, 0, 1});
    CHECK(fp32Of("mul.rn.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1;") == Fp32{1, 1, 0});
    CHECK(fp32Of("mul.f32 %f3, %f1, %f2; add.rn.f32 %f4, %f3, %f1;") == Fp32{1, 1, 0});
    // Two sums of it are two FMAs; where it is needed itself, too, it stays.
    CHECK(fp32Of("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1; sub.f32 %f5, %f3, %f2;") == Fp32{0, 0, 2});
    CHECK(fp32Of("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1; st.global.f32 [%rd1], %f3;") ==
          Fp32{1, 1, 0});
    // An FFMA holds one constant.
    CHECK(fp32Of("mul.f32 %f3, %f1, 0f40400000; add.f32 %f4, %f3, %f2;") == Fp32{0, 0, 1});
    CHECK(fp32Of("mul.f32 %f3, %f1, 0f40400000; add.f32 %f4, %f3, 0f3F800000;") == Fp32{1, 1, 0});
    // Of two products that are added one is left.
    CHECK(fp32Of("mul.f32 %f3, %f1, %f2; mul.f32 %f4, %f1, %f1; add.f32 %f5, %f3, %f4;") == Fp32{0, 1, 1});
    const auto doubles =
        countsOf("cvt.f64.f32 %fd1, %f1; mul.f64 %fd2, %fd1, %fd1; add.f64 %fd3, %fd2, %fd1;");
    CHECK(doubles.threadsByWork[static_cast<std::size_t>(Work::Fp64Fma)] == 32);
    CHECK(doubles.threadsByWork[static_cast<std::size_t>(Work::Fp64Add)] == 0);
}

TEST_CASE("IEEE divisions, roots and reciprocals do the operations of their sequences") {
    CHECK(fp32Of("div.rn.f32 %f3, %f1, %f2;") == Fp32{0, 0, 5});
    CHECK(fp32Of("sqrt.rn.f32 %f3, %f1;") == Fp32{0, 2, 2});
    CHECK(fp32Of("rcp.rn.f32 %f3, %f1;") == Fp32{1, 0, 2});
}

TEST_CASE("Address arithmetic and chains of sums and logic take fewer instructions than PTX has") {
    const std::string wide = "mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;";
    CHECK(instructionsOf(wide) == 1);                                            // IMAD.WIDE
    CHECK(instructionsOf(wide + "add.s64 %rd4, %rd1, %rd2;") == 2);              // one for each array
    CHECK(instructionsOf("shl.b32 %r3, %r1, 2; add.s32 %r4, %r3, %r2;") == 1);   // LEA
    CHECK(instructionsOf("add.s32 %r3, %r1, %r2; add.s32 %r4, %r3, %r1;") == 1); // IADD3
    CHECK(instructionsOf("and.b32 %r3, %r1, %r2; xor.b32 %r4, %r3, %r1;") == 1); // LOP3
    CHECK(instructionsOf("and.b32 %r3, %r1, %r2; xor.b32 %r4, %r3, %r1; add.s32 %r5, %r3, %r2;") == 3);
    CHECK(instructionsOf("add.s32 %r3, %r1, %r2; add.s32 %r4, %r3, %r1; add.s32 %r5, %r4, %r2;") == 2);
}

TEST_CASE("Loads of neighbouring words of shared memory become wide ones where their addresses allow it") {
    const std::string four =
        "ld.shared.f32 %f3, [%r2]; ld.shared.f32 %f4, [%r2+4]; ld.shared.f32 %f5, [%r2+8];"
        "ld.shared.f32 %f6, [%r2+12];";
    CHECK(sharedLoads(four, 16).requests == 1); // LDS.128
    CHECK(sharedLoads(four, 16).wavefronts == 4);
    CHECK(sharedLoads(four, 8).requests == 4); // pairs are left alone where a register holds the address
    CHECK(sharedLoads(four, 4).requests == 4);
    // All lanes read the same four words: two wavefronts, one for each half of them, instead of four.
    const std::string same = "ld.shared.f32 %f3, [words+16]; ld.shared.f32 %f4, [words+20];"
                             "ld.shared.f32 %f5, [words+24]; ld.shared.f32 %f6, [words+28];";
    CHECK(sharedLoads(same, 4).wavefronts == 2);
    // From 8 on: a pair, then what is left by itself.
    const std::string three = "ld.shared.f32 %f3, [words+8]; ld.shared.f32 %f4, [words+12];"
                              "ld.shared.f32 %f5, [words+16];";
    CHECK(sharedLoads(three, 4).requests == 2);
    // What may have been written between them is not read before.
    const std::string written =
        "ld.shared.f32 %f3, [words]; st.shared.f32 [words+4], %f1; ld.shared.f32 %f4, [words+4];";
    CHECK(sharedLoads(written, 4).requests == 2);
    CHECK(sharedLoads("ld.shared.f32 %f3, [words]; bar.sync 0; ld.shared.f32 %f4, [words+4];", 4).requests ==
          2);
    CHECK(
        sharedLoads("ld.shared.f32 %f3, [words]; st.global.f32 [%rd1], %f1; ld.shared.f32 %f4, [words+4];", 4)
            .requests == 1);
}

TEST_CASE("Words that are read by a wide load are those of the single ones") {
    EmulatedKernel run(EmulatedKernel::module(R"(
.visible .entry gather(.param .u64 out)
{
    .shared .align 16 .b8 words[512];
    .reg .b32 %r<30>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r20, words;
    mad.lo.s32 %r2, %r1, 4, %r20;
    mad.lo.s32 %r3, %r1, 7, 3;
    st.shared.u32 [%r2], %r3;
    bar.sync 0;
    and.b32 %r4, %r1, 7;
    mad.lo.s32 %r5, %r4, 16, %r20;
    ld.shared.u32 %r6, [%r5+12];
    ld.shared.u32 %r7, [%r5];
    shl.b32 %r8, %r7, 1;
    ld.shared.u32 %r9, [%r5+8];
    ld.shared.u32 %r10, [%r5+4];
    mad.lo.s32 %r11, %r6, 1000, %r8;
    mad.lo.s32 %r12, %r9, 100000, %r11;
    mad.lo.s32 %r13, %r10, 10, %r12;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r13;
    ret;
})"));
    auto* out = run.allocate<std::uint32_t>(32);
    const auto outcome = run.launch("gather", {1, 1, 1}, {32, 1, 1}, out);
    REQUIRE(outcome.has_value());
    CHECK(outcome->counts.of(MemorySpace::Shared, MemoryOp::Load).requests == 1);
    for (std::uint32_t i = 0; i < 32; ++i) {
        const auto word = [&](std::uint32_t at) { return 7 * (4 * (i % 8) + at) + 3; };
        CHECK(out[i] == word(3) * 1000 + 2 * word(0) + word(2) * 100'000 + word(1) * 10);
    }
}
