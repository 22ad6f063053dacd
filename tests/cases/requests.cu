// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Requests and launches: what a kernel asks for, and how often a program launches. Structures of which one
// member is needed, gathers of single words, rows without padding, too few or too narrow rows, barriers of
// the whole grid, tables in constant memory, many short launches.

#include "tests/cases/cases.h"

#include <cooperative_groups.h>

namespace cases {

namespace {

struct Cell {
    double density;
    double velocity[2];
    double stress[2][2];
};
static_assert(sizeof(Cell) == 56);

__global__ void decay(Cell* cells, double factor) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i].density *= factor; // one member
}

__global__ void mix(const Cell* cells, double* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = cells[i].density + cells[i].velocity[0] + cells[i].velocity[1] + cells[i].stress[0][0] +
              cells[i].stress[0][1] + cells[i].stress[1][0] + cells[i].stress[1][1]; // all members
}

constexpr int kChannels = 64, kCorners = 8, kPoints = 16384, kVoxels = 32768;

__global__ void blend(const float* voxels, const int* corner, float* out) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x, point = id / kChannels, channel = id % kChannels;
    float sum = 0;
    for (int k = 0; k < kCorners; ++k)
        sum += 0.125F * voxels[corner[point * kCorners + k] * kChannels + channel]; // blend
    out[id] = sum;
}

__global__ void copyWords(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void doubleRows(const float* in, float* out, int pitch, int columns) {
    const int row = blockIdx.x;
    for (int column = threadIdx.x; column < columns; column += blockDim.x)
        out[row * pitch + column] = 2 * in[row * pitch + column]; // packed rows
}

__global__ void addFewRows(const float* in, float* out, int columns) {
    float sum = 0;
#pragma unroll 1
    for (int column = threadIdx.x; column < columns; column += 32)
        sum += in[blockIdx.x * columns + column];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(~0U, sum, offset);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

constexpr int kShortRow = 80;

__global__ void normalize(const float* in, float* out) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const float* x = in + row * kShortRow;
    float sum = 0;
    for (int c = 0; c < kShortRow; ++c)
        sum += x[c]; // thread per row: sum
    for (int c = 0; c < kShortRow; ++c)
        out[row * kShortRow + c] = x[c] / sum; // thread per row: quotient
}

__global__ void stepsInside(int* in, int* out, int steps) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; ++step) {
        out[i] = in[(i + 1) % n] + 1;
        cooperative_groups::this_grid().sync();
        int* const swap = in;
        in = out;
        out = swap;
    }
}

__constant__ int constantTable[256];

__global__ void lookUp(const int* index, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = constantTable[index[i]]; // divergent constant
}

__global__ void addTable(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 16; ++k)
        sum += constantTable[k]; // uniform constant
    out[i] = sum;
}

__global__ void nudge(int* values, int amount) {
    values[blockIdx.x * blockDim.x + threadIdx.x] += amount;
}

} // namespace

void structuresOfDoubles() {
    constexpr int kCells = 1 << 16;
    std::vector<Cell> host(kCells);
    for (int i = 0; i < kCells; ++i)
        host[i].density = i;
    const OnDevice<Cell> cells{host};
    const OnDevice<double> sums{kCells};
    run("case/one_member", [&] { decay<<<kCells / 256, 256>>>(cells.data(), 0.5); });
    run("case/all_members", [&] { mix<<<kCells / 256, 256>>>(cells.data(), sums.data()); });
    const double last = sums.host()[kCells - 1];
    check(last > 0 && last < kCells, "structures");
}

void gathers() {
    std::vector<int> corners(kPoints * kCorners);
    for (std::size_t i = 0; i < corners.size(); ++i)
        corners[i] =
            static_cast<int>((i / kCorners * 2654435761U >> 8) % (kVoxels - kCorners) + i % kCorners);
    const std::vector<float> channels = counting<float>(std::size_t{kVoxels} * kChannels, kChannels);
    const OnDevice<float> voxels{channels}, out{channels.size()};
    const OnDevice<int> corner{corners};
    run("case/gather",
        [&] { blend<<<kPoints * kChannels / 256, 256>>>(voxels.data(), corner.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kPoints * kChannels; ++i)
        right = right && got[i] == static_cast<float>(i % kChannels);
    check(right, "gather");
    run("case/copy", [&] { copyWords<<<kVoxels * kChannels / 1024, 1024>>>(voxels.data(), out.data()); });
    check(out.host() == channels, "copy");
}

void packedRows() {
    constexpr int kRows = 2048, kColumns = 1021;
    const std::vector<float> values = counting<float>(std::size_t{kRows} * kColumns);
    const OnDevice<float> in{values}, out{values.size()};
    run("case/packed_rows", [&] { doubleRows<<<kRows, 256>>>(in.data(), out.data(), kColumns, kColumns); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == 2 * values[i];
    check(right, "packed_rows");
}

void fewRows() {
    constexpr int kRows = 10, kColumns = 8192;
    const OnDevice<float> in{std::vector<float>(std::size_t{kRows} * kColumns, 1)}, out{kRows};
    run("case/few_rows", [&] { addFewRows<<<kRows, 32>>>(in.data(), out.data(), kColumns); });
    check(out.host() == std::vector<float>(kRows, kColumns), "few_rows");
}

void threadPerRow() {
    constexpr int kRows = 16384;
    const OnDevice<float> in{std::vector<float>(std::size_t{kRows} * kShortRow, 1)},
        out{std::size_t{kRows} * kShortRow};
    run("case/thread_per_row", [&] { normalize<<<kRows / 128, 128>>>(in.data(), out.data()); });
    check(out.host() == std::vector<float>(std::size_t{kRows} * kShortRow, 1.0F / kShortRow),
          "thread_per_row");
}

void gridSteps() {
    constexpr int kBlocks = 264, kThreads = 256, kCount = kBlocks * kThreads, kSteps = 50;
    const OnDevice<int> a{counting<int>(kCount)}, b{kCount};
    int* from = a.data();
    int* to = b.data();
    int steps = kSteps;
    bool right = true;
    run("case/grid_steps", [&] {
        void* arguments[] = {&from, &to, &steps};
        right = right && cudaLaunchCooperativeKernel(reinterpret_cast<void*>(stepsInside), kBlocks, kThreads,
                                                     arguments, 0, nullptr) == cudaSuccess;
    });
    check(right, "grid_steps");
}

void constants() {
    constexpr int kCount = 64 * 256;
    const std::vector<int> table = counting<int>(256);
    succeed(cudaMemcpyToSymbol(constantTable, table.data(), sizeof constantTable), "cudaMemcpyToSymbol");
    const OnDevice<int> index{counting<int>(kCount, 256)}, out{kCount};
    run("case/constant_gather", [&] { lookUp<<<64, 256>>>(index.data(), out.data()); });
    check(out.host() == counting<int>(kCount, 256), "constant_gather");
    run("case/constant_uniform", [&] { addTable<<<64, 256>>>(out.data()); });
    check(out.host() == std::vector<int>(kCount, 120), "constant_uniform");
}

void shortLaunches() {
    constexpr int kCount = 8192, kLaunches = 240;
    const OnDevice<int> values{kCount};
    run("case/short_launches", [&] {
        for (int i = 0; i < kLaunches; ++i)
            nudge<<<kCount / 256, 256>>>(values.data(), 1);
    });
    check(values.host()[0] % kLaunches == 0, "short_launches");
}

} // namespace cases
