// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels to measure the emulator's speed with; tests/benchmarks/emulator_speed runs them and prints the
// table.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "emulator_speed: %s: %s\n", what, cudaGetErrorString(status));
    std::exit(4);
}
#define CHECK(call) check(call, #call)

__global__ void vectorAdd(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void tiledTranspose(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void sgemmTiled(const float* a, const float* b, float* c, int n) {
    __shared__ float tileA[16][16], tileB[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        tileA[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        tileB[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            sum += tileA[threadIdx.y][j] * tileB[j][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

template <typename T>
T* device(std::size_t count) {
    T* data = nullptr;
    CHECK(cudaMalloc(&data, count * sizeof(T)));
    return data;
}

template <typename Call>
void withTemporary(const Call& call) {
    std::size_t bytes = 0;
    CHECK(call(nullptr, bytes));
    char* temporary = device<char>(bytes);
    CHECK(call(temporary, bytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(temporary));
}

} // namespace

int main() {
    constexpr int kCount = 1 << 22;
    std::vector<float> floats(kCount);
    std::vector<unsigned> keys(kCount);
    unsigned state = 12345;
    for (int i = 0; i < kCount; ++i) {
        state = state * 1664525 + 1013904223;
        keys[i] = state;
        floats[i] = static_cast<float>(i % 1000);
    }
    float *a = device<float>(kCount), *b = device<float>(kCount), *c = device<float>(kCount);
    unsigned *in = device<unsigned>(kCount), *out = device<unsigned>(kCount);
    CHECK(cudaMemcpy(a, floats.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, floats.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(in, keys.data(), kCount * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(c, 0, kCount * sizeof(float)));
    CHECK(cudaMemset(out, 0, kCount * sizeof(unsigned)));

    for (int turn = 0; turn < 3; ++turn) {
        vectorAdd<<<kCount / 256, 256>>>(a, b, c, kCount);
        tiledTranspose<<<dim3(64, 64), dim3(32, 8)>>>(a, c, 2048);
        sgemmTiled<<<dim3(24, 24), dim3(16, 16)>>>(a, b, c, 384);
        withTemporary([&](void* temporary, std::size_t& bytes) {
            return cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, kCount);
        });
        withTemporary([&](void* temporary, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, kCount);
        });
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned> sorted(kCount);
    CHECK(cudaMemcpy(sorted.data(), out, kCount * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (int i = 1; i < kCount; ++i)
        if (sorted[i - 1] > sorted[i]) {
            std::fprintf(stderr, "emulator_speed: not sorted at %d\n", i);
            return 1;
        }
    return 0;
}
