// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/groups.h"
#include "kernels/histogram/temperatures.cuh"

namespace dormer::kernels::histogram {

namespace {

// Each block counts in shared memory and adds its bins to the global ones once, whether they are empty or
// not.
template <int kBins>
__global__ void histogramShared(cuda::std::span<const float> temperatures, unsigned* bins) {
    __shared__ unsigned blockBins[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        blockBins[bin] = 0;
    __syncthreads();
    const std::size_t begin = blockIdx.x * kElementsPerBlock;
    const std::size_t end = min(begin + kElementsPerBlock, temperatures.size());
    for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&blockBins[binOf<kBins>(temperatures[i])], 1U);
    __syncthreads();
    // A loop, so that warps without a bin jump over the atomic instead of executing it with all lanes off.
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        atomicAdd(&bins[bin], blockBins[bin]);
}

// A copy for each warp, so that warps don't wait for each other's bins; the copies are summed at the end.
template <int kBins>
__global__ void histogramSharedReplicated(cuda::std::span<const float> temperatures, unsigned* bins) {
    constexpr unsigned kCopies = kBlock / 32;
    __shared__ unsigned copies[kCopies][kBins];
    for (unsigned word = threadIdx.x; word < kCopies * kBins; word += blockDim.x)
        (&copies[0][0])[word] = 0;
    __syncthreads();
    unsigned* warpBins = copies[threadIdx.x / 32];
    const std::size_t begin = blockIdx.x * kElementsPerBlock;
    const std::size_t end = min(begin + kElementsPerBlock, temperatures.size());
    for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&warpBins[binOf<kBins>(temperatures[i])], 1U);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
        unsigned sum = 0;
        for (unsigned copy = 0; copy < kCopies; ++copy)
            sum += copies[copy][bin];
        atomicAdd(&bins[bin], sum);
    }
}

template <int kBins, void (*kKernel)(cuda::std::span<const float>, unsigned*)>
void launch(Temperatures& t) {
    t.zero(kBins);
    kKernel<<<static_cast<unsigned>(blocksOf(t.values.size())), kBlock>>>(t.values.view(), t.bins.data());
}

template <int kBins>
std::vector<Expectation> answers(std::size_t size) {
    return {atomics(0, size, kBins, mergeReason(kBins)),
            exactly("shared_atomic_instructions", static_cast<double>(size / 32),
                    "one shared atomic per element, 32 per warp"),
            readOnce(size)};
}

template <int kBins>
std::vector<Expectation> answersFasterThanGlobal(std::size_t size) {
    std::vector<Expectation> all = answers<kBins>(size);
    const std::string rival = "histogram/" + nameOf<kBins, Input::Uniform>("block_private_global");
    all.push_back(comparedTo(rival, "duration_ns", "<=", 1,
                             "the same private counting, in shared memory instead of through L2"));
    return all;
}

template <int kBins, Input kInput>
Row<TemperaturesOf<kInput>> shared(std::function<std::vector<Expectation>(std::size_t)> knownAnswers) {
    return rowOf<kBins, kInput>(
        {.name = "shared",
         .shows = "one histogram per block in shared memory, merged at its end: blocks x bins global atomics",
         .answers = std::move(knownAnswers),
         .good = true},
        launch<kBins, histogramShared<kBins>>);
}

template <int kBins, Input kInput>
Row<TemperaturesOf<kInput>> replicated() {
    return rowOf<kBins, kInput>(
        {.name = "shared_replicated",
         .shows = "one histogram per warp in shared memory: warps never meet in a bin before the merge",
         .answers = answers<kBins>,
         .good = true},
        launch<kBins, histogramSharedReplicated<kBins>>);
}

} // namespace

std::vector<Group> sharedGroups() {
    return {
        groupOfRows<Input::Uniform>({shared<10, Input::Uniform>(answersFasterThanGlobal<10>),
                                     shared<256, Input::Uniform>(answersFasterThanGlobal<256>),
                                     replicated<10, Input::Uniform>(), replicated<256, Input::Uniform>()},
                                    kPrivateSizes, kBlock),
        groupOfRows<Input::OneBin>({shared<10, Input::OneBin>(answers<10>), replicated<10, Input::OneBin>()},
                                   kPrivateSizes, kBlock)};
}

} // namespace dormer::kernels::histogram
