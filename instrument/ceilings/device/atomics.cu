// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

namespace dormer::instrument::ceilings {

namespace {

constexpr int kThreads = 256;
constexpr int kPerRound = 16;

/// Every thread adds 1 to counter (thread & mask), 16 times per round, each time a grid further on: all words
/// get their share, and no thread waits for its own last addition. One address: mask 0, which the
/// compiler can't know.
__global__ void globalAtomics(unsigned* counters, unsigned mask, int rounds, ClockReading* reading) {
    const ClockScope scope(reading);
    const unsigned grid = gridDim.x * blockDim.x;
    unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < kPerRound; ++i) {
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(counters + (word & mask)) : "memory");
            word += grid;
        }
    }
}

__global__ void sharedAtomics(unsigned* total, int rounds, ClockReading* reading) {
    const ClockScope scope(reading);
    __shared__ unsigned counters[kThreads];
    counters[threadIdx.x] = 0;
    __syncthreads();
    const auto counter = static_cast<unsigned>(__cvta_generic_to_shared(counters + threadIdx.x));
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < kPerRound; ++i)
            asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(counter) : "memory");
    }
    __syncthreads();
    atomicAdd(total, counters[threadIdx.x]);
}

__global__ void addUp(const unsigned* counters, unsigned count, unsigned* total) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(total, counters[i]);
}

Candidate globalCandidate(const Bench& bench, unsigned addresses, int perSm, Buffer<unsigned>& counters,
                          Buffer<unsigned>& total) {
    const int blocks = bench.smCount() * perSm;
    Candidate candidate;
    candidate.name = std::to_string(perSm) + " blocks of 256 per SM";
    candidate.workPerRound = static_cast<double>(kPerRound) * kThreads * blocks;
    candidate.launch = [&counters, addresses, blocks](int rounds, ClockReading* reading) {
        globalAtomics<<<blocks, kThreads>>>(counters.data(), addresses - 1, rounds, reading);
    };
    candidate.check = [&counters, &total, addresses, blocks, launch = candidate.launch](int rounds) {
        const Buffer<ClockReading> reading(1);
        counters.clear();
        total.clear();
        launch(rounds, reading.data());
        addUp<<<1, 1024>>>(counters.data(), addresses, total.data());
        return total.first() == static_cast<unsigned>(kPerRound) * kThreads * static_cast<unsigned>(blocks) *
                                    static_cast<unsigned>(rounds);
    };
    return candidate;
}

Candidate sharedCandidate(const Bench& bench, int perSm, Buffer<unsigned>& total) {
    const int blocks = bench.smCount() * perSm;
    Candidate candidate;
    candidate.name = std::to_string(perSm) + " blocks of 256 per SM";
    candidate.workPerRound = static_cast<double>(kPerRound) * kThreads * blocks;
    candidate.launch = [&total, blocks](int rounds, ClockReading* reading) {
        sharedAtomics<<<blocks, kThreads>>>(total.data(), rounds, reading);
    };
    candidate.check = [&total, blocks, launch = candidate.launch](int rounds) {
        const Buffer<ClockReading> reading(1);
        total.clear();
        launch(rounds, reading.data());
        return total.first() == static_cast<unsigned>(kPerRound) * kThreads * static_cast<unsigned>(blocks) *
                                    static_cast<unsigned>(rounds);
    };
    return candidate;
}

} // namespace

void measureAtomics(Bench& bench, std::vector<Measurement>& found) {
    constexpr unsigned kMany = 1U << 20;
    Buffer<unsigned> counters(kMany);
    Buffer<unsigned> total(1);
    const auto global = [&](unsigned addresses) {
        return std::vector{globalCandidate(bench, addresses, 2, counters, total),
                           globalCandidate(bench, addresses, 4, counters, total),
                           globalCandidate(bench, addresses, 8, counters, total)};
    };
    found.push_back(bench.fastest("atomics_one", "additions of all threads to one word", global(1)));
    found.push_back(bench.fastest("atomics_many", "additions to 2^20 words in turn, neighbours to neighbours",
                                  global(kMany), 0.5));
    found.push_back(bench.fastest("atomics_shared", "additions to shared memory, a word for each thread",
                                  {sharedCandidate(bench, 2, total), sharedCandidate(bench, 8, total)}));
}

} // namespace dormer::instrument::ceilings
