// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <numeric>

using namespace dormer;
using emulator::memory::Fault;
using tests::EmulatedKernel;

namespace {

EmulatedKernel blocks(unsigned threads = 2) {
    return EmulatedKernel(tests::kernelFile("blocks"), threads);
}

} // namespace

TEST_CASE("Warps of a block meet at its barriers") {
    EmulatedKernel run = blocks();
    std::vector<int> in(256 * 40);
    std::iota(in.begin(), in.end(), 1);
    int* out = run.allocate<int>(40);
    const auto outcome = run.launch("blockSum", {40, 1, 1}, {256, 1, 1}, run.upload(in), out);
    REQUIRE(outcome.has_value());
    for (int b = 0; b < 40; ++b)
        REQUIRE(out[b] == std::accumulate(in.begin() + b * 256, in.begin() + (b + 1) * 256, 0));
    CHECK(outcome->counts.barriers == 40 * 8 * 9); // 8 warps, one barrier and one for each of 8 levels
}

TEST_CASE("A barrier does not wait for threads that have exited") {
    EmulatedKernel run = blocks();
    int* out = run.upload(std::vector<int>(256, -1));
    REQUIRE(run.launch("exitedBeforeBarrier", {1, 1, 1}, {256, 1, 1}, out).has_value());
    for (int i = 0; i < 256; ++i)
        REQUIRE(out[i] == (i < 64 ? 42 : -1));
}

TEST_CASE("Barriers count and combine predicates") {
    EmulatedKernel run = blocks();
    for (const int trues : {0, 100, 128}) {
        std::vector<int> in(128, 0);
        std::fill_n(in.begin(), trues, 1);
        int* out = run.allocate<int>(3);
        REQUIRE(run.launch("reductions", {1, 1, 1}, {128, 1, 1}, run.upload(in), out).has_value());
        CHECK(out[0] == trues);
        CHECK(out[1] == (trues == 128 ? 1 : 0));
        CHECK(out[2] == (trues > 0 ? 1 : 0));
    }
}

TEST_CASE("Pairs of warps meet at barriers of their own") {
    EmulatedKernel run = blocks();
    int* out = run.allocate<int>(128);
    REQUIRE(run.launch("namedBarriers", {1, 1, 1}, {128, 1, 1}, out).has_value());
    for (int i = 0; i < 128; ++i)
        REQUIRE(out[i] == ((i / 32) ^ 1) + 10);
}

TEST_CASE(
    "A barrier that part of a warp reaches while the rest waits at another is an error with its place") {
    EmulatedKernel run = blocks();
    int* out = run.allocate<int>(64);
    const auto outcome = run.launch("divergentBarrier", {1, 1, 1}, {64, 1, 1}, out);
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().kind == Fault::Kind::DivergentBarrier);
    CHECK(outcome.error().place == (outcome.error().thread.x % 2 == 0 ? "blocks.cu:55" : "blocks.cu:57"));
}

TEST_CASE("Warps that wait for each other for ever are an error") {
    EmulatedKernel run = blocks();
    int* out = run.allocate<int>(64);
    const auto outcome = run.launch("crossedBarriers", {1, 1, 1}, {64, 1, 1}, out);
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().kind == Fault::Kind::Deadlock);
    CHECK(outcome.error().place == "blocks.cu:65");
}

TEST_CASE("Locks that blocks, warps and lanes spin on are passed on") {
    for (const unsigned threads : {1U, 2U, 3U}) {
        EmulatedKernel run = blocks(threads);
        int* lock = run.upload(std::vector<int>{0});
        int* counter = run.upload(std::vector<int>{0});
        REQUIRE(run.launch("spinLock", {200, 1, 1}, {64, 1, 1}, lock, counter).has_value());
        CHECK(*counter == 200);
        REQUIRE(run.launch("spinLockOfLanes", {4, 1, 1}, {64, 1, 1}, lock, counter).has_value());
        CHECK(*counter == 200 + 4 * 64);
        REQUIRE(run.launch("spinUntilOwned", {2, 1, 1}, {64, 1, 1}, lock, counter).has_value());
        CHECK(*counter == 200 + 4 * 64 + 2 * 64);
    }
}

TEST_CASE("Blocks may wait for earlier ones, and for all when the chip holds them at once") {
    for (const unsigned threads : {1U, 2U, 3U}) {
        EmulatedKernel run = blocks(threads);
        int* state = run.upload(std::vector<int>(500, 0));
        REQUIRE(run.launch("lookBack", {500, 1, 1}, {64, 1, 1}, state).has_value());
        for (int b = 0; b < 500; ++b)
            REQUIRE(state[b] == b + 1);
        int* arrived = run.upload(std::vector<int>{0});
        int* out = run.allocate<int>(132 * 64);
        const auto all = run.launch("gridBarrier", {132, 1, 1}, {64, 1, 1}, arrived, out);
        if (!all) FAIL(emulator::memory::describe(all.error()));
        CHECK(std::all_of(out, out + 132 * 64, [](int value) { return value == 132; }));
    }
}

TEST_CASE("Blocks that wait for others do not count thousands of looks in vain") {
    EmulatedKernel run = blocks(1);
    int* arrived = run.upload(std::vector<int>{0});
    int* out = run.allocate<int>(8 * 64);
    const auto outcome = run.launch("gridBarrier", {8, 1, 1}, {64, 1, 1}, arrived, out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    std::uint64_t most = 0;
    for (const emulator::engine::CountedInstruction& each : outcome->instructions)
        if (each.isMemory) most = std::max(most, each.counts.executions);
    CHECK(most >= 7);       // all but the last block look at least once
    CHECK(most <= 8 * 200); // on a GPU a look takes some 500 cycles, and such a barrier a few thousand
}

TEST_CASE("A warp may wait in a loop for another warp of its block") {
    EmulatedKernel run = blocks(1);
    int* out = run.allocate<int>(64);
    REQUIRE(run.launch("warpWaitsForWarp", {3, 1, 1}, {64, 1, 1}, out).has_value());
    CHECK(std::all_of(out, out + 64, [](int value) { return value == 7; }));
}

TEST_CASE("A kernel without end is stopped at the time limit, with its place") {
    EmulatedKernel run = blocks();
    run.timeLimit = std::chrono::milliseconds(50);
    int* out = run.upload(std::vector<int>(64, 0));
    const auto outcome = run.launch("endless", {4, 1, 1}, {32, 1, 1}, out);
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().kind == Fault::Kind::TimeLimit);
    CHECK(outcome.error().place == "blocks.cu:145");
    CHECK(outcome.error().kernel == "endless");
}
