// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/groups.h"
#include "kernels/reduce/sums.cuh"

#include <cub/device/device_reduce.cuh>

namespace dormer::kernels {

namespace {

// Reference: every thread adds up what it meets and then adds that to the total.
__global__ void sumByAtomics(cuda::std::span<const unsigned> numbers, unsigned* total) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < numbers.size();
         i += std::size_t{gridDim.x} * blockDim.x)
        sum += numbers[i];
    atomicAdd(total, sum);
}

struct WholeSum {
    explicit WholeSum(const Setup& setup) : numbers(setup.size), sum(1) {
        fill(numbers, SmallNumber{setup.seed});
        std::size_t bytes = 0; // CUB first says how much it needs
        CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, numbers.data(), sum.data(), count()));
        temporary = DeviceBuffer<char>(bytes);
    }
    [[nodiscard]] int count() const { return static_cast<int>(numbers.size()); }

    DeviceBuffer<unsigned> numbers;
    DeviceBuffer<unsigned> sum;
    DeviceBuffer<char> temporary;
};

void launch(WholeSum& w) {
    std::size_t bytes = w.temporary.bytes();
    CUDA_CHECK(cub::DeviceReduce::Sum(w.temporary.data(), bytes, w.numbers.data(), w.sum.data(), w.count()));
}

CheckResult check(WholeSum& w) {
    const DeviceBuffer<unsigned> total(1);
    CUDA_CHECK(cudaMemset(total.data(), 0, total.bytes()));
    sumByAtomics<<<64, kReduceBlock>>>(w.numbers.view(), total.data());
    CUDA_CHECK(cudaGetLastError());
    const unsigned expected = total.toHost().front();
    const unsigned sum = w.sum.toHost().front();
    if (sum != expected)
        return {false, "the sum is " + std::to_string(sum) + " instead of " + std::to_string(expected)};
    return {true,
            "the sum of all " + std::to_string(w.numbers.size()) + " integers is " + std::to_string(sum)};
}

std::vector<Expectation> answers(std::size_t size) {
    return {ofKernel("DeviceReduceKernel", eachLoadedOnce(size)),
            ofKernel("DeviceReduceKernel", verdict("memory", "one addition for each 4 bytes of DRAM"))};
}

std::vector<Row<WholeSum>> rows() {
    return {
        {{.name = "device",
          .shows = "cub::DeviceReduce: the other three layers in one, for the whole input, in two kernels",
          .knownAnswers = answers,
          .good = true},
         launch,
         check},
    };
}

// Too many for CUB to do it in one kernel of one block.
std::size_t roundSize(std::size_t wanted) {
    constexpr std::size_t kLeast = std::size_t{1} << 16;
    return roundReduce(wanted < kLeast ? kLeast : wanted);
}

} // namespace

Group reduceDeviceGroup() {
    return groupOf<WholeSum>(
        rows(), kReduceSize, roundSize, [](std::size_t size) { return size * sizeof(unsigned); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=unsigned"};
        });
}

} // namespace dormer::kernels
