// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <array>
#include <numeric>

using namespace dormer;
using emulator::counts::MemoryOp;
using emulator::counts::MemorySpace;
using tests::EmulatedKernel;

namespace {

EmulatedKernel matrices() {
    return EmulatedKernel(tests::kernelFile("matrices"));
}

/// Half-precision bits of a small whole number.
std::uint16_t halfOf(int value) {
    if (value == 0) return 0;
    const unsigned sign = value < 0 ? 0x8000 : 0;
    unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value), exponent = 25;
    while (magnitude < 1024) {
        magnitude *= 2;
        --exponent;
    }
    return static_cast<std::uint16_t>(sign | exponent << 10 | (magnitude & 1023));
}

} // namespace

TEST_CASE("A matrix product on tensor cores is the sum of products") {
    REQUIRE(halfOf(1) == 0x3C00);
    REQUIRE(halfOf(-5) == 0xC500);
    EmulatedKernel run = matrices();
    constexpr int kPitch = 20;
    std::vector<std::uint16_t> a(256), b(256);
    std::vector<float> c(16 * kPitch);
    const auto valueA = [](int row, int k) { return (row * 7 + k * 3) % 11 - 5; };
    const auto valueB = [](int k, int column) { return (k * 5 + column) % 13 - 6; };
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            a[static_cast<std::size_t>(i * 16 + j)] = halfOf(valueA(i, j));
            b[static_cast<std::size_t>(j * 16 + i)] = halfOf(valueB(i, j));
            c[static_cast<std::size_t>(i * kPitch + j)] = static_cast<float>(i - j);
        }
    float* result = run.upload(c);
    const auto outcome = run.launch("product", {1, 1, 1}, {32, 1, 1}, run.upload(a), run.upload(b), result,
                                    std::int32_t{kPitch});
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            int sum = i - j;
            for (int k = 0; k < 16; ++k)
                sum += valueA(i, k) * valueB(k, j);
            REQUIRE(result[i * kPitch + j] == static_cast<float>(sum));
        }
    using Macs = std::array<double, emulator::instructions::kTensorFormats>;
    CHECK(outcome->counts.tensorMacs == Macs{16 * 16 * 16}); // FP16, the first
    CHECK(outcome->counts.of(MemorySpace::Global, MemoryOp::Store).bytes == 16 * 16 * 4);
}

TEST_CASE("Tiles of 8 by 8 are dealt to lanes by rows, transposed by columns") {
    EmulatedKernel run = matrices();
    std::vector<std::uint16_t> in(256);
    std::iota(in.begin(), in.end(), std::uint16_t{100});
    auto* plain = run.allocate<std::uint32_t>(128);
    auto* transposed = run.allocate<std::uint32_t>(128);
    auto* out = run.allocate<std::uint16_t>(256);
    const auto outcome = run.launch("tiles", {1, 1, 1}, {32, 1, 1}, run.upload(in), plain, transposed, out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (unsigned tile = 0; tile < 4; ++tile)
        for (unsigned lane = 0; lane < 32; ++lane) {
            // PTX ISA, ldmatrix: lane l holds elements 2 (l mod 4) and the next one of row l / 4.
            const unsigned row = lane / 4, column = 2 * (lane % 4), first = tile * 64;
            REQUIRE(plain[tile * 32 + lane] ==
                    (in[first + row * 8 + column] | std::uint32_t{in[first + row * 8 + column + 1]} << 16));
            REQUIRE(transposed[tile * 32 + lane] ==
                    (in[first + column * 8 + row] | std::uint32_t{in[first + (column + 1) * 8 + row]} << 16));
        }
    CHECK(std::equal(in.begin(), in.end(), out));
}

TEST_CASE("Warps meet at barrier objects, round after round") {
    EmulatedKernel run = matrices();
    int* out = run.allocate<int>(128);
    const auto outcome = run.launch("rounds", {1, 1, 1}, {128, 1, 1}, out, std::int32_t{10});
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    CHECK(std::all_of(out, out + 128, [](int value) { return value == (1 << 10) - 1; }));
}

TEST_CASE("Bulk copies bring their bytes and tell the barrier") {
    EmulatedKernel run = matrices();
    std::vector<int> in(256);
    std::iota(in.begin(), in.end(), 1000);
    int* out = run.allocate<int>(256);
    const auto outcome = run.launch("bulk", {1, 1, 1}, {256, 1, 1}, run.upload(in), out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (int i = 0; i < 256; ++i)
        REQUIRE(out[i] == 1001 + i);
    CHECK(outcome->traffic.l1LoadSectors == 0);             // no thread loaded them …
    CHECK(outcome->traffic.dramReadSectors > 256 * 4 / 32); // … but they came, and the code with them
    for (const emulator::counts::MemoryOp op :
         {emulator::counts::MemoryOp::Load, emulator::counts::MemoryOp::Store})
        CHECK(outcome->counts.of(emulator::counts::MemorySpace::Global, op).requests == 0);
    std::size_t bulkCopies = 0;
    for (const emulator::engine::CountedInstruction& each : outcome->instructions) {
        if (!each.text.starts_with("cp.async.bulk")) continue;
        ++bulkCopies;
        CHECK(each.counts.sectors == 256 * 4 / 32);
        CHECK(each.counts.sectorsIdeal == 256 * 4 / 32);
    }
    CHECK(bulkCopies == 2); // their lines tell of them
}

TEST_CASE("Asynchronous copies fill what they do not read with zeros") {
    EmulatedKernel run = matrices();
    std::vector<int> in(128);
    std::iota(in.begin(), in.end(), 1);
    int* out = run.upload(std::vector<int>(128, -1));
    const auto outcome = run.launch("asyncCopy", {1, 1, 1}, {32, 1, 1}, run.upload(in), out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    for (int i = 0; i < 128; ++i)
        REQUIRE(out[i] == (i < 64 || i % 4 < 2 ? i + 1 : 0));
}
