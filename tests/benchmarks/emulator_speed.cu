// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels to measure the emulator's speed with; tests/benchmarks/emulator_speed runs them and prints the
// table.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda_fp16.h>
#include <mma.h>

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

/// c = a b of 16-bit floats, a warp for each 16 x 16 of c.
__global__ void tensorProduct(const half* a, const half* b, float* c, int n) {
    using namespace nvcuda::wmma;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0F);
    const int row = blockIdx.y * 16, column = (blockIdx.x * 4 + threadIdx.y) * 16;
    for (int k = 0; k < n; k += 16) {
        fragment<matrix_a, 16, 16, 16, half, row_major> fromA;
        fragment<matrix_b, 16, 16, 16, half, row_major> fromB;
        load_matrix_sync(fromA, a + row * n + k, n);
        load_matrix_sync(fromB, b + k * n + column, n);
        mma_sync(sum, fromA, fromB, sum);
    }
    store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}

/// Lanes 32 words apart: 32-way bank conflicts.
__global__ void conflicts(float* out) {
    __shared__ float tile[32][32];
    for (int k = threadIdx.y; k < 32; k += blockDim.y)
        tile[k][threadIdx.x] = k;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; ++k)
        sum += tile[threadIdx.x][(k + threadIdx.y) % 32];
    out[(blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x] = sum;
}

/// Each lane in a sector of its own.
__global__ void scattered(const float* in, float* out, int mask) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned k = 0; k < 8; ++k)
        sum += in[(i + k) * 2654435761U & mask];
    out[i] = sum;
}

__device__ void textureMean(cudaTextureObject_t image, float* out, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += tex2D<float>(image, x + 0.3F * k, y + 0.5F);
    out[y * width + x] = sum;
}
__global__ void textureNearest(cudaTextureObject_t image, float* out, int width) {
    textureMean(image, out, width);
}
__global__ void textureFiltered(cudaTextureObject_t image, float* out, int width) {
    textureMean(image, out, width);
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

/// A square of floats, filtered or not.
cudaTextureObject_t textureOf(float* data, std::size_t width, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {data, cudaCreateChannelDesc<float>(), width, width, width * sizeof(float)};
    cudaTextureDesc texture = {};
    texture.filterMode = filter;
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    return object;
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

    constexpr int kWidth = 1024, kProduct = 256;
    const cudaTextureObject_t nearest = textureOf(a, kWidth, cudaFilterModePoint),
                              filtered = textureOf(a, kWidth, cudaFilterModeLinear);
    for (int turn = 0; turn < 3; ++turn) {
        tensorProduct<<<dim3(kProduct / 64, kProduct / 16), dim3(32, 4)>>>(
            reinterpret_cast<half*>(a), reinterpret_cast<half*>(b), c, kProduct);
        conflicts<<<512, dim3(32, 8)>>>(c);
        scattered<<<1024, 256>>>(a, c, kCount - 1);
        textureNearest<<<dim3(8, 64), dim3(32, 8)>>>(nearest, c, kWidth);
        textureFiltered<<<dim3(8, 32), dim3(32, 8)>>>(filtered, c, kWidth);
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
