// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/spaces/groups.h"

#include <algorithm>

namespace dormer::kernels::spaces {

namespace {

// Variables that live in global memory as long as the module is loaded; no kernel takes them as arguments.
constexpr unsigned kWeights = 4096;
__device__ unsigned staticWeights[kWeights];
__device__ unsigned staticSums[kBlock];

// Threads with the same place in their blocks add to the same sum; a warp adds to 32 of them at once.
__global__ void sumWeighted(cuda::std::span<const unsigned> values) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < values.size()) atomicAdd(&staticSums[threadIdx.x], values[i] * staticWeights[i % kWeights]);
}

struct Word {
    std::uint64_t seed;
    __host__ __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i));
    }
};

struct Weighted {
    explicit Weighted(const Setup& setup)
        : valueOf{setup.seed}, weightOf{setup.seed + 1}, values(setup.size) {
        fill(values, valueOf);
        std::vector<unsigned> weights(kWeights);
        for (unsigned i = 0; i < kWeights; ++i)
            weights[i] = weightOf(i);
        CUDA_CHECK(cudaMemcpyToSymbol(staticWeights, weights.data(), sizeof(staticWeights)));
        void* address = nullptr;
        CUDA_CHECK(cudaGetSymbolAddress(&address, staticSums));
        sums = static_cast<unsigned*>(address);
    }

    Word valueOf, weightOf;
    DeviceBuffer<unsigned> values;
    unsigned* sums = nullptr; ///< address of staticSums on the device
};

void launch(Weighted& w) {
    CUDA_CHECK(cudaMemsetAsync(w.sums, 0, sizeof(staticSums)));
    sumWeighted<<<static_cast<unsigned>(w.values.size() / kBlock), kBlock>>>(w.values.view());
}

std::vector<unsigned> expectedSums(const Weighted& w) {
    std::vector<unsigned> sums(kBlock);
    for (std::size_t i = 0; i < w.values.size(); ++i)
        sums[i % kBlock] += w.valueOf(i) * w.weightOf(i % kWeights);
    return sums;
}

CheckResult check(Weighted& w) {
    std::vector<unsigned> sums(kBlock);
    CUDA_CHECK(cudaMemcpyFromSymbol(sums.data(), staticSums, sizeof(staticSums)));
    std::vector<unsigned> byAddress(kBlock);
    CUDA_CHECK(cudaMemcpy(byAddress.data(), w.sums, sizeof(staticSums), cudaMemcpyDeviceToHost));
    if (sums != byAddress) return {false, "the symbol and its address name different memory"};
    const std::vector<unsigned> expected = expectedSums(w);
    const auto [found, right] = std::ranges::mismatch(sums, expected);
    if (found != sums.end())
        return {false, "sum " + std::to_string(found - sums.begin()) + " is " + std::to_string(*found) +
                           " instead of " + std::to_string(*right)};
    return {true, "all " + std::to_string(kBlock) + " sums equal the host's, by symbol and by address"};
}

std::vector<Expectation> answers(std::size_t size) {
    const auto warps = static_cast<double>(size / 32);
    return {
        exactly("global_load_requests", 2 * warps,
                "a value and its weight: a static variable is ordinary global memory"),
        exactly("global_load_sectors_per_request", kCoalescedSectors, "32 lanes read 128 neighbouring bytes"),
        exactly("atomic_instructions", warps, "each warp adds to 32 sums at once"), noLocalMemory()};
}

std::vector<Row<Weighted>> rows() {
    return {
        {{.name = "static_global",
          .shows = "__device__ variables, filled and read through their symbols: ordinary global memory",
          .knownAnswers = answers,
          .good = true},
         launch,
         check},
    };
}

} // namespace

Group staticGlobalGroup() {
    return groupOf<Weighted>(
        rows(), Sizes{std::size_t{1} << 22, std::size_t{1} << 17},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return size * sizeof(unsigned); }, parameters);
}

} // namespace dormer::kernels::spaces
