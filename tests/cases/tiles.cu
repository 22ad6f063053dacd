// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Tiles in shared memory: a transpose of doubles, tiles padded by one whose rows are no warps, and NVIDIA's
// example of a column that meets in one bank.

#include "tests/cases/cases.h"

namespace cases {

namespace {

/// Columns of the tile are written, rows of it are read.
__global__ void transposeDoubles(const double* from, double* to, int n) {
    __shared__ double tile[32][32];
    const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.x][threadIdx.y] = from[y * n + x]; // double: column of the tile
    __syncthreads();
    to[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.y][threadIdx.x]; // double: row of the tile
}

/// One block of Width * Height = 512 threads turns its tile; a thread's number says what it stores, and the
/// other way round what it loads.
template <int Width, int Height>
__global__ void turnPadded(const float* from, float* to) {
    __shared__ float tile[Height * (Width + 1)];
    const unsigned thread = threadIdx.y * Width + threadIdx.x;
    tile[threadIdx.y * (Width + 1) + threadIdx.x] = from[thread]; // padded: store
    __syncthreads();
    const unsigned row = thread / Height, column = thread % Height;
    to[thread] = tile[column * (Width + 1) + row]; // padded: load
}

template <int Pitch>
__global__ void transposeFloats(const float* from, float* to, int n) {
    __shared__ float tile[32][Pitch];
    const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = from[y * n + x];
    __syncthreads();
    to[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y]; // float: column of the tile
}

template <typename Value>
bool transposed(const std::vector<Value>& from, const std::vector<Value>& to, std::size_t rows,
                std::size_t columns) {
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x)
            if (to[x * rows + y] != from[y * columns + x]) return false;
    return true;
}

template <int Width, int Height>
void padded(const char* name) {
    const std::vector<float> values = counting<float>(Width * Height);
    const OnDevice<float> from{values}, to{values.size()};
    run(name, [&] { turnPadded<Width, Height><<<1, dim3(Width, Height)>>>(from.data(), to.data()); });
    check(transposed(values, to.host(), Height, Width), name);
}

template <int Pitch>
void column(const char* name) {
    constexpr int kN = 512;
    const std::vector<float> values = counting<float>(kN * kN);
    const OnDevice<float> from{values}, to{values.size()};
    run(name, [&] {
        transposeFloats<Pitch><<<dim3(kN / 32, kN / 32), dim3(32, 32)>>>(from.data(), to.data(), kN);
    });
    check(transposed(values, to.host(), kN, kN), name);
}

} // namespace

void doubleTranspose() {
    constexpr int kN = 4096;
    const std::vector<double> values = counting<double>(std::size_t{kN} * kN);
    const OnDevice<double> from{values}, to{values.size()};
    run("case/double_transpose",
        [&] { transposeDoubles<<<dim3(kN / 32, kN / 32), dim3(32, 32)>>>(from.data(), to.data(), kN); });
    check(transposed(values, to.host(), kN, kN), "double_transpose");
}

void paddedTiles() {
    padded<16, 32>("case/padded_16x32");
    padded<32, 16>("case/padded_32x16");
    padded<8, 64>("case/padded_8x64");
    padded<64, 8>("case/padded_64x8");
}

void columnConflict() {
    column<32>("case/column");
    column<33>("case/column_padded");
}

} // namespace cases
