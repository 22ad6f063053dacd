// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <chrono>

using namespace dormer;
using emulator::memory::Fault;
using tests::EmulatedKernel;

namespace {

/// Runs kernels of clusters.cu in clusters of a size. None needs a fraction of the time limit.
struct Rig : EmulatedKernel {
    explicit Rig(session::Dim3 size, unsigned threads = 2)
        : EmulatedKernel(tests::kernelFile("clusters"), threads) {
        timeLimit = std::chrono::seconds(20);
        cluster = size;
    }
    template <typename... Arguments>
    void expect(const std::string& name, session::Dim3 grid, session::Dim3 block, Arguments... arguments) {
        const auto outcome = launch(name, grid, block, arguments...);
        INFO(name);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    }
};

} // namespace

TEST_CASE("Blocks of a cluster read each other's shared memory") {
    for (const unsigned threads : {1U, 2U, 3U})
        for (const int size : {1, 2, 4, 8, 16}) {
            constexpr int kBlocks = 48;
            Rig rig({static_cast<std::uint32_t>(size), 1, 1}, threads);
            int* out = rig.upload(std::vector<int>(kBlocks * 32, -1));
            rig.expect("readOthers", {kBlocks, 1, 1}, {32, 1, 1}, out);
            CAPTURE(size, threads);
            for (int b = 0; b < kBlocks; ++b) {
                const int first = b / size * size;
                int blocks = 0;
                for (int k = 0; k < size; ++k)
                    blocks += 1000 * (first + k);
                for (int t = 0; t < 32; ++t)
                    REQUIRE(out[b * 32 + t] == blocks + size * (31 - t));
            }
        }
}

TEST_CASE("Blocks of a cluster write and count in the first one's memory") {
    Rig rig({4, 1, 1});
    int* out = rig.upload(std::vector<int>(6, -1));
    rig.expect("countInFirst", {24, 1, 1}, {96, 1, 1}, out);
    for (int c = 0; c < 6; ++c)
        CHECK(out[c] == 4 * 96 + 10000 * (4 * 4 * c + 1 + 2 + 3 + 4));
}

TEST_CASE("Clusters of two dimensions number their blocks and themselves") {
    Rig rig({2, 3, 1});
    constexpr int kColumns = 6, kRows = 6;
    int* out = rig.upload(std::vector<int>(kColumns * kRows * 6, -1));
    rig.expect("whereAmI", {kColumns, kRows, 1}, {32, 1, 1}, out);
    for (int y = 0; y < kRows; ++y)
        for (int x = 0; x < kColumns; ++x) {
            const int* mine = out + 6 * (y * kColumns + x);
            CHECK(std::vector<int>(mine, mine + 6) ==
                  std::vector<int>{x % 2, y % 3, y % 3 * 2 + x % 2, 23, x / 2, y / 3});
        }
}

TEST_CASE("The barrier of a cluster splits into arriving and waiting, and does not wait for who left") {
    for (const int leave : {0, 5, 32, 40}) {
        Rig rig({2, 1, 1});
        int* out = rig.upload(std::vector<int>(8 * 64, -1));
        rig.expect("splitBarrier", {8, 1, 1}, {64, 1, 1}, out, leave);
        CAPTURE(leave);
        for (int b = 0; b < 8; ++b)
            for (int t = 0; t < 64; ++t)
                REQUIRE(out[b * 64 + t] == (t < leave ? -1 : (b + 1) * 100 + (b ^ 1) + 1));
    }
}

TEST_CASE("Narrow addresses of a cluster's memory are mapped and told apart") {
    Rig rig({2, 1, 1});
    int* out = rig.upload(std::vector<int>(4 * 32, -1));
    rig.expect("byNarrowAddress", {4, 1, 1}, {32, 1, 1}, out);
    for (int b = 0; b < 4; ++b)
        for (int t = 0; t < 32; ++t)
            REQUIRE(out[b * 32 + t] == (7 * (b ^ 1) + 3) * 10 + ((b ^ 1) % 2));
}

TEST_CASE("An access beyond the memory of a cluster's block stops the kernel") {
    for (const auto& [rank, index] : std::vector<std::pair<int, int>>{{1, 1 << 20}, {2, 0}, {1, 32}}) {
        Rig rig({2, 1, 1});
        const auto outcome = rig.launch("beyond", {2, 1, 1}, {32, 1, 1}, rig.allocate<int>(32), rank, index);
        CAPTURE(rank, index);
        REQUIRE_FALSE(outcome.has_value());
        CHECK(outcome.error().kind == Fault::Kind::IllegalAddress);
    }
}
