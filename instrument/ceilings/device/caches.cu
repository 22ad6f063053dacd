// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

namespace dormer::instrument::ceilings {

namespace {

constexpr int kL2Threads = 256;
constexpr int kL2Unroll = 4; // more takes the registers of half the blocks
constexpr int kL2ChunkBytes = kL2Threads * kL2Unroll * 16;
constexpr int kNearThreads = 1024;

__global__ void fillWords(std::uint32_t* words, std::uint32_t count) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        words[i] = i * kPattern;
}

// Loads that the compiler can neither drop nor move out of a loop.
__device__ uint4 loadFromL2(const uint4* from) {
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
    return v;
}
__device__ uint4 loadThroughL1(const uint4* from) {
    uint4 v;
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
    return v;
}
__device__ uint4 loadShared(std::uint32_t address) {
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address));
    return v;
}

/// Each block reads a part of its own `rounds` times, and each load misses L1. A part for all would measure
/// less: between the SMs and L2 requests for the same line are joined.
__global__ void l2Kernel(const uint4* data, int chunks, int rounds, std::uint32_t* sum,
                         ClockReading* reading) {
    const ClockScope scope(reading);
    std::uint32_t mine = 0;
    const uint4* const first = data + std::size_t{kL2Threads * kL2Unroll} * chunks * blockIdx.x + threadIdx.x;
    int chunk = 0;
    for (int i = 0; i < rounds * chunks; ++i) {
        const uint4* from = first + kL2Threads * kL2Unroll * chunk;
        uint4 values[kL2Unroll];
#pragma unroll
        for (int u = 0; u < kL2Unroll; ++u)
            values[u] = loadFromL2(from + kL2Threads * u);
#pragma unroll
        for (int u = 0; u < kL2Unroll; ++u)
            mine += values[u].x + values[u].y + values[u].z + values[u].w;
        chunk = chunk + 1 == chunks ? 0 : chunk + 1;
    }
    atomicAdd(sum, mine);
}

/// Each block reads a part of its own again and again, small enough for L1. `step` is 0, which the assembler
/// must not know: it would read once.
template <int Unroll>
__global__ void __launch_bounds__(kNearThreads)
    l1Kernel(const uint4* data, int step, int rounds, std::uint32_t* sum, ClockReading* reading) {
    const ClockScope scope(reading);
    const uint4* from = data + std::size_t{kNearThreads * Unroll} * blockIdx.x + threadIdx.x;
    std::uint32_t mine = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int repeat = 0; repeat < 8; ++repeat) {
#pragma unroll
            for (int u = 0; u < Unroll; ++u) {
                const uint4 v = loadThroughL1(from + kNearThreads * u);
                mine += v.x + v.y + v.z + v.w;
            }
            from += step;
        }
    }
    atomicAdd(sum, mine);
}

template <int Unroll>
__global__ void __launch_bounds__(kNearThreads)
    sharedKernel(int step, int rounds, std::uint32_t* sum, ClockReading* reading) {
    const ClockScope scope(reading);
    __shared__ uint4 data[kNearThreads * Unroll];
    auto* const words = reinterpret_cast<std::uint32_t*>(data);
    for (unsigned i = threadIdx.x; i < kNearThreads * Unroll * 4; i += kNearThreads)
        words[i] = i * kPattern;
    __syncthreads();
    auto from = static_cast<std::uint32_t>(__cvta_generic_to_shared(data + threadIdx.x));
    std::uint32_t mine = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int repeat = 0; repeat < 8; ++repeat) {
#pragma unroll
            for (int u = 0; u < Unroll; ++u) {
                const uint4 v = loadShared(from + kNearThreads * 16 * u);
                mine += v.x + v.y + v.z + v.w;
            }
            from += step;
        }
    }
    atomicAdd(sum, mine);
}

/// The launch again, with its sum read.
bool sumIs(Buffer<std::uint32_t>& sum, const std::function<void()>& launch, std::uint32_t expected) {
    sum.clear();
    launch();
    return sum.first() == expected;
}

std::vector<Candidate> l2Candidates(const Bench& bench, const Buffer<std::uint32_t>& data,
                                    Buffer<std::uint32_t>& sum) {
    std::vector<Candidate> all;
    for (const int perSm : {2, 4, 8}) {
        for (const int chunks : {1, 2, 3, 4}) {
            const int blocks = bench.smCount() * perSm;
            const std::size_t bytes = std::size_t{kL2ChunkBytes} * chunks * blocks;
            // Beyond, lines are evicted.
            if (bytes > static_cast<std::size_t>(bench.l2Bytes()) * 3 / 4) continue;
            Candidate candidate;
            candidate.name = std::to_string(bytes >> 20) + " MiB, " + std::to_string(perSm) +
                             " blocks of 256 per SM, each a part of its own";
            candidate.workPerRound = static_cast<double>(bytes);
            candidate.launch = [&data, &sum, chunks, blocks](int rounds, ClockReading* reading) {
                l2Kernel<<<blocks, kL2Threads>>>(reinterpret_cast<const uint4*>(data.data()), chunks, rounds,
                                                 sum.data(), reading);
            };
            candidate.check = [&sum, launch = candidate.launch, bytes](int rounds) {
                Buffer<ClockReading> reading(1);
                return sumIs(
                    sum, [&] { launch(rounds, reading.data()); },
                    static_cast<std::uint32_t>(rounds) * patternSum(bytes / 4));
            };
            all.push_back(std::move(candidate));
        }
    }
    return all;
}

template <int Unroll>
Candidate l1Candidate(const Bench& bench, const Buffer<std::uint32_t>& data, Buffer<std::uint32_t>& sum) {
    const int blocks = bench.smCount();
    CEILINGS_CUDA(cudaFuncSetAttribute(l1Kernel<Unroll>, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxL1));
    Candidate candidate;
    candidate.name = std::to_string(16 * Unroll) + " KiB per SM, 1024 threads";
    candidate.workPerRound = 16.0 * kNearThreads * Unroll * blocks;
    candidate.roundsMultiple = 8;
    candidate.launch = [&data, &sum, blocks](int rounds, ClockReading* reading) {
        l1Kernel<Unroll><<<blocks, kNearThreads>>>(reinterpret_cast<const uint4*>(data.data()), 0, rounds,
                                                   sum.data(), reading);
    };
    candidate.check = [&sum, launch = candidate.launch, blocks](int rounds) {
        Buffer<ClockReading> reading(1);
        return sumIs(
            sum, [&] { launch(rounds, reading.data()); },
            static_cast<std::uint32_t>(rounds) *
                patternSum(std::uint64_t{4} * kNearThreads * Unroll * static_cast<unsigned>(blocks)));
    };
    return candidate;
}

template <int Unroll>
Candidate sharedCandidate(const Bench& bench, int perSm, Buffer<std::uint32_t>& sum) {
    const int blocks = bench.smCount() * perSm;
    Candidate candidate;
    candidate.name = std::to_string(16 * Unroll) + " KiB per block, " + std::to_string(perSm) +
                     " x 1024 threads per SM, 16 B per lane";
    candidate.workPerRound = 16.0 * kNearThreads * Unroll * blocks;
    candidate.roundsMultiple = 8;
    candidate.launch = [&sum, blocks](int rounds, ClockReading* reading) {
        sharedKernel<Unroll><<<blocks, kNearThreads>>>(0, rounds, sum.data(), reading);
    };
    candidate.check = [&sum, launch = candidate.launch, blocks](int rounds) {
        Buffer<ClockReading> reading(1);
        return sumIs(
            sum, [&] { launch(rounds, reading.data()); },
            static_cast<std::uint32_t>(blocks) * static_cast<std::uint32_t>(rounds) *
                patternSum(std::uint64_t{4} * kNearThreads * Unroll));
    };
    return candidate;
}

} // namespace

void measureCaches(Bench& bench, std::vector<Measurement>& found) {
    const Buffer<std::uint32_t> data(std::size_t{256} << 18); // 256 MiB: more than any L2
    Buffer<std::uint32_t> sum(1);
    fillWords<<<8 * bench.smCount(), 256>>>(data.data(), static_cast<std::uint32_t>(data.size()));
    found.push_back(bench.fastest("l2", "loads past L1, 16 B per lane", l2Candidates(bench, data, sum)));
    found.push_back(bench.fastest("l1", "a part of its own for each SM, 16 B per lane",
                                  {l1Candidate<1>(bench, data, sum), l1Candidate<2>(bench, data, sum),
                                   l1Candidate<4>(bench, data, sum), l1Candidate<8>(bench, data, sum)}));
    found.push_back(bench.fastest("shared", "loads without bank conflicts",
                                  {sharedCandidate<1>(bench, 1, sum), sharedCandidate<2>(bench, 1, sum),
                                   sharedCandidate<1>(bench, 2, sum)}));
}

} // namespace dormer::instrument::ceilings
