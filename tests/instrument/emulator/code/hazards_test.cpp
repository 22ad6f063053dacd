// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/unwritten.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <algorithm>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

using Undefined = emulator::engine::Undefined;

/// What is said of a kernel of hazards.cu.
std::vector<Undefined> hazardsOf(const std::string& kernel, session::Dim3 grid, session::Dim3 block,
                                 bool everyBlock = false, unsigned threads = 2) {
    EmulatedKernel run(tests::kernelFile("hazards"), threads);
    run.checkEveryBlock = everyBlock;
    const auto outcome = run.launch(kernel, grid, block, run.allocate<int>(4096));
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    return outcome->hazards;
}

bool says(const Undefined& hazard, std::string_view code, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        if (hazard.text.find(part) == std::string::npos) return false;
    return hazard.code == code;
}

} // namespace

TEST_CASE("A race of two warps is told with both lines and both threads") {
    for (const unsigned threads : {1U, 2U}) {
        const auto read = hazardsOf("readThenOverwritten", {1, 1, 1}, {64, 1, 1}, false, threads);
        REQUIRE(read.size() == 1);
        CHECK(says(read[0], "emulator-race",
                   {"readThenOverwritten: race on shared memory (byte 0)",
                    "store at hazards.cu:17, thread (0,0,0)", "load at hazards.cu:16, thread (",
                    "block (0,0,0)", "__syncthreads()"}));
    }
    const auto neighbour = hazardsOf("neighbourWithoutBarrier", {1, 1, 1}, {128, 1, 1});
    REQUIRE(neighbour.size() == 2); // read before it was written, and the race
    for (const Undefined& each : neighbour)
        CHECK((says(each, "emulator-race", {"hazards.cu:25", "hazards.cu:26"}) ||
               says(each, "emulator-uninitialized", {"hazards.cu:26"})));
    const auto both = hazardsOf("bothWrite", {1, 1, 1}, {64, 1, 1});
    REQUIRE(both.size() == 1);
    CHECK(
        says(both[0], "emulator-race", {"thread (0,0,0), and the store at hazards.cu:32, thread (32,0,0)"}));
    const auto cleared = hazardsOf("clearedLate", {1, 1, 1}, {64, 1, 1});
    REQUIRE(cleared.size() == 1);
    CHECK(
        says(cleared[0], "emulator-race", {"the store at hazards.cu:40", "the atomic at ", "hazards.cu:41"}));
}

TEST_CASE("Warps that anything orders do not race") {
    CHECK(hazardsOf("ordered", {1, 1, 1}, {128, 1, 1}).empty());
    CHECK(hazardsOf("bytesApart", {1, 1, 1}, {64, 1, 1}).empty());
}

TEST_CASE("A read of shared memory that nothing wrote is told") {
    const auto hazards = hazardsOf("readsUnwritten", {1, 1, 1}, {64, 1, 1});
    REQUIRE(hazards.size() == 1);
    CHECK(says(hazards[0], "emulator-uninitialized",
               {"load at hazards.cu:51, block (0,0,0), thread (32,0,0)", "byte 128"}));
}

TEST_CASE("Lanes that store different values to one address are told") {
    const auto hazards = hazardsOf("lanesClash", {1, 1, 1}, {32, 1, 1});
    REQUIRE(hazards.size() == 2);
    CHECK(says(hazards[0], "emulator-clash", {"store at hazards.cu:57", "threads (0,0,0) and (1,0,0)"}));
    CHECK(says(hazards[1], "emulator-clash", {"store at hazards.cu:59"}));
}

TEST_CASE("The first and the last block are watched, and all on request") {
    CHECK(hazardsOf("lastBlockRaces", {3, 1, 1}, {64, 1, 1}).size() == 2);
    CHECK(hazardsOf("middleBlockRaces", {3, 1, 1}, {64, 1, 1}).empty());
    const auto all = hazardsOf("middleBlockRaces", {3, 1, 1}, {64, 1, 1}, true);
    REQUIRE(!all.empty());
    CHECK(says(all[0], all[0].code, {"block (1,0,0)"}));
}

TEST_CASE("A race of blocks or warps on global memory is told with both lines, blocks and threads") {
    const auto blocks = hazardsOf("neighbourBlocks", {4, 1, 1}, {32, 1, 1}, true, 1);
    REQUIRE(blocks.size() == 1);
    CHECK(says(blocks[0], "emulator-race",
               {"neighbourBlocks: race on global memory (0x", "the store at hazards.cu",
                "the load at hazards.cu", "block (0,0,0), thread (0,0,0)",
                "split the kernel there, or use atomics"}));
    const auto warps = hazardsOf("neighbourWarps", {1, 1, 1}, {64, 1, 1}, true);
    REQUIRE(warps.size() == 1);
    CHECK(says(warps[0], "emulator-race", {"race on global memory", "put __syncthreads() between them"}));
    const auto counted = hazardsOf("countedAndRead", {4, 1, 1}, {32, 1, 1}, true, 1);
    REQUIRE_FALSE(counted.empty());
    CHECK(says(counted[0], "emulator-race", {"countedAndRead: race on global memory", "the atomic at "}));
}

TEST_CASE("What barriers and counters order on global memory is no race") {
    CHECK(hazardsOf("neighbourWarpsOrdered", {1, 1, 1}, {64, 1, 1}, true).empty());
    for (const unsigned threads : {1U, 2U})
        CHECK(hazardsOf("lastBlock", {24, 1, 1}, {32, 1, 1}, true, threads).empty());
}

TEST_CASE("Global memory is watched where every block is") {
    CHECK(hazardsOf("neighbourBlocks", {4, 1, 1}, {32, 1, 1}).empty());
}

TEST_CASE("A read of device memory that nothing has written is told, whoever wrote the rest") {
    for (const int words : {100, 101}) {
        EmulatedKernel run(tests::kernelFile("hazards"), 2);
        run.checkEveryBlock = true;
        int* in = run.allocate<int>(200);
        emulator::memory::fillUnwritten(reinterpret_cast<std::uint64_t>(in), 800);
        std::fill(in, in + 100, 1);
        int* out = run.upload(std::vector<int>{0});
        const auto outcome = run.launch("sumOfWritten", {1, 1, 1}, {32, 1, 1}, out, in, words);
        REQUIRE(outcome);
        CAPTURE(words);
        if (words == 100) {
            CHECK(outcome->hazards.empty());
            CHECK(*out == 100);
        } else {
            REQUIRE(outcome->hazards.size() == 1);
            CHECK(says(outcome->hazards[0], "emulator-uninitialized",
                       {"sumOfWritten: the load at hazards.cu",
                        "block (0,0,0), thread (4,0,0), reads device memory",
                        "neither the host nor a kernel has written"}));
        }
    }
}
