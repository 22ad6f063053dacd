// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

#include <algorithm>

namespace dormer::instrument::ceilings {

namespace {

constexpr float kFactor = 2.0F;

__global__ void fill(std::uint32_t* words, std::size_t count) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
        words[i] = static_cast<std::uint32_t>(i) * kPattern;
}

__global__ void fillFloats(float* values, std::size_t count, unsigned mask) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
        values[i] = static_cast<float>(static_cast<unsigned>(i) & mask);
}

/// Counts words that differ from what `fill` writes.
__global__ void countWrong(const std::uint32_t* words, std::size_t count, unsigned long long* wrong) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long mine = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
        mine += words[i] != static_cast<std::uint32_t>(i) * kPattern;
    if (mine != 0) atomicAdd(wrong, mine);
}

__global__ void countWrongTriad(const float* values, std::size_t count, unsigned long long* wrong) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long mine = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
        mine += values[i] != static_cast<float>(static_cast<unsigned>(i) & 1023U) +
                                 kFactor * static_cast<float>(static_cast<unsigned>(i) & 255U);
    if (mine != 0) atomicAdd(wrong, mine);
}

template <int Unroll>
__device__ std::size_t firstOf() {
    return std::size_t{blockIdx.x} * blockDim.x * Unroll + threadIdx.x;
}

template <int Unroll>
__global__ void readKernel(const uint4* from, std::size_t count, std::uint32_t* sum) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x * Unroll;
    std::uint32_t mine = 0;
    for (std::size_t i = firstOf<Unroll>(); i < count; i += step) {
        uint4 values[Unroll];
#pragma unroll
        for (int u = 0; u < Unroll; ++u)
            values[u] = __ldcs(from + i + std::size_t{blockDim.x} * u);
#pragma unroll
        for (int u = 0; u < Unroll; ++u)
            mine += values[u].x + values[u].y + values[u].z + values[u].w;
    }
    atomicAdd(sum, mine);
}

template <int Unroll>
__global__ void writeKernel(uint4* to) {
    const std::size_t first = firstOf<Unroll>();
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
        const std::size_t i = first + std::size_t{blockDim.x} * u;
        const std::uint32_t value = static_cast<std::uint32_t>(4 * i) * kPattern;
        __stcs(to + i, make_uint4(value, value + kPattern, value + 2 * kPattern, value + 3 * kPattern));
    }
}

template <int Unroll>
__global__ void copyKernel(const uint4* from, uint4* to) {
    const std::size_t first = firstOf<Unroll>();
    uint4 values[Unroll];
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
        values[u] = __ldcs(from + first + std::size_t{blockDim.x} * u);
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
        __stcs(to + first + std::size_t{blockDim.x} * u, values[u]);
}

template <int Unroll>
__global__ void triadKernel(const float4* b, const float4* c, float4* a) {
    const std::size_t first = firstOf<Unroll>();
    float4 left[Unroll], right[Unroll];
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
        left[u] = __ldcs(b + first + std::size_t{blockDim.x} * u);
        right[u] = __ldcs(c + first + std::size_t{blockDim.x} * u);
    }
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
        __stcs(a + first + std::size_t{blockDim.x} * u,
               make_float4(left[u].x + kFactor * right[u].x, left[u].y + kFactor * right[u].y,
                           left[u].z + kFactor * right[u].z, left[u].w + kFactor * right[u].w));
}

/// Three arrays, far larger than L2.
struct Arrays {
    explicit Arrays(const Bench& bench)
        : bytes(std::clamp<std::size_t>(bench.freeBytes() / 8 >> 20 << 20, std::size_t{64} << 20,
                                        std::size_t{2} << 30))
        , a(bytes / 4)
        , b(bytes / 4)
        , c(bytes / 4)
        , sum(1)
        , wrong(1)
        , blocks(8 * bench.smCount()) {}

    void fillWords() { fill<<<blocks, 256>>>(b.data(), b.size()); }
    void fillTriad() {
        fillFloats<<<blocks, 256>>>(reinterpret_cast<float*>(b.data()), b.size(), 1023);
        fillFloats<<<blocks, 256>>>(reinterpret_cast<float*>(c.data()), c.size(), 255);
    }
    bool written() {
        wrong.clear();
        countWrong<<<blocks, 256>>>(a.data(), a.size(), wrong.data());
        const bool right = wrong.first() == 0;
        a.clear(); // so that the next check does not find this one's result
        return right;
    }
    bool triadWritten() {
        wrong.clear();
        countWrongTriad<<<blocks, 256>>>(reinterpret_cast<const float*>(a.data()), a.size(), wrong.data());
        const bool right = wrong.first() == 0;
        a.clear();
        return right;
    }

    std::size_t bytes;
    Buffer<std::uint32_t> a, b, c;
    Buffer<std::uint32_t> sum;
    Buffer<unsigned long long> wrong;
    int blocks;
};

template <int Unroll>
std::string shape(int threads) {
    return std::to_string(Unroll) + " x 16 B per thread, blocks of " + std::to_string(threads);
}

template <int Unroll>
void addReads(Arrays& arrays, int smCount, std::vector<Candidate>& all) {
    for (const int perSm : {2, 4, 8}) {
        const int threads = 2048 / perSm / 2;
        Candidate candidate;
        candidate.name = shape<Unroll>(threads) + ", " + std::to_string(perSm) + " per SM";
        candidate.workPerRound = static_cast<double>(arrays.bytes);
        candidate.fixedRounds = 1;
        candidate.launch = [&arrays, smCount, perSm, threads](int, ClockReading*) {
            readKernel<Unroll><<<smCount * perSm, threads>>>(reinterpret_cast<const uint4*>(arrays.b.data()),
                                                             arrays.bytes / 16, arrays.sum.data());
        };
        candidate.check = [&arrays, launch = candidate.launch](int) {
            arrays.sum.clear();
            launch(1, nullptr);
            return arrays.sum.first() == patternSum(arrays.bytes / 4);
        };
        all.push_back(std::move(candidate));
    }
}

enum class Stream { Write, Copy, Triad };

template <int Unroll>
void addStreams(Arrays& arrays, Stream stream, std::vector<Candidate>& all) {
    for (const int threads : {256, 512, 1024}) {
        Candidate candidate;
        candidate.name = shape<Unroll>(threads);
        candidate.workPerRound = static_cast<double>(arrays.bytes) * (static_cast<int>(stream) + 1);
        candidate.fixedRounds = 1;
        const auto blocks = static_cast<unsigned>(arrays.bytes / 16 / threads / Unroll);
        candidate.launch = [&arrays, stream, blocks, threads](int, ClockReading*) {
            if (stream == Stream::Write)
                writeKernel<Unroll><<<blocks, threads>>>(reinterpret_cast<uint4*>(arrays.a.data()));
            else if (stream == Stream::Copy)
                copyKernel<Unroll><<<blocks, threads>>>(reinterpret_cast<const uint4*>(arrays.b.data()),
                                                        reinterpret_cast<uint4*>(arrays.a.data()));
            else
                triadKernel<Unroll><<<blocks, threads>>>(reinterpret_cast<const float4*>(arrays.b.data()),
                                                         reinterpret_cast<const float4*>(arrays.c.data()),
                                                         reinterpret_cast<float4*>(arrays.a.data()));
        };
        candidate.check = [&arrays, stream](int) {
            return stream == Stream::Triad ? arrays.triadWritten() : arrays.written();
        };
        all.push_back(std::move(candidate));
    }
}

std::vector<Candidate> streams(Arrays& arrays, Stream stream) {
    std::vector<Candidate> all;
    addStreams<1>(arrays, stream, all);
    addStreams<2>(arrays, stream, all);
    addStreams<4>(arrays, stream, all);
    return all;
}

std::vector<Candidate> driverCopy(Arrays& arrays) {
    Candidate candidate;
    candidate.name = "device to device";
    candidate.workPerRound = 2.0 * static_cast<double>(arrays.bytes);
    candidate.fixedRounds = 1;
    candidate.launch = [&arrays](int, ClockReading*) {
        CEILINGS_CUDA(
            cudaMemcpyAsync(arrays.a.data(), arrays.b.data(), arrays.bytes, cudaMemcpyDeviceToDevice));
    };
    candidate.check = [&arrays](int) { return arrays.written(); };
    return {candidate};
}

} // namespace

void measureDram(Bench& bench, std::vector<Measurement>& found) {
    Arrays arrays(bench);
    const std::string size = std::to_string(arrays.bytes >> 20) + " MiB arrays";
    arrays.fillWords();
    std::vector<Candidate> reads;
    addReads<4>(arrays, bench.smCount(), reads);
    addReads<8>(arrays, bench.smCount(), reads);
    found.push_back(bench.fastest("dram_read", "sum of " + size, reads));
    found.push_back(bench.fastest("dram_write", "known words to " + size, streams(arrays, Stream::Write)));
    found.push_back(bench.fastest("dram_copy", "copy of " + size, streams(arrays, Stream::Copy)));
    found.push_back(bench.fastest("dram_memcpy", "cudaMemcpy of " + size, driverCopy(arrays)));
    arrays.fillTriad();
    found.push_back(bench.fastest("dram_triad", "a = b + 2 c on " + size, streams(arrays, Stream::Triad)));
    // The roof is the best of all directions: no kernel gets more out of the memory.
    Measurement roof;
    for (const Measurement& each : found)
        if (each.resource.starts_with("dram_") && each.perSecond > roof.perSecond) roof = each;
    if (roof.perSecond > 0) {
        roof.method =
            roof.resource.substr(5) + ", the fastest of read, write, copy and triad: " + roof.method;
        roof.resource = "dram";
        found.insert(found.begin(), roof);
    }
}

} // namespace dormer::instrument::ceilings
