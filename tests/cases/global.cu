// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to global memory: 16 bytes as a vector and as a structure, threads that all compute the same, and
// blocks in another order.

#include "tests/cases/cases.h"

namespace cases {

namespace {

__global__ void changeVector(float4* values, float to) {
    float4 value = values[threadIdx.x];
    value.x = to;
    values[threadIdx.x] = value;
}

struct Particle {
    float3 gradient;
    float opacity;
};

__global__ void changeMember(Particle* particles, float to) {
    Particle particle = particles[threadIdx.x];
    particle.opacity = to;
    particles[threadIdx.x] = particle; // structure: store
}

/// c = alpha * a * b + beta * c with a thread for each element of a, which all do the work of their whole
/// row.
__global__ void multiplyByGrid(const float* a, const float* b, float* c, int rows, int columns, float alpha,
                               float beta) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k)
        sum += a[row * columns + k] * b[k]; // grid: sum
    c[row] = alpha * sum + beta * c[row];
}

/// The same with a thread for each row.
__global__ void multiplyByRow(const float* a, const float* b, float* c, int rows, int columns, float alpha,
                              float beta) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k)
        sum += a[row * columns + k] * b[k]; // row: sum
    c[row] = alpha * sum + beta * c[row];
}

template <bool Swapped>
__global__ void touch(int* values, unsigned rows, unsigned columns) {
    const unsigned x = (Swapped ? blockIdx.y : blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned y = (Swapped ? blockIdx.x : blockIdx.y) * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) values[y * columns + x] += 1; // touch
}

} // namespace

void sixteenBytes() {
    constexpr int kLanes = 32;
    const std::vector<float> values = counting<float>(std::size_t{4} * kLanes);
    const auto holds = [&](const std::vector<float>& changed, std::size_t member) {
        bool right = true;
        for (std::size_t i = 0; i < changed.size(); ++i)
            right = right && changed[i] == (i % 4 == member ? -1.F : values[i]);
        return right;
    };
    const OnDevice<float> vectors{values}, particles{values};
    run("case/float4", [&] { changeVector<<<1, kLanes>>>(reinterpret_cast<float4*>(vectors.data()), -1.F); });
    check(holds(vectors.host(), 0), "float4");
    run("case/structure",
        [&] { changeMember<<<1, kLanes>>>(reinterpret_cast<Particle*>(particles.data()), -1.F); });
    check(holds(particles.host(), 3), "structure");
}

void redundantThreads() {
    constexpr int kRows = 1024, kColumns = 1024;
    const std::vector<float> a = counting<float>(std::size_t{kRows} * kColumns, 7);
    const std::vector<float> b = counting<float>(kColumns, 5);
    const OnDevice<float> matrix{a}, vector{b};
    const auto holds = [&](const std::vector<float>& product) {
        bool right = true;
        for (int row = 0; row < kRows; ++row) {
            float sum = 0;
            for (int k = 0; k < kColumns; ++k)
                sum += a[row * kColumns + k] * b[k]; // small integers: exact in any order
            right = right && product[row] == 2 * sum;
        }
        return right;
    };
    const OnDevice<float> byGrid{std::size_t{kRows}}, byRow{std::size_t{kRows}};
    run("case/sgemv_grid", [&] {
        multiplyByGrid<<<dim3(kColumns / 32, kRows / 32), dim3(32, 32)>>>(
            matrix.data(), vector.data(), byGrid.data(), kRows, kColumns, 2.F, 0.F);
    });
    check(holds(byGrid.host()), "sgemv_grid");
    run("case/sgemv_row", [&] {
        multiplyByRow<<<kRows / 32, 32>>>(matrix.data(), vector.data(), byRow.data(), kRows, kColumns, 2.F,
                                          0.F);
    });
    check(holds(byRow.host()), "sgemv_row");
}

void transposedGrid() {
    constexpr unsigned kColumns = 10000, kRows = 10000, kAcross = (kColumns + 31) / 32,
                       kDown = (kRows + 31) / 32;
    const OnDevice<int> values{std::size_t{kRows} * kColumns};
    int launches = 0;
    run("case/grid", [&] {
        touch<false><<<dim3(kAcross, kDown), dim3(32, 32)>>>(values.data(), kRows, kColumns);
        ++launches;
    });
    run("case/grid_swapped", [&] {
        touch<true><<<dim3(kDown, kAcross), dim3(32, 32)>>>(values.data(), kRows, kColumns);
        ++launches;
    });
    bool right = true;
    for (const int value : values.host())
        right = right && value == launches;
    check(right, "grid");
}

} // namespace cases
