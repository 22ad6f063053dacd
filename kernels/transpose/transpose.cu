// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/answers.h"
#include "kernels/comparison.cuh"
#include "kernels/inputs.cuh"
#include "kernels/table.h"

#include <cuda/std/mdspan>

#include <array>
#include <cmath>

namespace dormer::kernels {

namespace {

// A block of 32 x 8 threads moves a tile of 32 x 32, each thread four elements of one column.
constexpr int kTile = 32;
constexpr int kRowsPerStep = 8;

template <typename T>
using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

// All kernels need a matrix of whole tiles.

__global__ void copyRow(Matrix<const float> in, Matrix<float> out) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRowsPerStep)
        out(y + j, x) = in(y + j, x);
}

// Reads along rows and writes down columns: the lanes of a store are a whole row apart.
__global__ void transposeNaiveRow(Matrix<const float> in, Matrix<float> out) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRowsPerStep)
        out(x, y + j) = in(y + j, x);
}

// Turns the tile in shared memory, so that both global accesses run along rows. Without padding the 32 words
// of a tile's column lie in one bank; one word of padding a row puts them into 32.
template <int kPadding>
__global__ void transposeTiled(Matrix<const float> in, Matrix<float> out) {
    __shared__ float tile[kTile][kTile + kPadding];
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRowsPerStep)
        tile[threadIdx.y + j][threadIdx.x] = in(y + j, x);
    __syncthreads();
    const int outX = blockIdx.y * kTile + threadIdx.x;
    const int outY = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRowsPerStep)
        out(outY + j, outX) = tile[threadIdx.x][threadIdx.y + j];
}

struct IsCopy {
    const float *in, *out;
    __device__ bool operator()(std::size_t i) const { return out[i] == in[i]; }
};

struct IsTransposed {
    const float *in, *out;
    std::size_t side;
    __device__ bool operator()(std::size_t i) const { return out[i] == in[i % side * side + i / side]; }
};

enum : std::size_t { kCopyRow, kNaiveRow, kTiled, kTiledPadded, kVariantCount };

struct Matrices {
    explicit Matrices(const Setup& setup)
        : side(static_cast<int>(std::lround(std::sqrt(static_cast<double>(setup.size))))), in(setup.size) {
        fill(in, Uniform<float>{setup.seed, 1});
        for (const std::size_t variant : setup.variants)
            out[variant] = DeviceBuffer<float>(setup.size);
    }
    [[nodiscard]] Matrix<const float> input() const { return Matrix<const float>(in.data(), side, side); }
    [[nodiscard]] Matrix<float> output(std::size_t variant) const {
        return Matrix<float>(out[variant].data(), side, side);
    }
    [[nodiscard]] dim3 grid() const {
        const auto tiles = static_cast<unsigned>(side / kTile);
        return {tiles, tiles};
    }
    [[nodiscard]] CheckResult checkTransposed(std::size_t variant) const {
        return checkEach(in.size(),
                         IsTransposed{in.data(), out[variant].data(), static_cast<std::size_t>(side)},
                         "out(j, i) == in(i, j)");
    }

    int side;
    DeviceBuffer<float> in;
    std::array<DeviceBuffer<float>, kVariantCount> out;
};

constexpr dim3 kBlock{kTile, kRowsPerStep};

std::vector<Expectation> answersCopy(std::size_t) {
    return globalSectors(kCoalescedSectors, "a warp reads 32 neighbours of a row", kCoalescedSectors,
                         "a warp writes 32 neighbours of a row");
}

std::vector<Expectation> answersNaive(std::size_t) {
    return globalSectors(kCoalescedSectors, "a warp reads 32 neighbours of a row", kScatteredSectors,
                         "a warp writes down a column, each word in another row");
}

std::vector<Expectation> answersTiled(double loadWays, const std::string& why) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "a warp reads 32 neighbours of a row", kCoalescedSectors,
                      "a warp writes 32 neighbours of a row");
    answers.push_back(exactly("shared_store_ways", 1, "a warp stores a tile's row: 32 words in 32 banks"));
    answers.push_back(exactly("shared_load_ways", loadWays, why));
    return answers;
}

std::vector<Row<Matrices>> rows() {
    return {
        {{"copy_row", "a copy along rows: what a transpose could reach at best", answersCopy},
         [](Matrices& m) { copyRow<<<m.grid(), kBlock>>>(m.input(), m.output(kCopyRow)); },
         [](Matrices& m) {
             return checkEach(m.in.size(), IsCopy{m.in.data(), m.out[kCopyRow].data()},
                              "out(i, j) == in(i, j)");
         }},
        {{"naive_row", "reads rows and writes columns: uncoalesced stores", answersNaive},
         [](Matrices& m) { transposeNaiveRow<<<m.grid(), kBlock>>>(m.input(), m.output(kNaiveRow)); },
         [](Matrices& m) { return m.checkTransposed(kNaiveRow); }},
        {{"tiled", "turns tiles in shared memory: coalesced, but 32-way bank conflicts",
          [](std::size_t) {
              return answersTiled(32, "a warp loads a tile's column: rows of 32 words put it into one bank");
          }},
         [](Matrices& m) { transposeTiled<0><<<m.grid(), kBlock>>>(m.input(), m.output(kTiled)); },
         [](Matrices& m) { return m.checkTransposed(kTiled); }},
        {{"tiled_padded", "tiles with one word of padding a row: coalesced and free of conflicts",
          [](std::size_t) {
              return answersTiled(1, "a warp loads a tile's column: rows of 33 words put it into 32 banks");
          }},
         [](Matrices& m) { transposeTiled<1><<<m.grid(), kBlock>>>(m.input(), m.output(kTiledPadded)); },
         [](Matrices& m) { return m.checkTransposed(kTiledPadded); }},
    };
}

/// The nearest square of whole tiles that holds the wanted number of elements.
std::size_t roundSize(std::size_t wanted) {
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(wanted))));
    const std::size_t rounded = roundUp(side, kTile);
    return rounded * rounded;
}

std::vector<std::string> parameters(std::size_t size) {
    const auto side = std::to_string(std::lround(std::sqrt(static_cast<double>(size))));
    return {"size=" + std::to_string(size), "matrix=" + side + "x" + side, "tile=32x32", "block=32x8",
            "type=float"};
}

} // namespace

Family transposeFamily() {
    return {"transpose",
            "Matrix transposition",
            "What the order of accesses costs in global memory, and the order of words in shared memory",
            {groupOf<Matrices>(
                rows(), Sizes{std::size_t{4096} * 4096, std::size_t{1024} * 1024}, roundSize,
                [](std::size_t size) { return (1 + kVariantCount) * size * sizeof(float); }, parameters)}};
}

} // namespace dormer::kernels
