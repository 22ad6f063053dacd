// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/table.h"
#include "kernels/roofline/gemm.cuh"
#include "kernels/roofline/groups.h"

#include <cuda/std/cmath>

#include <array>

namespace dormer::kernels {

namespace {

constexpr int kTile = 32;
constexpr dim3 kNaiveBlock{32, 8};
constexpr dim3 kTiledBlock{kTile, kTile};

// An element a thread. Each product needs two loads: every row of a and column of b is read again for each
// element that it belongs to.
__global__ void sgemmNaive(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    float sum = 0;
    for (int k = 0; k < a.extent(1); ++k)
        sum = cuda::std::fma(a(y, k), b(k, x), sum);
    c(y, x) = sum;
}

// A block brings a tile of each matrix into shared memory and uses every word of it 32 times.
__global__ void sgemmTiled(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    __shared__ float tileA[kTile][kTile];
    __shared__ float tileB[kTile][kTile];
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * kTile + tx;
    const int y = static_cast<int>(blockIdx.y) * kTile + ty;
    float sum = 0;
    for (int start = 0; start < a.extent(1); start += kTile) {
        tileA[ty][tx] = a(y, start + tx);
        tileB[ty][tx] = b(start + ty, x);
        __syncthreads();
        for (int k = 0; k < kTile; ++k)
            sum = cuda::std::fma(tileA[ty][k], tileB[k][tx], sum);
        __syncthreads(); // before the next tile overwrites this one
    }
    c(y, x) = sum;
}

enum : std::size_t { kNaive, kTiled, kVariantCount };

struct Matrices {
    explicit Matrices(const Setup& setup) : side(sideOfMatrix(setup.size)), a(setup.size), b(setup.size) {
        fill(a, MatrixElement<float>{setup.seed});
        fill(b, MatrixElement<float>{setup.seed + 1});
        for (const std::size_t variant : setup.variants)
            c[variant] = DeviceBuffer<float>(setup.size);
    }
    template <typename T>
    [[nodiscard]] Matrix<const T> read(const DeviceBuffer<T>& matrix) const {
        return Matrix<const T>(matrix.data(), side, side);
    }
    [[nodiscard]] Matrix<float> result(std::size_t variant) const {
        return Matrix<float>(c[variant].data(), side, side);
    }
    [[nodiscard]] dim3 blocks(dim3 block) const {
        const auto width = static_cast<unsigned>(side);
        return {width / block.x, width / block.y};
    }

    int side;
    DeviceBuffer<float> a, b;
    std::array<DeviceBuffer<float>, kVariantCount> c;
};

std::vector<Expectation> answersOf(std::size_t size, std::size_t loadSectors, const std::string& why) {
    return {exactly("flops_fp32",
                    static_cast<double>(gemmFlops(static_cast<std::size_t>(sideOfMatrix(size)))),
                    "one FMA for each of n products in each of n^2 elements"),
            exactly("global_load_sectors", static_cast<double>(loadSectors), why),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 lanes write 128 neighbouring bytes")};
}

std::vector<Expectation> answersNaive(std::size_t size) {
    const auto side = static_cast<std::size_t>(sideOfMatrix(size));
    std::vector<Expectation> answers =
        answersOf(size, size / 32 * side * 5,
                  "each of n^2 / 32 warps reads 1 sector of a, the same word for all, and 4 of b, n times");
    answers.push_back(exactly("global_load_sectors_per_request", 2.5, "1 for a and 4 for b"));
    return answers;
}

std::vector<Expectation> answersTiled(std::size_t size) {
    const auto side = static_cast<std::size_t>(sideOfMatrix(size));
    std::vector<Expectation> answers =
        answersOf(size, size / 32 * (side / kTile) * 8,
                  "each of n^2 / 32 warps reads 4 sectors of a and 4 of b in each of n / 32 tiles");
    answers.push_back(exactly("global_load_sectors_per_request", kCoalescedSectors,
                              "rows of tiles are 128 neighbouring bytes"));
    answers.push_back({.metric = "shared_load_ways",
                       .relation = "<=",
                       .value = 1.25,
                       .why = "one word for all lanes, or 32 words in 32 banks; merged into 16 bytes for all "
                              "lanes, a fifth of the loads take two passes"});
    answers.push_back(exactly("shared_store_ways", 1, "a warp stores a tile's row: 32 words in 32 banks"));
    answers.push_back(
        comparedTo("roofline/sgemm_naive", "duration_ns", "<=", 1, "it asks for a twentieth of the sectors"));
    return answers;
}

std::vector<Row<Matrices>> rows() {
    return {
        {{.name = "sgemm_naive",
          .shows = "a matrix product with two loads for each FMA: right of DRAM's ridge, bound by L1",
          .knownAnswers = answersNaive,
          .better = "roofline/sgemm_tiled"},
         [](Matrices& m) {
             sgemmNaive<<<m.blocks(kNaiveBlock), kNaiveBlock>>>(m.read(m.a), m.read(m.b), m.result(kNaive));
         },
         [](Matrices& m) { return checkProduct(m.side, m.a, m.b, m.c[kNaive]); }},
        {{.name = "sgemm_tiled",
          .shows = "the same product from tiles in shared memory: a twentieth of the sectors",
          .knownAnswers = answersTiled},
         [](Matrices& m) {
             sgemmTiled<<<m.blocks(kTiledBlock), kTiledBlock>>>(m.read(m.a), m.read(m.b), m.result(kTiled));
         },
         [](Matrices& m) { return checkProduct(m.side, m.a, m.b, m.c[kTiled]); }},
    };
}

} // namespace

Group sgemmGroup() {
    return groupOf<Matrices>(
        rows(), Sizes{std::size_t{2048} * 2048, std::size_t{192} * 192},
        [](std::size_t wanted) { return roundMatrix(wanted, kTile); },
        [](std::size_t size) { return (2 + kVariantCount) * size * sizeof(float); }, matrixParameters);
}

} // namespace dormer::kernels
