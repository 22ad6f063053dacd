// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <chrono>
#include <functional>

using namespace dormer;
using tests::EmulatedKernel;
using Bytes = std::vector<unsigned char>;

// All numbers are small integers, which every type here holds and whose products add up without rounding.

namespace {

constexpr int kRows = 64, kColumns = 16;

struct Rig : EmulatedKernel {
    Rig() : EmulatedKernel(tests::kernelFile("groups")) {
        timeLimit = std::chrono::seconds(20);
        dynamicSharedBytes = 32 << 10;
    }
    template <typename... Arguments>
    void expect(const std::string& name, unsigned threads, Arguments... arguments) {
        const auto outcome = launch(name, {1, 1, 1}, {threads, 1, 1}, arguments...);
        INFO(name);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    }
};

int elementA(int row, int k) {
    return (row * 5 + k * 3) % 7 - 3;
}
int elementB(int k, int column) {
    return (k * 2 + column * 7) % 8;
}
int product(int row, int column, int depth) {
    int sum = 0;
    for (int k = 0; k < depth; ++k)
        sum += elementA(row, k) * elementB(k, column);
    return sum;
}

/// Bits of small integers: by the definition of each format.
std::uint32_t floatBits(int value, unsigned exponentBits, unsigned mantissaBits) {
    if (value == 0) return 0;
    const unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value);
    unsigned power = 0;
    while (magnitude >> (power + 1) != 0)
        ++power;
    const unsigned bias = (1u << (exponentBits - 1)) - 1;
    const unsigned mantissa = (magnitude << (mantissaBits - power)) & ((1u << mantissaBits) - 1);
    return (value < 0 ? 1u << (exponentBits + mantissaBits) : 0) | (power + bias) << mantissaBits | mantissa;
}
std::uint32_t half(int value) {
    return floatBits(value, 5, 10);
}
std::uint32_t brain(int value) {
    return floatBits(value, 8, 7);
}
std::uint32_t tensorFloat(int value) {
    return floatBits(value, 8, 23) | 0xFFF; // the low bits take no part
}
std::uint32_t e4m3(int value) {
    return floatBits(value, 4, 3);
}
std::uint32_t e5m2(int value) {
    return floatBits(value, 5, 2); // 0, 1, 2, 3, 4, 6 and so on: see where it is used
}
std::uint32_t byte(int value) {
    return static_cast<std::uint32_t>(value) & 0xFF;
}

/// A matrix in shared memory and the descriptor that says so: `majors` rows (of B: columns) of 32 bytes along
/// k, or transposed. In units of 16 bytes (CUTLASS, "canonical layouts" of its matrix descriptors).
struct Layout {
    int span = 0; ///< of the swizzle
    bool transposed = false;
};
struct Image {
    Bytes bytes;
    std::uint64_t descriptor = 0;
};
Image imageOf(int majors, int elementBytes, Layout layout, std::size_t begin,
              const std::function<std::uint32_t(int major, int k)>& bitsOf) {
    const int depth = 32 / elementBytes, perPiece = 16 / elementBytes;
    const int perSpan = layout.span / 16; // pieces
    int leading = 0, stride = 0;          // bytes
    if (!layout.transposed) {
        stride = layout.span == 0 ? 256 : 8 * layout.span;
        leading = layout.span == 0 ? 128 : 16;
    } else if (layout.span == 0) {
        leading = 128 * (majors / 8); // from 8 k to the next 8
        stride = 128;
    } else {
        stride = 8 * layout.span; // from 8 k to the next 8
        leading = 2 * stride;     // from one span of rows to the next
    }
    Image image;
    image.bytes.assign(8192, 0x5A);
    for (int major = 0; major < majors; ++major)
        for (int k = 0; k < depth; ++k) {
            int at = 0;
            if (!layout.transposed) {
                const int pitch = layout.span == 0 ? 16 : layout.span;
                at = major / 8 * stride + major % 8 * pitch +
                     k / perPiece * (layout.span == 0 ? leading : 16) + k % perPiece * elementBytes;
            } else if (layout.span == 0) {
                at = major / 8 * stride + k % 8 * 16 + k / 8 * leading + major % 8 * elementBytes;
            } else {
                const int piece = major / 8;
                at = piece % perSpan * 16 + piece / perSpan * leading + k % 8 * layout.span + k / 8 * stride +
                     major % 8 * elementBytes;
            }
            if (layout.span != 0) at ^= (at / 128 % perSpan) * 16;
            const std::uint32_t bits = bitsOf(major, k);
            std::memcpy(image.bytes.data() + at, &bits, static_cast<std::size_t>(elementBytes));
        }
    const std::uint64_t mode = layout.span == 128 ? 1 : layout.span == 64 ? 2 : layout.span == 32 ? 3 : 0;
    image.descriptor = mode << 62 | static_cast<std::uint64_t>(stride / 16) << 32 |
                       static_cast<std::uint64_t>(leading / 16) << 16 | begin / 16;
    return image;
}

struct Operands {
    Bytes bytes;
    std::uint64_t a = 0, b = 0;
};
template <typename BitsA, typename BitsB>
Operands operandsOf(int elementBytes, Layout layoutA, Layout layoutB, BitsA bitsA, BitsB bitsB) {
    const Image a =
        imageOf(kRows, elementBytes, layoutA, 0, [&](int m, int k) { return bitsA(elementA(m, k)); });
    const Image b = imageOf(kColumns, elementBytes, layoutB, a.bytes.size(),
                            [&](int n, int k) { return bitsB(elementB(k, n)); });
    Operands all{a.bytes, a.descriptor, b.descriptor};
    all.bytes.insert(all.bytes.end(), b.bytes.begin(), b.bytes.end());
    return all;
}

template <typename T>
void checkProduct(const std::string& name, const Operands& operands, int depth, int sign = 1) {
    CAPTURE(name);
    for (const int adds : {0, 1}) {
        Rig rig;
        T* out = rig.upload(std::vector<T>(kRows * kColumns, T(100)));
        rig.expect(name, 128, rig.upload(operands.bytes), static_cast<int>(operands.bytes.size()), operands.a,
                   operands.b, out, adds);
        for (int row = 0; row < kRows; ++row)
            for (int column = 0; column < kColumns; ++column) {
                CAPTURE(row, column, adds);
                REQUIRE(out[row * kColumns + column] ==
                        T(sign * product(row, column, depth) + (adds != 0 ? 100 : 0)));
            }
    }
}

} // namespace

TEST_CASE("A warp group multiplies halves from every layout of shared memory") {
    const int spanA = GENERATE(0, 32, 64, 128), spanB = GENERATE(0, 32, 64, 128);
    CAPTURE(spanA, spanB);
    checkProduct<float>("halves", operandsOf(2, {spanA}, {spanB}, half, half), 16);
}

TEST_CASE("A warp group multiplies transposed matrices, and negative ones") {
    const int spanA = GENERATE(0, 32, 64, 128), spanB = GENERATE(0, 32);
    CAPTURE(spanA, spanB);
    checkProduct<float>("halvesTransposed", operandsOf(2, {spanA, true}, {spanB, true}, half, half), 16);
    checkProduct<float>("brains", operandsOf(2, {spanA}, {spanB, true}, brain, brain), 16);
    checkProduct<float>("halvesMinus", operandsOf(2, {spanA}, {spanB}, half, half), 16, -1);
}

TEST_CASE("A warp group multiplies every type of tensor cores") {
    const int span = GENERATE(0, 32, 128);
    checkProduct<float>("tensorFloats", operandsOf(4, {span}, {span}, tensorFloat, tensorFloat), 8);
    checkProduct<int>("bytes", operandsOf(1, {span}, {span}, byte, byte), 32);
    checkProduct<int>("bytesSaturated", operandsOf(1, {span}, {span}, byte, byte), 32);
    // Two bits of mantissa: numbers up to 4 and even ones up to 8.
    const auto coarse = [](int value) { return value > 4 ? value / 2 * 2 : value; };
    Rig rig;
    const Operands operands =
        operandsOf(1, {span}, {span}, e4m3, [&](int value) { return e5m2(coarse(value)); });
    float* out = rig.upload(std::vector<float>(kRows * kColumns));
    rig.expect("eighths", 128, rig.upload(operands.bytes), static_cast<int>(operands.bytes.size()),
               operands.a, operands.b, out, 0);
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            int sum = 0;
            for (int k = 0; k < 32; ++k)
                sum += elementA(row, k) * coarse(elementB(k, column));
            REQUIRE(out[row * kColumns + column] == static_cast<float>(sum));
        }
}

TEST_CASE("Sums of bytes wrap, or stay at the ends of their range") {
    const auto most = [](int) { return std::uint32_t{127}; };
    const Operands operands = operandsOf(1, {128}, {128}, most, most);
    for (const bool saturates : {false, true}) {
        Rig rig;
        int* out = rig.upload(std::vector<int>(kRows * kColumns, 2147483647 - 1000));
        rig.expect(saturates ? "bytesSaturated" : "bytes", 128, rig.upload(operands.bytes),
                   static_cast<int>(operands.bytes.size()), operands.a, operands.b, out, 1);
        const std::int64_t exact = std::int64_t{2147483647} - 1000 + 32 * 127 * 127;
        CHECK(out[0] == (saturates ? 2147483647 : static_cast<int>(static_cast<std::uint32_t>(exact))));
    }
}

TEST_CASE("A warp group adds in half precision, and takes A from registers") {
    const Operands operands = operandsOf(2, {64}, {64}, half, half);
    for (const int adds : {0, 1}) {
        Rig rig;
        const auto first = static_cast<unsigned short>(half(50));
        unsigned short* out = rig.upload(std::vector<unsigned short>(kRows * kColumns, first));
        rig.expect("narrow", 128, rig.upload(operands.bytes), static_cast<int>(operands.bytes.size()),
                   operands.a, operands.b, out, adds);
        for (int i = 0; i < kRows * kColumns; ++i)
            REQUIRE(out[i] == half(product(i / kColumns, i % kColumns, 16) + (adds != 0 ? 50 : 0)));
    }
    Rig rig;
    std::vector<std::uint32_t> rows;
    for (int row = 0; row < kRows; ++row)
        for (int k = 0; k < 16; k += 2)
            rows.push_back(brain(elementA(row, k)) | brain(elementA(row, k + 1)) << 16);
    const Image b = imageOf(kColumns, 2, {32, true}, 0, [&](int n, int k) { return brain(elementB(k, n)); });
    float* out = rig.upload(std::vector<float>(kRows * kColumns, 3.0f));
    rig.expect("fromRegisters", 128, rig.upload(b.bytes), static_cast<int>(b.bytes.size()), rig.upload(rows),
               b.descriptor, out, 1);
    for (int i = 0; i < kRows * kColumns; ++i)
        REQUIRE(out[i] == static_cast<float>(product(i / kColumns, i % kColumns, 16) + 3));
}

TEST_CASE("Who waits for a warp group's product may say that all four warps have read") {
    Rig rig;
    constexpr int kImages = 12;
    Bytes all;
    std::uint64_t a = 0, b = 0;
    for (int n = 0; n < kImages; ++n) { // each a multiple of the first
        const auto scaled = [n](int value) { return half(value * (n % 4 + 1)); };
        const Operands operands = operandsOf(2, {128}, {128}, scaled, half);
        all.insert(all.end(), operands.bytes.begin(), operands.bytes.end());
        a = operands.a;
        b = operands.b;
    }
    float* out = rig.upload(std::vector<float>(kRows * kColumns));
    rig.expect("pipeline", 160, rig.upload(all), static_cast<int>(all.size()) / kImages, kImages, a, b, out);
    for (int i = 0; i < kRows * kColumns; ++i)
        REQUIRE(out[i] == static_cast<float>(30 * product(i / kColumns, i % kColumns, 16)));
}

TEST_CASE("Products of a warp group count as the tensor cores' work") {
    Rig rig;
    const Operands operands = operandsOf(2, {128}, {128}, half, half);
    float* out = rig.upload(std::vector<float>(kRows * kColumns));
    const auto outcome = rig.launch("halves", {3, 1, 1}, {128, 1, 1}, rig.upload(operands.bytes),
                                    static_cast<int>(operands.bytes.size()), operands.a, operands.b, out, 0);
    REQUIRE(outcome);
    CHECK(outcome->counts.tensorMacs[static_cast<std::size_t>(emulator::instructions::TensorFormat::Fp16)] ==
          3 * 64 * 16 * 16);
}
