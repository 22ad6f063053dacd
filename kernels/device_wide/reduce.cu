// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/table.h"

#include <cub/device/device_reduce.cuh>

namespace dormer::kernels {

namespace {

// Reference: every thread adds up its share and then adds it to the total.
__global__ void sumByAtomics(cuda::std::span<const int> values, unsigned long long* total) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < values.size(); i += stride)
        sum += static_cast<unsigned long long>(values[i]);
    atomicAdd(total, sum);
}

struct Reduction {
    explicit Reduction(const Setup& setup) : values(setup.size), result(1) {
        fill(values, CoinFlip{setup.seed});
        std::size_t bytes = 0; // CUB first says how much it needs
        CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, values.data(), result.data(), count()));
        temporary = DeviceBuffer<char>(bytes);
    }
    [[nodiscard]] int count() const { return static_cast<int>(values.size()); }

    DeviceBuffer<int> values;
    DeviceBuffer<int> result;
    DeviceBuffer<char> temporary;
};

void launch(Reduction& r) {
    std::size_t bytes = r.temporary.bytes();
    CUDA_CHECK(
        cub::DeviceReduce::Sum(r.temporary.data(), bytes, r.values.data(), r.result.data(), r.count()));
}

CheckResult check(Reduction& r) {
    const DeviceBuffer<unsigned long long> total(1);
    CUDA_CHECK(cudaMemset(total.data(), 0, total.bytes()));
    sumByAtomics<<<64, 256>>>(r.values.view(), total.data());
    CUDA_CHECK(cudaGetLastError());
    const auto expected = static_cast<long long>(total.toHost().front());
    const int sum = r.result.toHost().front();
    if (sum != expected)
        return {false, "the sum is " + std::to_string(sum) + " instead of " + std::to_string(expected)};
    return {true, "the sum of " + std::to_string(r.values.size()) + " integers is " + std::to_string(sum)};
}

std::vector<Expectation> answers(std::size_t size) {
    return {ofKernel("DeviceReduceKernel", exactly("global_load_sectors", static_cast<double>(size) / 8,
                                                   "each element is loaded once, 8 to a sector"))};
}

std::vector<Row<Reduction>> rows() {
    return {
        {{"reduce", "sum of integers: one streaming read of the input, then a small kernel", answers},
         launch,
         check},
    };
}

} // namespace

Group deviceReduceGroup() {
    return groupOf<Reduction>(
        rows(), kDeviceWideSize, roundDeviceWide, [](std::size_t size) { return size * sizeof(int); },
        deviceWideParameters);
}

} // namespace dormer::kernels
