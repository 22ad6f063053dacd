// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <algorithm>
#include <chrono>
#include <numeric>

using namespace dormer;
using emulator::memory::Fault;
using tests::EmulatedKernel;

namespace {

constexpr int kUntouched = -1;

/// Runs kernels of scheduling.cu in one block. None needs a fraction of the time limit.
struct Rig : EmulatedKernel {
    explicit Rig(unsigned threads = 2) : EmulatedKernel(tests::kernelFile("scheduling"), threads) {
        timeLimit = std::chrono::seconds(20);
    }

    template <typename... Arguments>
    emulator::engine::LaunchOutcome expect(const std::string& name, session::Dim3 grid, session::Dim3 block,
                                           Arguments... arguments) {
        auto outcome = launch(name, grid, block, arguments...);
        INFO(name);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
        return std::move(*outcome);
    }
};

int* untouched(Rig& rig, std::size_t count) {
    return rig.upload(std::vector<int>(count, kUntouched));
}

} // namespace

TEST_CASE("A barrier waits for the threads that have not exited, whichever those are") {
    for (const int n : {1, 8, 31, 32, 33, 40, 64, 100, 127, 128}) {
        Rig rig;
        int* out = untouched(rig, 128);
        rig.expect("tailLeaves", {1, 1, 1}, {128, 1, 1}, out, n);
        for (int t = 0; t < 128; ++t)
            REQUIRE(out[t] == (t < n ? n - 1 - t : kUntouched));
        int* head = untouched(rig, 128);
        rig.expect("headLeaves", {1, 1, 1}, {128, 1, 1}, head, n);
        for (int t = 0; t < 128; ++t)
            REQUIRE(head[t] == (t < n ? kUntouched : 127 - (t - n)));
    }
    Rig rig;
    int* out = untouched(rig, 128);
    rig.expect("oddLeave", {1, 1, 1}, {128, 1, 1}, out);
    for (int t = 0; t < 128; ++t)
        REQUIRE(out[t] == (t % 2 == 1 ? -2 : 126 - t));
}

TEST_CASE("Barriers in loops count and combine the threads that are left") {
    constexpr int kThreads = 100, kRounds = 12;
    std::vector<int> life(kThreads);
    for (int t = 0; t < kThreads; ++t)
        life[static_cast<std::size_t>(t)] = t * 7 % 11 + 1;
    Rig rig;
    int* counts = untouched(rig, kThreads * kRounds);
    int* alls = untouched(rig, kThreads * kRounds);
    int* anys = untouched(rig, kThreads * kRounds);
    rig.expect("leaveInLoop", {1, 1, 1}, {kThreads, 1, 1}, rig.upload(life), counts, alls, anys, kRounds);
    int left = 0;
    std::vector<int> turns;
    for (int r = 0; r < kRounds; ++r) {
        int count = 0, here = 0;
        bool all = true, any = false;
        for (int t = 0; t < kThreads; ++t) {
            if (life[static_cast<std::size_t>(t)] <= r) continue;
            ++here;
            count += t % 3 == 0 ? 1 : 0;
            all = all && t % 2 == 0;
            any = any || t % 7 == 0;
        }
        left += here;
        turns.push_back(left);
        for (int t = 0; t < kThreads; ++t) {
            const bool is = life[static_cast<std::size_t>(t)] > r;
            INFO("round " << r << ", thread " << t);
            REQUIRE(counts[r * kThreads + t] == (is ? count : kUntouched));
            REQUIRE(alls[r * kThreads + t] == (is ? int(all) : kUntouched));
            REQUIRE(anys[r * kThreads + t] == (is ? int(any) : kUntouched));
        }
    }
    int* seen = untouched(rig, kThreads);
    rig.expect("barrierInLoop", {1, 1, 1}, {kThreads, 1, 1}, rig.upload(life), seen);
    for (int t = 0; t < kThreads; ++t)
        REQUIRE(seen[t] == turns[static_cast<std::size_t>(life[static_cast<std::size_t>(t)] - 1)]);
}

TEST_CASE("A warp counts whole at a barrier for a number of threads, however few are left of it") {
    Rig rig;
    int* out = untouched(rig, 64);
    rig.expect("namedWithFewLanes", {1, 1, 1}, {64, 1, 1}, out);
    for (int t = 0; t < 64; ++t)
        REQUIRE(out[t] == (t < 40 ? 40 - t : kUntouched));
    int* arrived = untouched(rig, 64);
    rig.expect("arriveWithFewLanes", {1, 1, 1}, {64, 1, 1}, arrived);
    for (int t = 0; t < 64; ++t)
        REQUIRE(arrived[t] == (t < 32 ? 32 + t % 8 : kUntouched));
}

TEST_CASE("A barrier in a function does not wait for threads that leave without calling it") {
    for (const int n : {1, 40, 64, 100}) {
        Rig rig;
        int* out = untouched(rig, 128);
        rig.expect("leaveBeforeCall", {1, 1, 1}, {128, 1, 1}, out, n);
        for (int t = 0; t < 128; ++t)
            REQUIRE(out[t] == (t < n ? 3 * (n - 1 - t) : kUntouched));
    }
}

TEST_CASE("Lanes may come to a barrier at different places where it is not aligned") {
    Rig rig;
    int* out = untouched(rig, 64);
    rig.expect("meetFromTwoPlaces", {1, 1, 1}, {64, 1, 1}, out);
    for (int t = 0; t < 64; ++t)
        REQUIRE(out[t] == (t % 2 == 0 ? 2 : 1));
}

TEST_CASE("Lanes that wait where others are to arrive go on while these spin") {
    for (const unsigned threads : {1U, 2U}) {
        Rig rig(threads);
        // Each vertex has a few neighbours, mostly of lower number: long chains within and across warps.
        constexpr int kVertices = 1500;
        std::vector<std::vector<int>> near(kVertices);
        std::uint32_t seed = 1;
        for (int v = 1; v < kVertices; ++v) {
            for (int k = 0; k < 3; ++k) {
                seed = seed * 1664525 + 1013904223;
                const int other = k == 0 ? v - 1 : static_cast<int>((seed >> 8) % static_cast<unsigned>(v));
                near[static_cast<std::size_t>(v)].push_back(other);
                near[static_cast<std::size_t>(other)].push_back(v);
            }
        }
        std::vector<int> first{0}, neighbours;
        std::vector<unsigned char> in(kVertices);
        for (std::size_t v = 0; v < kVertices; ++v) {
            neighbours.insert(neighbours.end(), near[v].begin(), near[v].end());
            first.push_back(static_cast<int>(neighbours.size()));
            in[v] = std::ranges::any_of(near[v],
                                        [&](int other) {
                                            return other < static_cast<int>(v) &&
                                                   in[static_cast<std::size_t>(other)] == 1;
                                        })
                        ? 2
                        : 1;
        }
        auto* state = rig.upload(std::vector<unsigned char>(kVertices, 0));
        rig.expect("independentSet", {4, 1, 1}, {64, 1, 1}, rig.upload(first), rig.upload(neighbours), state,
                   kVertices);
        CHECK(std::equal(in.begin(), in.end(), state));

        int* words = rig.upload(std::vector<int>(3, 0));
        rig.expect("tickets", {2, 1, 1}, {96, 1, 1}, words, words + 1, words + 2);
        int given = 0;
        for (int t = 0; t < 96; ++t)
            for (int round = 0; round < t % 3 + 1; ++round)
                given += (t + round) % 5 == 4 ? 0 : 2;
        CHECK(words[0] == given);
        CHECK(words[1] == given);
        CHECK(words[2] == given * (given - 1) / 2);

        for (const char* kernel : {"parkedLaneFrees", "parkedLaneFreesSleepers"}) {
            int* flag = rig.upload(std::vector<int>{0});
            int* out = untouched(rig, 32);
            rig.expect(kernel, {1, 1, 1}, {32, 1, 1}, flag, out);
            CHECK(std::all_of(out, out + 32, [](int value) { return value == 8; }));
        }
        int* chain = untouched(rig, 32);
        rig.expect("laneChain", {1, 1, 1}, {32, 1, 1}, chain);
        for (int t = 0; t < 32; ++t)
            REQUIRE(chain[t] == 32 - t);
    }
}

TEST_CASE("Instructions wait for the lanes their member mask names") {
    for (const unsigned threads : {1U, 2U}) {
        Rig rig(threads);
        int* out = untouched(rig, 64);
        CHECK(rig.expect("leaderWaits", {1, 1, 1}, {64, 1, 1}, out).undefined.empty());
        for (int t = 0; t < 64; ++t)
            REQUIRE(out[t] == (t < 32 ? 77 : 0));
        int* swapped = untouched(rig, 32);
        CHECK(rig.expect("armsExchange", {1, 1, 1}, {32, 1, 1}, swapped).undefined.empty());
        for (int t = 0; t < 32; ++t) {
            const int from = 31 - t;
            REQUIRE(swapped[t] == 100 + (from < 16 ? from ^ 1 : from ^ 2));
        }
    }
}

TEST_CASE("A shuffle from an absent lane gives 0, and its line is told") {
    // The values are those of an H200.
    Rig rig;
    int* out = untouched(rig, 32);
    // The place begins with the intrinsic's own.
    const auto told = [](const emulator::engine::LaunchOutcome& outcome, const std::string& instruction,
                         const std::string& line) {
        return outcome.undefined.size() == 1 && outcome.undefined[0].starts_with(instruction + " at ") &&
               outcome.undefined[0].ends_with(" < " + line);
    };
    CHECK(told(rig.expect("absentLanes", {1, 1, 1}, {4, 1, 1}, out), "shfl.sync.down.b32",
               "scheduling.cu:214"));
    for (int t = 0; t < 4; ++t)
        REQUIRE(out[t] == 0);
    CHECK(told(rig.expect("exitedLanes", {1, 1, 1}, {32, 1, 1}, out, 20), "shfl.sync.bfly.b32",
               "scheduling.cu:218"));
    for (int t = 0; t < 20; ++t)
        REQUIRE(out[t] == ((t ^ 8) < 20 ? 100 + (t ^ 8) : 0));
    CHECK(
        told(rig.expect("otherArm", {1, 1, 1}, {32, 1, 1}, out), "shfl.sync.bfly.b32", "scheduling.cu:222"));
    for (int t = 0; t < 32; ++t)
        REQUIRE(out[t] == (t < 16 ? 0 : t));
    CHECK(
        told(rig.expect("outOfMask", {1, 1, 1}, {32, 1, 1}, out), "shfl.sync.idx.b32", "scheduling.cu:227"));
    for (int t = 0; t < 32; ++t)
        REQUIRE(out[t] == 100 + (t ^ 16));
    CHECK(rig.expect("wellDefined", {2, 1, 1}, {64, 1, 1}, untouched(rig, 64), 40).undefined.empty());
}
