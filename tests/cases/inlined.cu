// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Strided loads that helpers make: one of the program's own header, one of CUDA's.

#include "tests/cases/cases.h"
#include "tests/cases/row_walk.h"

namespace cases {

namespace {

__global__ void byOwnHelper(const float* matrix, float* out, unsigned pitch) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    out[row] = firstOfRow(matrix, row, pitch); // call: own helper
}

__global__ void byCudaHelper(const float* matrix, float* out, unsigned pitch) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    out[row] = __ldcg(&matrix[row * pitch]); // call: CUDA's helper
}

} // namespace

void inlinedHelpers() {
    constexpr unsigned kPitch = 64, kBlocks = 1056, kThreads = 64, kRows = kBlocks * kThreads;
    const std::vector<float> values = counting<float>(std::size_t{kRows} * kPitch);
    const OnDevice<float> matrix{values};
    const auto walk = [&](const char* name, auto kernel) {
        const OnDevice<float> out{std::size_t{kRows}};
        run(name, [&] { kernel<<<kBlocks, kThreads>>>(matrix.data(), out.data(), kPitch); });
        bool right = true;
        const std::vector<float> firsts = out.host();
        for (std::size_t row = 0; row < kRows; ++row)
            right = right && firsts[row] == values[row * kPitch];
        check(right, name);
    };
    walk("case/own_helper", byOwnHelper);
    walk("case/cuda_helper", byCudaHelper);
}

} // namespace cases
