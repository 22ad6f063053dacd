// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/table.h"
#include "kernels/roofline/gemm.cuh"
#include "kernels/roofline/groups.h"

#include <cuda_fp16.h>
#include <mma.h>

namespace dormer::kernels {

namespace {

namespace wmma = nvcuda::wmma;

constexpr int kMma = 16;            // a tensor operation multiplies 16x16 by 16x16
constexpr int kMmas = 2;            // a warp computes 2x2 of them from each pair of loads
constexpr int kStep = kMma * kMmas; // 32
constexpr unsigned kWarps = 4;      // of a block, side by side
constexpr unsigned kBlock = 32 * kWarps;
constexpr std::size_t kTile = kStep * kWarps;

// Fragments live in the registers of the whole warp; who holds which element is the hardware's business.
__global__ void tensorGemm(const __half* a, const __half* b, float* c, unsigned side) {
    const unsigned warp = threadIdx.x / 32;
    const unsigned row = blockIdx.y * kStep;
    const unsigned column = blockIdx.x * kTile + warp * kStep;
    wmma::fragment<wmma::accumulator, kMma, kMma, kMma, float> sums[kMmas][kMmas];
    for (auto& line : sums)
        for (auto& sum : line)
            wmma::fill_fragment(sum, 0.0F);
    for (unsigned k = 0; k < side; k += kMma) {
        wmma::fragment<wmma::matrix_a, kMma, kMma, kMma, __half, wmma::row_major> left[kMmas];
        wmma::fragment<wmma::matrix_b, kMma, kMma, kMma, __half, wmma::row_major> right[kMmas];
        for (int i = 0; i < kMmas; ++i) {
            wmma::load_matrix_sync(left[i], a + (row + i * kMma) * side + k, side);
            wmma::load_matrix_sync(right[i], b + k * side + column + i * kMma, side);
        }
        for (int i = 0; i < kMmas; ++i)
            for (int j = 0; j < kMmas; ++j)
                wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
    for (int i = 0; i < kMmas; ++i)
        for (int j = 0; j < kMmas; ++j)
            wmma::store_matrix_sync(c + (row + i * kMma) * side + column + j * kMma, sums[i][j], side,
                                    wmma::mem_row_major);
}

struct Matrices {
    explicit Matrices(const Setup& setup)
        : side(sideOfMatrix(setup.size)), a(setup.size), b(setup.size), c(setup.size) {
        fill(a, MatrixElement<__half>{setup.seed});
        fill(b, MatrixElement<__half>{setup.seed + 1});
    }
    int side;
    DeviceBuffer<__half> a, b;
    DeviceBuffer<float> c;
};

std::vector<Expectation> answers(std::size_t size) {
    const auto steps = static_cast<std::size_t>(sideOfMatrix(size)) / kMma;
    // Volta's and Turing's tensor cores take smaller bites: at least two there, exactly two since.
    return {atLeast("tensor_instructions", static_cast<double>(2 * steps * steps * steps),
                    "each 16x16x16 product is two instructions of 16x8x16"),
            exactly("flops_fp32", 0, "all of its arithmetic is the tensor cores'")};
}

std::vector<Row<Matrices>> rows() {
    return {
        {{.name = "tensor_gemm",
          .shows =
              "a matrix product on tensor cores, half precision in and single out: hungrier than its loads "
              "can feed",
          .knownAnswers = answers},
         [](Matrices& m) {
             const auto side = static_cast<unsigned>(m.side);
             tensorGemm<<<dim3(side / kTile, side / kStep), kBlock>>>(m.a.data(), m.b.data(), m.c.data(),
                                                                      side);
         },
         [](Matrices& m) { return checkProduct(m.side, m.a, m.b, m.c); }},
    };
}

} // namespace

Group tensorGemmGroup() {
    return groupOf<Matrices>(
        rows(), Sizes{std::size_t{2048} * 2048, std::size_t{256} * 256},
        [](std::size_t wanted) { return roundMatrix(wanted, kTile); },
        [](std::size_t size) { return size * (2 * sizeof(__half) + sizeof(float)); }, matrixParameters);
}

} // namespace dormer::kernels
