// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/replay.h"
#include "tests/instrument/emulator/code/path_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

#include <fmt/format.h>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

const device::Chip& h100() {
    return *device::findChip("H100");
}

std::string kernelOf(const std::string& instructions) {
    return tests::pathKernel("    " + instructions, 4096);
}

std::string repeated(const std::string& instruction, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += instruction;
    return all;
}

/// Cycles of a launch whose data are addresses of the next line: %rd1 begins a walk over `lines` lines.
double cyclesOf(const std::string& instructions, session::Dim3 grid, unsigned threads,
                std::size_t lines = 4096, unsigned workers = 2) {
    EmulatedKernel run(kernelOf(instructions), workers);
    auto* data = run.allocate<std::uint64_t>(lines * 16);
    for (std::size_t i = 0; i < lines; ++i)
        data[i * 16] = reinterpret_cast<std::uint64_t>(data + (i + 1) % lines * 16);
    const auto outcome = run.launch("path", grid, {threads, 1, 1}, data);
    REQUIRE(outcome.has_value());
    return outcome->replayed.cycles;
}

const std::string kStep = "ld.global.u64 %rd1, [%rd1];";

} // namespace

TEST_CASE("Loads that depend on each other take the latency of where they find their data") {
    const double more = cyclesOf(repeated(kStep, 150), {1, 1, 1}, 32);
    const double fewer = cyclesOf(repeated(kStep, 50), {1, 1, 1}, 32);
    const double far = (more - fewer) / 100;
    CHECK(far > h100().dramCycles);
    CHECK(far < 1.15 * h100().dramCycles);
    // Ten lines, walked over again and again.
    const double near =
        cyclesOf(repeated(kStep, 150), {1, 1, 1}, 32, 10) - cyclesOf(repeated(kStep, 50), {1, 1, 1}, 32, 10);
    CHECK(near / 100 == Approx(h100().l1HitCycles).epsilon(0.1));
}

TEST_CASE("Warps that want one line wait for it together") {
    const double one = cyclesOf(repeated(kStep, 100), {1, 1, 1}, 32);
    const double eight = cyclesOf(repeated(kStep, 100), {1, 1, 1}, 256);
    CHECK(eight == Approx(one).epsilon(0.05));
    // As those of other blocks do, on other SMs.
    CHECK(cyclesOf(repeated(kStep, 100), {64, 1, 1}, 32) == Approx(one).epsilon(0.05));
}

/// 8 additions that need each other, `rounds` times: code that is fetched once.
std::string additions(int rounds) {
    return "$again: " + repeated("add.f32 %f1, %f1, %f1;", 8) +
           fmt::format("add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, {}; @%p1 bra $again;", rounds);
}

/// Cycles of one round, without what begins and ends a launch.
double roundOf(std::uint32_t blocks, unsigned warps) {
    return (cyclesOf(additions(90), {blocks, 1, 1}, 32 * warps) -
            cyclesOf(additions(45), {blocks, 1, 1}, 32 * warps)) /
           45;
}

TEST_CASE("Arithmetic waits for its operands or for a place to issue") {
    // A round has 11 instructions, and 8 results that are there after 4 cycles each; a branch is behind them.
    const double one = roundOf(1, 1);
    CHECK(one > 32);
    CHECK(one < 60);
    CHECK(roundOf(1, 4) == Approx(one).epsilon(0.01));     // a warp for each scheduler
    CHECK(roundOf(1, 32) == Approx(8 * 11).epsilon(0.05)); // eight for each: one issues in every cycle
}

TEST_CASE("Blocks that do not fit at once come one after the other, and the SM with most ends last") {
    // 132 SMs; two blocks of 32 warps fit on each, and each scheduler issues one instruction a cycle.
    CHECK(roundOf(132, 32) == Approx(8 * 11).epsilon(0.05));
    CHECK(roundOf(264, 32) == Approx(16 * 11).epsilon(0.05));
    CHECK(roundOf(265, 32) == Approx(24 * 11).epsilon(0.05));
}

TEST_CASE("Warps wait for the last at a barrier") {
    // One warp of eight walks, all meet: twice.
    const std::string walk =
        "setp.lt.u32 %p1, %r1, 32; @!%p1 bra $meet{0};" + repeated(kStep, 40) + "$meet{0}: bar.sync 0;";
    const std::string other = "setp.ge.u32 %p1, %r1, 224; @!%p1 bra $join;" + repeated(kStep, 40) + "$join:";
    const double alone = cyclesOf(repeated(kStep, 40), {1, 1, 1}, 256);
    const double both = cyclesOf(fmt::format(fmt::runtime(walk), 1) + other, {1, 1, 1}, 256);
    // What the second walks over is there from the first: from L1.
    CHECK(both - alone == Approx(40 * h100().l1HitCycles).epsilon(0.25));
}

TEST_CASE("A launch is played the same on any number of threads") {
    const std::string loop = "$again: ld.global.f32 %f2, [%rd2]; add.f32 %f1, %f1, %f2;"
                             "st.shared.f32 [words], %f1; bar.sync 0; ld.shared.f32 %f3, [words+4];"
                             "add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 20; @%p1 bra $again;"
                             "st.global.f32 [%rd2], %f3;";
    const double one = cyclesOf(loop, {500, 1, 1}, 256, 4096, 1);
    CHECK(one > 0);
    CHECK(cyclesOf(loop, {500, 1, 1}, 256, 4096, 2) == one);
    CHECK(cyclesOf(loop, {500, 1, 1}, 256, 4096, 3) == one);
}

TEST_CASE("A launch whose pace changes takes what its parts take, and the next one like it as long") {
    // In the first part one warp counts while seven wait, in the second all eight do: none slows the others.
    EmulatedKernel run(EmulatedKernel::module(R"(
.visible .entry parts(.param .u32 first, .param .u32 second)
{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    ld.param.u32 %r1, [first];
    ld.param.u32 %r2, [second];
    mov.u32 %r3, %tid.x;
    setp.ge.u32 %p1, %r3, 32;
    @%p1 bra MEET;
    mov.u32 %r4, 0;
ONE:
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, %r1;
    @%p2 bra ONE;
MEET:
    bar.sync 0;
    mov.u32 %r5, 0;
ALL:
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p3, %r5, %r2;
    @%p3 bra ALL;
    ret;
})"));
    const auto cyclesOf = [&](std::uint32_t first, std::uint32_t second) {
        const auto outcome = run.launch("parts", {1, 1, 1}, {256, 1, 1}, first, second);
        REQUIRE(outcome.has_value());
        return outcome->replayed.cycles;
    };
    constexpr std::uint32_t kTimes = 50'000;

    const double one = cyclesOf(kTimes, 1), both = cyclesOf(kTimes, kTimes);
    CHECK(both / one > 1.8);
    CHECK(both / one < 2.3);
    // By and by a program's launches are played less far: what is known of the kernel stays.
    for (int again = 0; again < 20; ++again)
        CHECK(cyclesOf(kTimes, kTimes) == Approx(both).epsilon(0.001));
}

TEST_CASE(
    "Playing launches to their end costs a program some sixteen million instructions, which come back") {
    emulator::replay::Credit credit;
    CHECK(credit.left() == 2'000'000);
    for (int launch = 0; launch < 20; ++launch)
        credit.spent(1'050'000, 1'000'000); // a sixteenth and more is usual
    CHECK(credit.left() < 20'000);
    credit.spent(0, 64'000'000);
    CHECK(credit.left() > 1'000'000);
    CHECK(credit.left() < 1'020'000);
    credit.spent(0, 1'000'000'000);
    CHECK(credit.left() == 2'000'000);
}
