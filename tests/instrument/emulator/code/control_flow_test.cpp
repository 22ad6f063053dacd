// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <functional>
#include <random>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

constexpr std::uint32_t kThreads = 1024;
constexpr int kUntouched = -123456;

/// Runs `name` over the inputs and compares each thread's result with the host's.
emulator::counts::LaunchCounts expectEach(const std::string& name, const std::vector<int>& in,
                                          const std::function<int(std::size_t)>& expected) {
    EmulatedKernel run(tests::kernelFile("control_flow"));
    int* out = run.upload(std::vector<int>(in.size(), kUntouched));
    const auto outcome = run.launch(name, {static_cast<std::uint32_t>(in.size()) / 128, 1, 1}, {128, 1, 1},
                                    run.upload(in), out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (std::size_t i = 0; i < in.size(); ++i) {
        INFO(name << ", thread " << i << ", input " << in[i]);
        REQUIRE(out[i] == expected(i));
    }
    return outcome->counts;
}

std::vector<int> randomInputs(int low, int high) {
    std::mt19937 generator(20251128);
    std::uniform_int_distribution<int> values(low, high);
    std::vector<int> inputs(kThreads);
    for (int& value : inputs)
        value = values(generator);
    return inputs;
}

} // namespace

TEST_CASE("Lanes take nested branches apart and meet again") {
    const std::vector<int> in = randomInputs(-100000, 100000);
    const emulator::counts::LaunchCounts counts = expectEach("nested", in, [&](std::size_t i) {
        int x = in[i];
        if ((x & 1) != 0) {
            if ((x & 2) != 0) {
                x = x * 3 + 1;
                if (x % 5 == 0) x -= 100;
            } else {
                x = x / 3;
            }
            x ^= 0x55;
        } else if ((x & 4) != 0) {
            x = -x;
        }
        return x;
    });
    CHECK(counts.divergentBranches >= kThreads / 32);
    // All lanes are together at the store again: one request per warp.
    CHECK(counts.of(emulator::counts::MemorySpace::Global, emulator::counts::MemoryOp::Store).requests ==
          kThreads / 32);
}

TEST_CASE("Lanes go round a loop as often as each of them needs") {
    const std::vector<int> in = randomInputs(1, 10000);
    const emulator::counts::LaunchCounts counts = expectEach("collatz", in, [&](std::size_t i) {
        auto n = static_cast<unsigned>(in[i]);
        int steps = 0;
        for (; n > 1; ++steps)
            n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
        return steps;
    });
    CHECK(counts.of(emulator::counts::MemorySpace::Global, emulator::counts::MemoryOp::Store).requests ==
          kThreads / 32);
}

TEST_CASE("Lanes may leave a kernel anywhere") {
    const std::vector<int> in = randomInputs(-500, 2500);
    expectEach("earlyReturn", in, [&](std::size_t i) {
        if (in[i] < 0) return kUntouched;
        int sum = 0;
        for (int k = 0; k < 64; ++k) {
            sum += k;
            if (sum > in[i]) return k;
        }
        return -sum;
    });
}

TEST_CASE("A jump table sends each lane to its case") {
    const std::vector<int> in = randomInputs(0, 1 << 20);
    expectEach("jump", in, [&](std::size_t i) {
        switch (in[i] & 15) {
        case 0:
            return 11;
        case 1:
            return in[i] * 7;
        case 2:
            return in[i] ^ 0x33;
        case 3:
            return in[i] - 9 + 4;
        case 4:
            return 4;
        case 5:
            return in[i] << 3;
        case 6:
            return in[i] >> 1;
        case 7:
            return in[i] % 13;
        case 8:
            return 8888;
        case 9:
            return kUntouched;
        default:
            return -1;
        }
    });
}

TEST_CASE("Functions call themselves to depths that differ between lanes") {
    const std::vector<int> in = randomInputs(0, 7);
    const std::vector<int> fibonacci{0, 1, 1, 2, 3, 5, 8, 13};
    expectEach("recursive", in, [&](std::size_t i) { return fibonacci[static_cast<std::size_t>(in[i])]; });
}

TEST_CASE("Lanes of a warp call different functions through one pointer") {
    const std::vector<int> in = randomInputs(0, 3000);
    expectEach("virtualCall", in, [&](std::size_t i) {
        return in[i] % 3 == 0 ? in[i] * in[i] : in[i] % 3 == 1 ? in[i] * 2 : in[i] * 10;
    });
}

TEST_CASE("Shuffles and votes act among the lanes still in a loop") {
    const std::vector<int> in = randomInputs(0, 15);
    expectEach("partialMasks", in, [&](std::size_t i) {
        // In round k, counted from 0, the lanes with more than k left are still there.
        int sum = 0;
        const std::size_t warp = i / 32 * 32;
        for (int k = 0; k < (in[i] & 15); ++k) {
            int still = 0, first = -1;
            for (int lane = 0; lane < 32; ++lane)
                if ((in[warp + static_cast<std::size_t>(lane)] & 15) > k) {
                    ++still;
                    if (first < 0) first = lane;
                }
            sum += still + first;
        }
        return sum;
    });
}
