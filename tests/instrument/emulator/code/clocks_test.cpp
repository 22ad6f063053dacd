// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <algorithm>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

constexpr double kGigahertz = 1.98; ///< of the modelled H100's SMs

struct Rig : EmulatedKernel {
    explicit Rig(unsigned threads = 2) : EmulatedKernel(tests::kernelFile("clocks"), threads) {}

    template <typename... Arguments>
    void run(const std::string& name, session::Dim3 grid, session::Dim3 block, Arguments... arguments) {
        const auto outcome = launch(name, grid, block, arguments...);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    }
};

} // namespace

TEST_CASE("Dependent multiply-adds take four cycles each on the clock that a kernel reads") {
    // Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", table 4.1: 4 cycles,
    // as measured on later architectures, too.
    constexpr int kChain = 256;
    Rig rig;
    auto* cycles = rig.allocate<long long>(64);
    auto* ns = rig.allocate<unsigned long long>(32);
    rig.run("timedChain", {1, 1, 1}, {32, 1, 1}, cycles, ns, rig.upload(std::vector<float>(32, 0.5F)));
    const long long taken = cycles[32] - cycles[0];
    CHECK(taken >= 4 * kChain);
    CHECK(taken <= 4 * kChain + 60); // and a store
    CHECK(static_cast<double>(ns[0]) >= static_cast<double>(taken) / kGigahertz - 1);
    CHECK(static_cast<double>(ns[0]) <= static_cast<double>(taken + 30) / kGigahertz + 1);
}

TEST_CASE("Warps that share a scheduler are slower on the clock when they issue all the time") {
    Rig rig;
    const auto taken = [&](unsigned threads) {
        auto* cycles = rig.allocate<long long>(2 * std::size_t{threads});
        rig.run("timedChain", {1, 1, 1}, {threads, 1, 1}, cycles, rig.allocate<unsigned long long>(threads),
                rig.upload(std::vector<float>(threads, 0.5F)));
        return cycles[threads] - cycles[0];
    };
    const long long alone = taken(32);
    CHECK(taken(4 * 32) == alone);        // one on each of four schedulers
    CHECK(taken(32 * 32) >= 2 * 4 * 256); // eight share one, which issues one instruction a cycle
    CHECK(taken(32 * 32) <= 2 * alone + 60);
}

TEST_CASE("Clocks go on from launch to launch with the emulated time") {
    Rig rig;
    auto* cycles = rig.allocate<long long>(64);
    auto* ns = rig.allocate<unsigned long long>(32);
    float* values = rig.upload(std::vector<float>(32, 0.5F));
    rig.run("timedChain", {1, 1, 1}, {32, 1, 1}, cycles, ns, values);
    const long long first = cycles[0];
    rig.beginNs = 5e6;
    rig.run("timedChain", {1, 1, 1}, {32, 1, 1}, cycles, ns, values);
    CHECK(cycles[0] - first == 9'900'000); // 5 ms at 1.98 GHz
}

TEST_CASE("Behind a barrier all warps of a block read the time of the last that came") {
    constexpr unsigned kBlocks = 3, kThreads = 128;
    Rig rig;
    auto* cycles = rig.allocate<long long>(kBlocks * kThreads);
    rig.run("meet", {kBlocks, 1, 1}, {kThreads, 1, 1}, cycles, rig.upload(std::vector<float>(32, 0.5F)));
    for (unsigned block = 0; block < kBlocks; ++block) {
        const auto [least, most] =
            std::minmax_element(cycles + block * kThreads, cycles + (block + 1) * kThreads);
        CHECK(*least == *most);
        CHECK(*least >= 4 * 256);
    }
}

TEST_CASE("Loads take longer on the clock where L1 misses") {
    // 4 KB in lines of their own, in L1 from the second pass on.
    constexpr int kSteps = 32, kWordsApart = 32;
    std::vector<int> next(std::size_t{kSteps} * kWordsApart, 0);
    for (int i = 0; i < kSteps; ++i)
        next[static_cast<std::size_t>(i) * kWordsApart] = (i + 1) % kSteps * kWordsApart;
    Rig rig;
    auto* cycles = rig.allocate<long long>(2);
    rig.run("chase", {1, 1, 1}, {1, 1, 1}, rig.upload(next), kSteps, rig.allocate<int>(1), cycles);
    const double cold = static_cast<double>(cycles[0]) / kSteps,
                 warm = static_cast<double>(cycles[1]) / kSteps;
    CHECK(warm >= 33); // an H100's L1 takes 33 to 42 cycles, as several measured it, its L2 some 200 to 300
    CHECK(warm <= 60);
    CHECK(cold >= warm + 150);
}

TEST_CASE(
    "A loop that spins on the clock ends after its cycles, alike in every run and on any number of threads") {
    constexpr unsigned kBlocks = 40, kThreads = 64;
    constexpr long long kLimit = 20'000;
    std::vector<int> first;
    for (const unsigned threads : {1U, 2U, 4U, 2U}) {
        Rig rig(threads);
        auto* rounds = rig.allocate<int>(kBlocks * kThreads);
        rig.run("spin", {kBlocks, 1, 1}, {kThreads, 1, 1}, kLimit, rounds);
        const std::vector<int> found(rounds, rounds + kBlocks * kThreads);
        CHECK(std::ranges::all_of(found, [&](int looked) { return looked == found[0]; }));
        CHECK(found[0] > kLimit / 200);
        CHECK(found[0] < kLimit / 4);
        if (first.empty()) first = found;
        CHECK(found == first);
    }
}
