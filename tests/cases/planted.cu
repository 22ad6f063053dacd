// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Keeps every fourth value of a signal, with two faults planted: the signal begins one element late, and the
// kept ones lie four words apart in shared memory. All else is as it should be.

#include "tests/cases/cases.h"

namespace {

constexpr unsigned kThreads = 256, kStep = 4, kBlocks = 132 * 8 * 4; ///< full waves of an H100
constexpr unsigned kValues = kBlocks * kThreads * kStep;

__global__ void keepEveryFourth(const float* __restrict__ signal, float* __restrict__ kept) {
    __shared__ float staged[kThreads * kStep];
    const unsigned first = blockIdx.x * kThreads * kStep;
#pragma unroll
    for (unsigned part = 0; part < kStep; ++part) {
        const unsigned i = part * kThreads + threadIdx.x;
        staged[i] = signal[first + i + 1]; // planted: misaligned
    }
    __syncthreads();
    kept[blockIdx.x * kThreads + threadIdx.x] = staged[threadIdx.x * kStep]; // planted: conflict
}

} // namespace

int main() {
    const std::vector<float> values = cases::counting<float>(kValues + 1);
    const cases::OnDevice<float> signal{values}, kept{std::size_t{kBlocks} * kThreads};
    cases::run("planted/two_faults",
               [&] { keepEveryFourth<<<kBlocks, kThreads>>>(signal.data(), kept.data()); });
    bool right = true;
    const std::vector<float> result = kept.host();
    for (std::size_t i = 0; i < result.size(); ++i)
        right = right && result[i] == values[i * kStep + 1];
    cases::check(right, "two_faults");
    std::printf("%d results are wrong\n", cases::wrong);
    return cases::wrong == 0 ? 0 : 1;
}
