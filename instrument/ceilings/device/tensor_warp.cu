// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

#include <cstring>
#include <type_traits>

namespace dormer::instrument::ceilings {

namespace {

constexpr int kTiles = 4;  ///< independent sums of a warp
constexpr int kRepeat = 8; ///< pairs of steps per round

// Shapes of mma.sync. `kInner`: how many products a sum takes; `inner`: which of them element `i` of a
// register is for, so that A and B can hold what depends on that place alone. Then all results are equal,
// and known: sum of f(k) g(k). PTX ISA, "Matrix Fragments for mma".

#define MMA_16_8(NAME, SHAPE, VALUE, LETTER)                                                                 \
    __device__ inline void NAME(VALUE(&d)[4], const unsigned(&a)[4], const unsigned(&b)[2]) {                \
        asm volatile("mma.sync.aligned." SHAPE                                                               \
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                      \
                     : "+" LETTER(d[0]), "+" LETTER(d[1]), "+" LETTER(d[2]), "+" LETTER(d[3])                \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                    \
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
MMA_16_8(mmaFp16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f")
MMA_16_8(mmaBf16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f")
MMA_16_8(mmaTf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f")
MMA_16_8(mmaInt8, "m16n8k32.row.col.s32.s8.s8.s32", int, "r")
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
MMA_16_8(mmaFp8, "m16n8k32.row.col.f32.e4m3.e4m3.f32", float, "f")
#endif
#undef MMA_16_8

/// Small values whose sums are exact: 0.5, 1, 1.5 or 2, of either sign.
__host__ __device__ int halves(int matrix, int k) {
    const int size = (k * 5 + matrix * 3) % 4 + 1;
    return (k * 7 + matrix) % 3 == 0 ? -size : size;
}

template <int Bytes>
struct Shape16x8 {
    static constexpr int kInner = 32 / Bytes, kA = 4, kB = 2, kSums = 4, kResults = 16 * 8;
    static constexpr int kPerRegister = 4 / Bytes;
    static __device__ int innerOf(int matrix, int reg, int element, int lane) {
        const int half = matrix == 0 ? reg / 2 : reg;
        return lane % 4 * kPerRegister + element + half * kInner / 2;
    }
};

struct WarpFp16 : Shape16x8<2> {
    using Sum = float;
    static constexpr int kCapability = 80;
    static __device__ unsigned bits(int twice) { // of twice / 2 in 1, 5 and 10 bits
        const unsigned size = twice < 0 ? -twice : twice;
        const unsigned code = size == 1 ? 0x3800 : size == 2 ? 0x3C00 : size == 3 ? 0x3E00 : 0x4000;
        return code | (twice < 0 ? 0x8000U : 0U);
    }
    template <typename... Arguments>
    static __device__ void multiply(Arguments&... arguments) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        mmaFp16(arguments...);
#endif
    }
};
struct WarpBf16 : Shape16x8<2> {
    using Sum = float;
    static constexpr int kCapability = 80;
    static __device__ unsigned bits(int twice) {
        return __float_as_uint(static_cast<float>(twice) / 2) >> 16;
    }
    template <typename... Arguments>
    static __device__ void multiply(Arguments&... arguments) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        mmaBf16(arguments...);
#endif
    }
};
struct WarpTf32 : Shape16x8<4> {
    using Sum = float;
    static constexpr int kCapability = 80;
    static __device__ unsigned bits(int twice) { return __float_as_uint(static_cast<float>(twice) / 2); }
    template <typename... Arguments>
    static __device__ void multiply(Arguments&... arguments) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        mmaTf32(arguments...);
#endif
    }
};
struct WarpInt8 : Shape16x8<1> {
    using Sum = int;
    static constexpr int kCapability = 80;
    static __device__ unsigned bits(int twice) { return static_cast<unsigned>(twice) & 0xFFU; }
    template <typename... Arguments>
    static __device__ void multiply(Arguments&... arguments) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        mmaInt8(arguments...);
#endif
    }
};
struct WarpFp8 : Shape16x8<1> {
    using Sum = float;
    static constexpr int kCapability = 89;
    static __device__ unsigned bits(int twice) { // in 1, 4 and 3 bits
        const unsigned size = twice < 0 ? -twice : twice;
        const unsigned code = size == 1 ? 0x30 : size == 2 ? 0x38 : size == 3 ? 0x3C : 0x40;
        return code | (twice < 0 ? 0x80U : 0U);
    }
    template <typename... Arguments>
    static __device__ void multiply(Arguments&... arguments) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
        mmaFp8(arguments...);
#endif
    }
};

template <typename Format>
__device__ unsigned packed(int matrix, int reg, int lane, int sign) {
    unsigned all = 0;
    for (int i = 0; i < Format::kPerRegister; ++i)
        all |= Format::bits(sign * halves(matrix, Format::innerOf(matrix, reg, i, lane)))
               << (32 / Format::kPerRegister * i);
    return all;
}

/// Once a b, and 2 kRepeat rounds more that cancel out. In halves of halves for floats: 4 times an integer.
template <typename Format>
__global__ void warpKernel(int rounds, unsigned* wrong, ClockReading* reading) {
    const ClockScope scope(reading);
    const int lane = threadIdx.x % 32;
    unsigned a[Format::kA], minus[Format::kA], b[Format::kB];
    for (int i = 0; i < Format::kA; ++i) {
        a[i] = packed<Format>(0, i, lane, 1);
        minus[i] = packed<Format>(0, i, lane, -1);
    }
    for (int i = 0; i < Format::kB; ++i)
        b[i] = packed<Format>(1, i, lane, 1);
    typename Format::Sum sums[kTiles][Format::kSums] = {};
    for (int tile = 0; tile < kTiles; ++tile)
        Format::multiply(sums[tile], a, b);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int repeat = 0; repeat < kRepeat; ++repeat) {
#pragma unroll
            for (int tile = 0; tile < kTiles; ++tile)
                Format::multiply(sums[tile], a, b);
#pragma unroll
            for (int tile = 0; tile < kTiles; ++tile)
                Format::multiply(sums[tile], minus, b);
        }
    }
    int expected = 0;
    for (int k = 0; k < Format::kInner; ++k)
        expected += halves(0, k) * halves(1, k);
    bool right = true;
    for (int tile = 0; tile < kTiles; ++tile)
        for (int i = 0; i < Format::kSums; ++i)
            right = right && (std::is_integral_v<typename Format::Sum> ? sums[tile][i] == expected
                                                                       : sums[tile][i] * 4 == expected);
    if (!right) atomicAdd(wrong, 1U);
}

// FP64: m16n8k16 where the chip has it (9.0), which alone reaches its rate, else m8n8k4.
constexpr int kWideInner = 16, kNarrowInner = 4;

__device__ void mmaFp64(double (&d)[4], const double (&a)[8], const double (&b)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                   "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
}
__device__ void mmaFp64(double (&d)[2], const double (&a)[1], const double (&b)[1]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[0]), "d"(b[0]));
#endif
}

template <bool Wide>
__global__ void fp64Kernel(int rounds, unsigned* wrong, ClockReading* reading) {
    const ClockScope scope(reading);
    constexpr int kA = Wide ? 8 : 1, kB = Wide ? 4 : 1, kSums = Wide ? 4 : 2;
    const int lane = threadIdx.x % 32;
    double a[kA], minus[kA], b[kB];
    for (int i = 0; i < kA; ++i) {
        a[i] = halves(0, lane % 4 + i / 2 * 4) / 2.0;
        minus[i] = -a[i];
    }
    for (int i = 0; i < kB; ++i)
        b[i] = halves(1, lane % 4 + i * 4) / 2.0;
    double sums[kTiles][kSums] = {};
    for (int tile = 0; tile < kTiles; ++tile)
        mmaFp64(sums[tile], a, b);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int repeat = 0; repeat < kRepeat; ++repeat) {
#pragma unroll
            for (int tile = 0; tile < kTiles; ++tile)
                mmaFp64(sums[tile], a, b);
#pragma unroll
            for (int tile = 0; tile < kTiles; ++tile)
                mmaFp64(sums[tile], minus, b);
        }
    }
    int expected = 0;
    for (int k = 0; k < (Wide ? kWideInner : kNarrowInner); ++k)
        expected += halves(0, k) * halves(1, k);
    bool right = true;
    for (int tile = 0; tile < kTiles; ++tile)
        for (int i = 0; i < kSums; ++i)
            right = right && sums[tile][i] * 4 == expected;
    if (!right) atomicAdd(wrong, 1U);
}

using Kernel = void (*)(int, unsigned*, ClockReading*);

Measurement measure(Bench& bench, const char* resource, const char* method, double workOfInstruction,
                    Kernel kernel) {
    Buffer<unsigned> wrong(1);
    std::vector<Candidate> all;
    for (const int warps : {4, 8, 16, 32}) {
        const int blocks = bench.smCount() * (warps > 8 ? warps / 8 : 1);
        const int threads = 32 * (warps > 8 ? 8 : warps);
        Candidate candidate;
        candidate.name = std::to_string(warps) + " warps per SM, " + std::to_string(kTiles) + " sums each";
        candidate.workPerRound = workOfInstruction * kTiles * 2 * kRepeat * blocks * (threads / 32);
        candidate.launch = [kernel, blocks, threads, &wrong](int rounds, ClockReading* reading) {
            kernel<<<blocks, threads>>>(rounds, wrong.data(), reading);
        };
        candidate.check = [&wrong](int) {
            const bool right = wrong.first() == 0;
            wrong.clear();
            return right;
        };
        all.push_back(std::move(candidate));
    }
    return bench.fastest(resource, method, all, kHoldSeconds, kSettleSeconds);
}

template <typename Format>
void add(Bench& bench, const char* resource, const char* method, std::vector<Measurement>& found) {
    if (bench.capability() < Format::kCapability) return;
    found.push_back(
        measure(bench, resource, method, 2.0 * Format::kResults * Format::kInner, warpKernel<Format>));
}

void measureFp64(Bench& bench, std::vector<Measurement>& found) {
    // Of other chips the tensor cores know no FP64, or the driver would play it on other pipes.
    if (bench.capability() == 90)
        found.push_back(measure(bench, "tensor_fp64", "mma.sync m16n8k16, FP64", 2.0 * 16 * 8 * kWideInner,
                                fp64Kernel<true>));
    else if (bench.capability() == 80 || bench.capability() == 100)
        found.push_back(measure(bench, "tensor_fp64", "mma.sync m8n8k4, FP64", 2.0 * 8 * 8 * kNarrowInner,
                                fp64Kernel<false>));
}

} // namespace

void measureWarpTensor(Bench& bench, std::vector<Measurement>& found) {
    add<WarpFp16>(bench, "tensor_fp16", "mma.sync, FP16 with FP32 sums", found);
    add<WarpBf16>(bench, "tensor_bf16", "mma.sync, BF16 with FP32 sums", found);
    add<WarpTf32>(bench, "tensor_tf32", "mma.sync, TF32 with FP32 sums", found);
    add<WarpFp8>(bench, "tensor_fp8", "mma.sync, E4M3 with FP32 sums", found);
    add<WarpInt8>(bench, "tensor_int8", "mma.sync, INT8 with INT32 sums", found);
}

void measureTensor(Bench& bench, bool generic, std::vector<Measurement>& found) {
    // The full rate of 10.0 needs instructions (tcgen05) that this program has not: a roof too low is worse
    // than none.
    if (bench.capability() == 90 && !generic)
        measureWarpgroupTensor(bench, found);
    else if (bench.capability() / 10 != 10 || generic)
        measureWarpTensor(bench, found);
    measureFp64(bench, found);
}

} // namespace dormer::instrument::ceilings
