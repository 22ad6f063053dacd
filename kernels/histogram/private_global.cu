// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/groups.h"
#include "kernels/histogram/temperatures.cuh"

#include <cuda/atomic>

namespace dormer::kernels::histogram {

namespace {

// Each block counts in bins of its own, in global memory. Only its own threads see them, so block scope is
// enough; the merge is seen by all blocks and needs the scope of the device.
template <int kBins>
__global__ void histogramBlockPrivate(cuda::std::span<const float> temperatures, unsigned* privateBins,
                                      unsigned* bins) {
    unsigned* blockBins = privateBins + std::size_t{blockIdx.x} * kBins;
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        blockBins[bin] = 0;
    __syncthreads();
    const std::size_t begin = blockIdx.x * kElementsPerBlock;
    const std::size_t end = min(begin + kElementsPerBlock, temperatures.size());
    for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
        const cuda::atomic_ref<unsigned, cuda::thread_scope_block> bin(
            blockBins[binOf<kBins>(temperatures[i])]);
        bin.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
        const cuda::atomic_ref<unsigned, cuda::thread_scope_device> total(bins[bin]);
        total.fetch_add(blockBins[bin], cuda::memory_order_relaxed);
    }
}

template <Input kInput>
struct PrivateCopies : TemperaturesOf<kInput> {
    explicit PrivateCopies(const Setup& setup)
        : TemperaturesOf<kInput>(setup), copies(blocksOf(setup.size) * kMostBins) {}
    DeviceBuffer<unsigned> copies;
};

template <int kBins>
std::vector<Expectation> answers(std::size_t size) {
    return {atomics(size / 32, size, kBins, "one atomic per element, and " + mergeReason(kBins))};
}

template <int kBins>
Row<PrivateCopies<Input::Uniform>> row() {
    using State = PrivateCopies<Input::Uniform>;
    const Launch launch = [](Temperatures& t) {
        t.zero(kBins);
        histogramBlockPrivate<kBins><<<static_cast<unsigned>(blocksOf(t.values.size())), kBlock>>>(
            t.values.view(), static_cast<State&>(t).copies.data(), t.bins.data());
    };
    const Row<TemperaturesOf<Input::Uniform>> plain = rowOf<kBins, Input::Uniform>(
        {.name = "block_private_global",
         .shows = "one histogram per block, but in global memory: less contended, as far away as before",
         .answers = answers<kBins>,
         .better = "shared"},
        launch);
    return {plain.variant, plain.launch, plain.check};
}

} // namespace

std::vector<Group> privateGlobalGroups() {
    Group group = groupOf<PrivateCopies<Input::Uniform>>(
        {row<10>(), row<256>()}, kPrivateSizes, [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) {
            return size * sizeof(float) + (1 + blocksOf(size)) * kMostBins * sizeof(unsigned);
        },
        parameters<Input::Uniform>);
    return {std::move(group)};
}

} // namespace dormer::kernels::histogram
