// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Loads of 16 bytes from shared memory, by one lane and by ldmatrix.

#include "tests/cases/cases.h"

#include <cstring>

namespace cases {

namespace {

constexpr int kLanes = 32, kBlocks = 8;
constexpr int kWords = 1184; ///< floats in shared memory: 32 rows 144 bytes apart, and the exchanged chunks

/// Where a lane's 16 bytes begin.
struct Apart {
    static __device__ unsigned of(unsigned lane) { return lane * 128; }
};
struct Together {
    static __device__ unsigned of(unsigned lane) { return lane * 16; }
};
struct FourShared {
    static __device__ unsigned of(unsigned lane) { return lane % 4 * 16; }
};
struct PairsShare {
    static __device__ unsigned of(unsigned lane) { return lane / 2 % 4 * 16; }
};

template <typename Offset>
__global__ void loadVectors(const float* from, float4* to) {
    __shared__ alignas(128) float words[kWords];
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < kWords; i += kLanes)
        words[i] = from[i];
    __syncwarp();
    const char* bytes = reinterpret_cast<const char*>(words);
    const float4 value = *reinterpret_cast<const float4*>(bytes + Offset::of(threadIdx.x)); // wide: load
    to[blockIdx.x * kLanes + threadIdx.x] = make_float4(value.x, value.y, value.z, value.w + 1);
}

template <typename Offset>
void vectors(const char* name, unsigned (*offset)(unsigned)) {
    const std::vector<float> values = counting<float>(kWords);
    const OnDevice<float> from{values};
    const OnDevice<float4> to{std::size_t{kBlocks * kLanes}};
    run(name, [&] { loadVectors<Offset><<<kBlocks, kLanes>>>(from.data(), to.data()); });
    bool right = true;
    const std::vector<float4> loaded = to.host();
    for (unsigned i = 0; i < loaded.size(); ++i)
        right = right && loaded[i].x == static_cast<float>(offset(i % kLanes) / 4) &&
                loaded[i].w == static_cast<float>(offset(i % kLanes) / 4 + 4);
    check(right, name);
}

/// Rows of 8 halves, one at each lane's address, lie `Stride` bytes apart; or, swizzled, 128 bytes apart with
/// their 16-byte chunk exchanged by row.
template <int Stride, bool Swizzled>
__global__ void loadMatrices(const float* from, uint4* to) {
    __shared__ alignas(128) float words[kWords];
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < kWords; i += kLanes)
        words[i] = from[i];
    __syncwarp();
    const unsigned row = threadIdx.x;
    const unsigned offset = row * Stride + (Swizzled ? (row & 7) * 16 : 0);
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(words)) + offset;
    uint4 part;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(part.x), "=r"(part.y), "=r"(part.z), "=r"(part.w)
                 : "r"(address) // rows: load
                 : "memory");
    to[blockIdx.x * kLanes + threadIdx.x] = part;
}

template <int Stride, bool Swizzled = false>
void matrices(const char* name) {
    const std::vector<float> values = counting<float>(kWords);
    const OnDevice<float> from{values};
    const OnDevice<uint4> to{std::size_t{kBlocks * kLanes}};
    run(name, [&] { loadMatrices<Stride, Swizzled><<<kBlocks, kLanes>>>(from.data(), to.data()); });
    // Lane l holds word l % 4 of row l / 4 of each matrix; matrix m has the rows of lanes 8m and on.
    bool right = true;
    const std::vector<uint4> loaded = to.host();
    for (unsigned i = 0; i < loaded.size(); ++i) {
        const unsigned lane = i % kLanes;
        const unsigned parts[] = {loaded[i].x, loaded[i].y, loaded[i].z, loaded[i].w};
        for (unsigned matrix = 0; matrix < 4; ++matrix) {
            const unsigned row = 8 * matrix + lane / 4;
            const unsigned word = (row * Stride + (Swizzled ? (row & 7) * 16 : 0)) / 4 + lane % 4;
            float value;
            static_assert(sizeof value == sizeof parts[0]);
            std::memcpy(&value, &parts[matrix], sizeof value);
            right = right && value == values[word];
        }
    }
    check(right, name);
}

} // namespace

void wideSharedLoads() {
    vectors<Apart>("case/wide_apart", [](unsigned lane) { return lane * 128; });
    vectors<Together>("case/wide_together", [](unsigned lane) { return lane * 16; });
    vectors<FourShared>("case/wide_four", [](unsigned lane) { return lane % 4 * 16; });
    vectors<PairsShare>("case/wide_pairs", [](unsigned lane) { return lane / 2 % 4 * 16; });
}

void matrixRows() {
    matrices<64>("case/rows_64");
    matrices<128>("case/rows_128");
    matrices<80>("case/rows_80");
    matrices<144>("case/rows_144");
    matrices<128, true>("case/rows_swizzled");
}

} // namespace cases
