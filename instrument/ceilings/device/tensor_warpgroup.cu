// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"
#include "instrument/ceilings/device/wgmma.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <type_traits>

namespace dormer::instrument::ceilings {

namespace {

constexpr int kRows = 64, kColumns = 256;
constexpr int kRowBytes = 32; ///< of one instruction, whatever the type
constexpr int kSlices = 4;    ///< instructions along the inner dimension
constexpr int kThreads = 128; ///< a warpgroup
constexpr int kASlice = kRows * kRowBytes, kBSlice = kColumns * kRowBytes;

// Values whose products and sums are exact in each type, and look random.
struct Fp16 {
    using Element = __half;
    using Sum = float;
    static __host__ __device__ float value(std::uint32_t bits) {
        return static_cast<float>(int(bits % 257) - 128) / 64;
    }
    static __device__ Element element(float value) { return __float2half(value); }
    template <int Sign>
    static __device__ void multiply(Sum (&d)[128], std::uint64_t a, std::uint64_t b) {
        multiplyFp16<Sign>(d, a, b);
    }
};
struct Bf16 : Fp16 {
    using Element = __nv_bfloat16;
    static __device__ Element element(float value) { return __float2bfloat16(value); }
    template <int Sign>
    static __device__ void multiply(Sum (&d)[128], std::uint64_t a, std::uint64_t b) {
        multiplyBf16<Sign>(d, a, b);
    }
};
struct Tf32 : Fp16 {
    using Element = float;
    static __device__ Element element(float value) { return value; }
    template <int Sign>
    static __device__ void multiply(Sum (&d)[128], std::uint64_t a, std::uint64_t b) {
        multiplyTf32<Sign>(d, a, b);
    }
};
struct Fp8 : Fp16 { // Hopper keeps some 14 bits of the sums of these
    using Element = __nv_fp8_e4m3;
    static __host__ __device__ float value(std::uint32_t bits) {
        const float size = bits % 4 == 0 ? 0.5F : bits % 4 == 1 ? 0.75F : bits % 4 == 2 ? 1 : 1.5F;
        return bits / 4 % 2 == 0 ? size : -size;
    }
    static __device__ Element element(float value) { return Element(value); }
    template <int Sign>
    static __device__ void multiply(Sum (&d)[128], std::uint64_t a, std::uint64_t b) {
        multiplyFp8<Sign>(d, a, b);
    }
};
struct Int8 {
    using Element = std::int8_t;
    using Sum = int;
    static __host__ __device__ int value(std::uint32_t bits) { return int(bits % 255) - 127; }
    static __device__ Element element(int value) { return static_cast<Element>(value); }
    template <int Sign> // has no sign: sums go around
    static __device__ void multiply(Sum (&d)[128], std::uint64_t a, std::uint64_t b) {
        multiplyInt8<1>(d, a, b);
    }
};

__host__ __device__ std::uint32_t randomBits(std::uint32_t matrix, std::uint32_t line, std::uint32_t inner) {
    std::uint32_t x = (matrix * 8191 + line) * 4093 + inner + 1;
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return (x ^ x >> 16) >> 4;
}

/// Byte of a slice where a row's byte lies: core matrices of 8 rows by 16 bytes, the two of a row group
/// following each other, without swizzling.
__device__ int placeOf(int line, int byte) {
    return (line / 8 * 2 + byte / 16) * 128 + line % 8 * 16 + byte % 16;
}

/// Matrix descriptor (PTX ISA, "Matrix Descriptor Format"): address, 128 bytes to the next core matrix along
/// the inner dimension, 256 to the next along the other.
__device__ std::uint64_t descriptor(const void* slice) {
    const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(slice));
    return (address & 0x3FFFF) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
}

/// d = a b once, and 2 rounds times a pass of all slices more that cancel out: added, then taken off.
/// Integers have no sign there: their sum is that of 2 rounds + 1 passes.
template <typename Format>
__global__ void __launch_bounds__(kThreads)
    warpgroupKernel(int rounds, typename Format::Sum* results, ClockReading* reading) {
    const ClockScope scope(reading);
    __shared__ alignas(128) unsigned char a[kSlices][kASlice];
    __shared__ alignas(128) unsigned char b[kSlices][kBSlice];
    using Element = typename Format::Element;
    constexpr int kInner = kRowBytes / sizeof(Element);
    for (int matrix = 0; matrix < 2; ++matrix) {
        const int lines = matrix == 0 ? kRows : kColumns;
        for (int i = threadIdx.x; i < kSlices * lines * kInner; i += kThreads) {
            const int slice = i / (lines * kInner), line = i / kInner % lines, inner = i % kInner;
            unsigned char* const to = matrix == 0 ? a[slice] : b[slice];
            *reinterpret_cast<Element*>(to + placeOf(line, inner * int(sizeof(Element)))) =
                Format::element(Format::value(randomBits(matrix, line, slice * kInner + inner)));
        }
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    typename Format::Sum sums[128];
#pragma unroll
    for (auto& sum : sums)
        sum = 0;
    warpgroupArrive();
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice)
        Format::template multiply<1>(sums, descriptor(a[slice]), descriptor(b[slice]));
    warpgroupCommit();
    warpgroupWait();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        warpgroupArrive();
#pragma unroll
        for (int slice = 0; slice < kSlices; ++slice)
            Format::template multiply<1>(sums, descriptor(a[slice]), descriptor(b[slice]));
#pragma unroll
        for (int slice = 0; slice < kSlices; ++slice)
            Format::template multiply<-1>(sums, descriptor(a[slice]), descriptor(b[slice]));
        warpgroupCommit();
        warpgroupWait();
    }
    if (results == nullptr) return;
    results += std::size_t{kRows * kColumns} * blockIdx.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 128; ++i) { // PTX ISA, "Accumulator D" of wgmma.m64nNk16
        const int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        results[row * kColumns + column] = sums[i];
    }
}

/// One thread per result: sums it up one product at a time and compares what each block found.
template <typename Format>
__global__ void compareKernel(const typename Format::Sum* results, int blocks, int passes, unsigned* wrong) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    constexpr unsigned kInner = kSlices * kRowBytes / sizeof(typename Format::Element);
    typename Format::Sum expected = 0;
    for (unsigned k = 0; k < kInner; ++k)
        expected +=
            Format::value(randomBits(0, at / kColumns, k)) * Format::value(randomBits(1, at % kColumns, k));
    if constexpr (std::is_integral_v<typename Format::Sum>) // sums go around, as those of the tensor cores
        expected = static_cast<int>(static_cast<unsigned>(expected) * static_cast<unsigned>(passes));
    for (int block = 0; block < blocks; ++block)
        if (results[std::size_t{kRows * kColumns} * block + at] != expected) atomicAdd(wrong, 1U);
}

template <typename Format>
Measurement measure(Bench& bench, const char* resource, const char* method) {
    constexpr int kMostPerSm = 3;
    using Sum = typename Format::Sum;
    const Buffer<Sum> results(std::size_t{kRows * kColumns} * bench.smCount() * kMostPerSm);
    Buffer<unsigned> wrong(1);
    std::vector<Candidate> all;
    for (int perSm = 1; perSm <= kMostPerSm; ++perSm) {
        const int blocks = bench.smCount() * perSm;
        Candidate candidate;
        candidate.name = "m64n256, " + std::to_string(perSm) + " warpgroups per SM, random matrices";
        candidate.workPerRound =
            2.0 * kRows * kColumns * (kRowBytes / sizeof(typename Format::Element)) * 2 * kSlices * blocks;
        candidate.launch = [blocks](int rounds, ClockReading* reading) {
            warpgroupKernel<Format><<<blocks, kThreads>>>(rounds, nullptr, reading);
        };
        candidate.check = [&results, &wrong, blocks](int rounds) {
            const Buffer<ClockReading> reading(1);
            wrong.clear();
            warpgroupKernel<Format><<<blocks, kThreads>>>(rounds, results.data(), reading.data());
            const int passes = std::is_same_v<Format, Int8> ? 2 * rounds + 1 : 1;
            compareKernel<Format>
                <<<kRows * kColumns / 256, 256>>>(results.data(), blocks, passes, wrong.data());
            return wrong.first() == 0;
        };
        all.push_back(std::move(candidate));
    }
    return bench.fastest(resource, method, all, kHoldSeconds, kSettleSeconds);
}

} // namespace

void measureWarpgroupTensor(Bench& bench, std::vector<Measurement>& found) {
    found.push_back(measure<Fp16>(bench, "tensor_fp16", "wgmma, FP16 with FP32 sums"));
    found.push_back(measure<Bf16>(bench, "tensor_bf16", "wgmma, BF16 with FP32 sums"));
    found.push_back(measure<Tf32>(bench, "tensor_tf32", "wgmma, TF32 with FP32 sums"));
    found.push_back(measure<Fp8>(bench, "tensor_fp8", "wgmma, E4M3 with FP32 sums"));
    found.push_back(measure<Int8>(bench, "tensor_int8", "wgmma, INT8 with INT32 sums"));
}

} // namespace dormer::instrument::ceilings
