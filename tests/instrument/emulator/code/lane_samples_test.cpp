// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Where the worst request of each instruction went.

#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <functional>

using namespace dormer;
using emulator::counts::MemoryOp;
using emulator::counts::MemorySpace;
using emulator::counts::SampledLanes;
using tests::EmulatedKernel;

namespace {

constexpr std::uint32_t kFull = 0xFFFFFFFF;

/// Of the last instruction of that kind.
const SampledLanes& lanesOf(const emulator::engine::LaunchOutcome& outcome, MemorySpace space, MemoryOp op) {
    const SampledLanes* found = nullptr;
    for (const emulator::engine::CountedInstruction& each : outcome.instructions)
        if (each.isMemory && each.space == space && each.op == op) found = &each.lanes;
    REQUIRE(found != nullptr);
    return *found;
}

void checkLanes(const SampledLanes& lanes, std::uint32_t mask,
                const std::function<std::uint64_t(unsigned)>& address) {
    CHECK(lanes.mask == mask);
    for (unsigned lane = 0; lane < 32; ++lane) {
        INFO("lane " << lane);
        if ((mask >> lane & 1U) != 0) CHECK(lanes.address[lane] == address(lane));
    }
}

std::uint64_t placeOf(const void* data) {
    return reinterpret_cast<std::uint64_t>(data);
}

/// Thread t of block b loads word `shift[b]` + t, if t < `lanes[b]`.
const std::string kShifted = EmulatedKernel::module(R"(
.visible .entry shifted(.param .u64 data, .param .u64 shift, .param .u64 lanes, .param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [shift];
    ld.param.u64 %rd3, [lanes];
    ld.param.u64 %rd4, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd6, %rd2, %rd5;
    ld.global.u32 %r3, [%rd6];
    add.s64 %rd7, %rd3, %rd5;
    ld.global.u32 %r4, [%rd7];
    setp.ge.u32 %p1, %r2, %r4;
    @%p1 bra $done;
    add.u32 %r5, %r2, %r3;
    mul.wide.u32 %rd8, %r5, 4;
    add.s64 %rd9, %rd1, %rd8;
    ld.global.u32 %r6, [%rd9];
    mul.wide.u32 %rd10, %r2, 4;
    add.s64 %rd11, %rd4, %rd10;
    st.global.u32 [%rd11], %r6;
$done:
    ret;
}
)");

} // namespace

TEST_CASE("Nothing is sampled unless it is requested") {
    EmulatedKernel run(tests::kernelFile("accesses"));
    const float* in = run.upload(std::vector<float>(32, 1.0F));
    const auto outcome = run.launch("strided", {1, 1, 1}, {32, 1, 1}, in, run.allocate<float>(32), 1);
    REQUIRE(outcome.has_value());
    for (const emulator::engine::CountedInstruction& each : outcome->instructions)
        CHECK(each.lanes.mask == 0);
}

TEST_CASE("Strided, broadcast and part-full requests are sampled where they went") {
    EmulatedKernel run(tests::kernelFile("accesses"));
    run.sampleLanes = true;
    const float* in = run.upload(std::vector<float>(32 * 64, 1.0F));
    float* out = run.allocate<float>(32);
    for (const std::uint64_t stride : {0U, 1U, 2U, 33U}) {
        const auto outcome = run.launch("strided", {1, 1, 1}, {32, 1, 1}, in, out, static_cast<int>(stride));
        REQUIRE(outcome.has_value());
        checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Load), kFull,
                   [&](unsigned lane) { return placeOf(in) + 4 * stride * lane; });
        checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Store), kFull,
                   [&](unsigned lane) { return placeOf(out) + 4ULL * lane; });
    }
    const auto part = run.launch("strided", {1, 1, 1}, {20, 1, 1}, in, out, 3);
    REQUIRE(part.has_value());
    checkLanes(lanesOf(*part, MemorySpace::Global, MemoryOp::Load), 0xFFFFF,
               [&](unsigned lane) { return placeOf(in) + 12ULL * lane; });
}

TEST_CASE("A column of shared memory, and a padded one") {
    EmulatedKernel run(tests::kernelFile("accesses"));
    run.sampleLanes = true;
    run.dynamicSharedBytes = 33 * 32 * 4;
    for (const std::uint64_t pitch : {32U, 33U}) {
        const auto outcome = run.launch("sharedColumns", {1, 1, 1}, {32, 1, 1}, run.allocate<float>(32),
                                        static_cast<int>(pitch));
        REQUIRE(outcome.has_value());
        // Every column is as bad as the first; the compiler may read them in another order.
        const SampledLanes& lanes = lanesOf(*outcome, MemorySpace::Shared, MemoryOp::Load);
        REQUIRE(lanes.mask == kFull);
        checkLanes(lanes, kFull, [&](unsigned lane) { return lanes.address[0] + 4 * pitch * lane; });
        CHECK(lanes.address[0] < 4 * 32);
    }
}

TEST_CASE("Atomics are sampled with the lanes that meet") {
    EmulatedKernel run(tests::kernelFile("accesses"));
    run.sampleLanes = true;
    int* bins = run.allocate<int>(32);
    const auto outcome = run.launch("countBins", {1, 1, 1}, {32, 1, 1}, bins, 3);
    REQUIRE(outcome.has_value());
    checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Reduce), kFull,
               [&](unsigned lane) { return placeOf(bins) + 4ULL * (lane % 3); });
}

TEST_CASE("Local memory is sampled as it lies: word by word for all lanes") {
    EmulatedKernel run(tests::kernelFile("accesses"));
    run.sampleLanes = true;
    std::vector<int> in(32);
    for (int i = 0; i < 32; ++i)
        in[static_cast<std::size_t>(i)] = i;
    const auto outcome =
        run.launch("localArray", {1, 1, 1}, {32, 1, 1}, run.upload(in), run.allocate<int>(32));
    REQUIRE(outcome.has_value());
    // Lane i reads word i mod 16 of its own array: lines apart, each lane in its own column.
    const SampledLanes& lanes = lanesOf(*outcome, MemorySpace::Local, MemoryOp::Load);
    checkLanes(lanes, kFull,
               [&](unsigned lane) { return lanes.address[0] + 128ULL * (lane % 16) + 4ULL * lane; });
}

TEST_CASE("The worst request is kept: most excess, then most lanes, then the lowest block") {
    struct Case {
        std::vector<std::uint32_t> shift, lanes;
        std::size_t worst;
    };
    // Aligned loads have no excess, shifted ones a sector; of one lane, none.
    const Case kCases[] = {
        {{0, 0, 3, 0, 5}, {32, 32, 32, 32, 32}, 2}, // the first that is misaligned
        {{0, 8, 16}, {9, 32, 32}, 1},               // none is: the first that is full
        {{3, 1, 1}, {32, 32, 32}, 0},
        {{1, 3, 0}, {16, 30, 32}, 1}, // as many sectors too many, more lanes
        {{9, 40, 2}, {1, 1, 1}, 0},
    };
    for (const Case& each : kCases) {
        for (const unsigned threads : {1U, 2U, 5U}) {
            INFO("first shift " << each.shift[0] << ", threads " << threads);
            EmulatedKernel run(kShifted, threads);
            run.sampleLanes = true;
            const std::uint32_t* data = run.upload(std::vector<std::uint32_t>(128));
            const auto outcome =
                run.launch("shifted", {static_cast<std::uint32_t>(each.shift.size()), 1, 1}, {32, 1, 1}, data,
                           run.upload(each.shift), run.upload(each.lanes), run.allocate<std::uint32_t>(32));
            REQUIRE(outcome.has_value());
            const std::uint32_t lanes = each.lanes[each.worst];
            checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Load), kFull >> (32 - lanes),
                       [&](unsigned lane) { return placeOf(data) + 4ULL * (each.shift[each.worst] + lane); });
        }
    }
}

TEST_CASE("Of equal requests of a block the first is kept") {
    EmulatedKernel run(kShifted);
    run.sampleLanes = true;
    const std::uint32_t* data = run.upload(std::vector<std::uint32_t>(256));
    const std::vector<std::uint32_t> shift{1}, lanes{128};
    const auto outcome = run.launch("shifted", {1, 1, 1}, {128, 1, 1}, data, run.upload(shift),
                                    run.upload(lanes), run.allocate<std::uint32_t>(128));
    REQUIRE(outcome.has_value());
    checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Load), kFull,
               [&](unsigned lane) { return placeOf(data) + 4ULL * (1 + lane); });
}

TEST_CASE("What is sampled does not depend on the number of threads") {
    constexpr std::uint32_t kBlocks = 2000; // several waves of all SMs
    std::vector<std::uint32_t> shift(kBlocks), lanes(kBlocks, 32);
    for (std::uint32_t b = 0; b < kBlocks; ++b)
        shift[b] = b % 97 == 90 ? 4 * b + 3 : 8 * b;
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        EmulatedKernel run(kShifted, threads);
        run.sampleLanes = true;
        const std::uint32_t* data = run.upload(std::vector<std::uint32_t>(std::size_t{8} * kBlocks + 32));
        const auto outcome = run.launch("shifted", {kBlocks, 1, 1}, {32, 1, 1}, data, run.upload(shift),
                                        run.upload(lanes), run.allocate<std::uint32_t>(32));
        REQUIRE(outcome.has_value());
        INFO("threads " << threads);
        checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Load), kFull,
                   [&](unsigned lane) { return placeOf(data) + 4ULL * (4 * 90 + 3 + lane); });
    }
}

TEST_CASE("Requests to global memory stand for an instruction that goes to shared memory as well") {
    const std::string text = EmulatedKernel::module(R"(
.visible .entry mixed(.param .u64 data, .param .u64 out)
{
    .shared .align 128 .b8 tile[4096];
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 128;
    mov.u64 %rd4, tile;
    cvta.shared.u64 %rd5, %rd4;
    add.s64 %rd6, %rd5, %rd3;
    mul.wide.u32 %rd7, %r1, 4;
    add.s64 %rd8, %rd1, %rd7;
    setp.lt.u32 %p1, %r1, 24;
    selp.b64 %rd9, %rd6, %rd8, %p1;
    ld.u32 %r2, [%rd9];
    add.s64 %rd8, %rd2, %rd7;
    st.global.u32 [%rd8], %r2;
    ret;
}
)");
    EmulatedKernel run(text);
    run.sampleLanes = true;
    const std::uint32_t* data = run.upload(std::vector<std::uint32_t>(32));
    const auto outcome = run.launch("mixed", {1, 1, 1}, {32, 1, 1}, data, run.allocate<std::uint32_t>(32));
    REQUIRE(outcome.has_value());
    // 24 lanes have a conflict in shared memory, 8 read a sector of global memory.
    checkLanes(lanesOf(*outcome, MemorySpace::Global, MemoryOp::Load), 0xFF000000,
               [&](unsigned lane) { return placeOf(data) + 4ULL * lane; });
}
