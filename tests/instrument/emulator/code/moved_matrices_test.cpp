// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <numeric>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

/// 16-bit numbers from 0 on, two in a word: tiles of 8 x 8, row by row.
std::vector<std::uint16_t> numbers(std::size_t count) {
    std::vector<std::uint16_t> values(count);
    std::iota(values.begin(), values.end(), std::uint16_t{0});
    return values;
}

} // namespace

TEST_CASE("A matrix in registers is transposed by movmatrix, and by stmatrix on its way to shared memory") {
    EmulatedKernel run(tests::kernelFile("moved_matrices"));
    std::uint16_t* const moved = run.upload(std::vector<std::uint16_t>(64));
    auto outcome = run.launch("moved", {1, 1, 1}, {32, 1, 1}, run.upload(numbers(64)), moved);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    std::uint16_t* const stored = run.upload(std::vector<std::uint16_t>(128));
    outcome = run.launch("stored", {1, 1, 1}, {32, 1, 1}, run.upload(numbers(128)), stored);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
            CHECK(moved[row * 8 + column] == column * 8 + row);
            CHECK(stored[row * 8 + column] == column * 8 + row);
            CHECK(stored[64 + row * 8 + column] == 64 + column * 8 + row);
        }
}

TEST_CASE("Policies for the cache leave accesses as they are") {
    EmulatedKernel run(tests::kernelFile("moved_matrices"));
    std::vector<int> in(32);
    std::iota(in.begin(), in.end(), 100);
    int* const out = run.upload(std::vector<int>(32));
    const auto outcome = run.launch("kept", {1, 1, 1}, {32, 1, 1}, run.upload(in), out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (int i = 0; i < 32; ++i)
        CHECK(out[i] == 101 + i);
}
