// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/answers.h"
#include "kernels/device_buffer.h"
#include "kernels/inputs.cuh"
#include "kernels/table.h"

#include <array>
#include <numeric>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
constexpr int kBins = 10;
constexpr float kHottest = 100.0F;
constexpr unsigned kElementsPerThread = 64; // of `shared`: enough to make the merging of bins cheap
constexpr std::size_t kElementsPerBlock = std::size_t{kBlock} * kElementsPerThread;

__host__ __device__ int binOf(float temperature) {
    const int bin = static_cast<int>(temperature * (kBins / kHottest));
    return bin < kBins ? bin : kBins - 1;
}

// Plain atomicAdd rather than cuda::atomic_ref: it tells the compiler the address space, so that it can
// choose the reduction that returns nothing.

__global__ void histogramGlobalAtomics(cuda::std::span<const float> temperatures, unsigned* bins) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < temperatures.size()) atomicAdd(&bins[binOf(temperatures[i])], 1U);
}

// Each block counts in shared memory and adds its bins to the global ones once, whether they are empty or
// not.
__global__ void histogramShared(cuda::std::span<const float> temperatures, unsigned* bins) {
    __shared__ unsigned blockBins[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        blockBins[bin] = 0;
    __syncthreads();
    const std::size_t begin = blockIdx.x * kElementsPerBlock;
    const std::size_t end = min(begin + kElementsPerBlock, temperatures.size());
    for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&blockBins[binOf(temperatures[i])], 1U);
    __syncthreads();
    // A loop, so that warps without a bin jump over the atomic instead of executing it with all lanes off.
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        atomicAdd(&bins[bin], blockBins[bin]);
}

// Reference without contended counting: a block counts one bin over all the input, votes summed in registers.
__global__ void countOneBin(cuda::std::span<const float> temperatures, unsigned* bins) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned count = 0;
    // The bound is the same for the whole block, so that every thread votes every time.
    for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x; base < temperatures.size();
         base += stride) {
        const std::size_t i = base + threadIdx.x;
        const bool mine = i < temperatures.size() && binOf(temperatures[i]) == static_cast<int>(blockIdx.y);
        count += static_cast<unsigned>(__syncthreads_count(mine ? 1 : 0));
    }
    if (threadIdx.x == 0) atomicAdd(&bins[blockIdx.y], count);
}

struct Temperatures {
    explicit Temperatures(const Setup& setup) : values(setup.size), bins(kBins) {
        fill(values, Uniform<float>{setup.seed, kHottest});
    }
    void zero() const { CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, bins.bytes())); }
    [[nodiscard]] CheckResult check() const;

    DeviceBuffer<float> values;
    DeviceBuffer<unsigned> bins;
};

CheckResult Temperatures::check() const {
    const DeviceBuffer<unsigned> reference(kBins);
    CUDA_CHECK(cudaMemset(reference.data(), 0, reference.bytes()));
    countOneBin<<<dim3(256, kBins), kBlock>>>(values.view(), reference.data());
    CUDA_CHECK(cudaGetLastError());
    const std::vector<unsigned> expected = reference.toHost();
    const std::vector<unsigned> counted = bins.toHost();
    const std::size_t total = std::accumulate(counted.begin(), counted.end(), std::size_t{0});
    if (total != values.size())
        return {false, "the bins hold " + std::to_string(total) + " of " + std::to_string(values.size()) +
                           " elements"};
    for (int bin = 0; bin < kBins; ++bin)
        if (counted[bin] != expected[bin])
            return {false, "bin " + std::to_string(bin) + " holds " + std::to_string(counted[bin]) +
                               " elements instead of " + std::to_string(expected[bin])};
    return {true, "all 10 bins equal a count by votes, in all " + std::to_string(total) + " elements"};
}

std::vector<Expectation> answersGlobal(std::size_t size) {
    return {
        exactly("atomic_instructions", static_cast<double>(size / 32), "one atomic per element, 32 a warp")};
}

std::vector<Expectation> answersShared(std::size_t size) {
    return {exactly("atomic_instructions",
                    static_cast<double>((size + kElementsPerBlock - 1) / kElementsPerBlock),
                    "10 bins are merged by 10 lanes of one warp, once per block")};
}

// The bins are zeroed before each launch, by a memset, so that repeats don't add up.
std::vector<Row<Temperatures>> contended() {
    return {
        {{"global_atomics", "every element is an atomic in global memory: contended", answersGlobal},
         [](Temperatures& t) {
             t.zero();
             const auto blocks = static_cast<unsigned>(cuda::ceil_div(t.values.size(), kBlock));
             histogramGlobalAtomics<<<blocks, kBlock>>>(t.values.view(), t.bins.data());
         },
         [](Temperatures& t) { return t.check(); }},
    };
}

std::vector<Row<Temperatures>> privatised() {
    return {
        {{"shared",
          "one histogram per block in shared memory, merged at its end: blocks x bins global atomics",
          answersShared},
         [](Temperatures& t) {
             t.zero();
             const auto blocks = static_cast<unsigned>(cuda::ceil_div(t.values.size(), kElementsPerBlock));
             histogramShared<<<blocks, kBlock>>>(t.values.view(), t.bins.data());
         },
         [](Temperatures& t) { return t.check(); }},
    };
}

// Whole blocks, so that every warp is full and the number of atomics follows from the size.
std::size_t roundSize(std::size_t wanted) {
    return roundUp(wanted, kBlock);
}

std::size_t deviceBytes(std::size_t size) {
    return size * sizeof(float) + kBins * sizeof(unsigned);
}

std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "bins=" + std::to_string(kBins),
            "block=" + std::to_string(kBlock), "input=uniform"};
}

} // namespace

Family histogramFamily() {
    return {"histogram",
            "Histogram of temperatures",
            "Where contended counts are kept decides: global memory or a private copy per block",
            // The private copies are over a hundred times faster, so they get twice the work to be timed by.
            {groupOf<Temperatures>(contended(), Sizes{std::size_t{1} << 24, std::size_t{1} << 20}, roundSize,
                                   deviceBytes, parameters),
             groupOf<Temperatures>(privatised(), Sizes{std::size_t{1} << 25, std::size_t{1} << 21}, roundSize,
                                   deviceBytes, parameters)}};
}

} // namespace dormer::kernels
