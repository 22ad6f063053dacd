// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Ten kernels of some 50 µs each, launched over and over: what profiling costs a program, and whether what is
// sampled is true. Prints the time of the loop.
//
//   ten_signatures [LAUNCHES]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

__global__ void copy(const float4* from, float4* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
__global__ void scale(float4* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = data[i];
    v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
    data[i] = v;
}
__global__ void fill(float4* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = make_float4(1, 2, 3, 4);
}
__global__ void sum(const float4* from, float* out, int n) {
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        total += from[i].x + from[i].y + from[i].z + from[i].w;
    if (total == 12345.0f) *out = total;
}
template <typename T>
__global__ void chain(T* out, int rounds) {
    T x = threadIdx.x, y = 1;
    for (int i = 0; i < rounds; ++i) {
        x = x * y + T(0.5);
        y = y * x + T(0.25);
    }
    if (x == T(12345)) *out = y;
}
__global__ void shared(float* out, int rounds) {
    __shared__ float tile[1024];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float total = 0;
    for (int i = 0; i < rounds; ++i)
        total += tile[(threadIdx.x + 32 * i) % 1024];
    if (total == 12345.0f) *out = total;
}
__global__ void gather(const float* from, float* to, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[static_cast<long long>(i) * stride % (8ll * n)];
}
__global__ void integers(int* out, int rounds) {
    int x = threadIdx.x, y = 3;
    for (int i = 0; i < rounds; ++i) {
        x = (x ^ y) + i;
        y = (y << 1) ^ x;
    }
    if (x == 12345) *out = y;
}

int main(int argc, char** argv) {
    const int launches = argc > 1 ? std::atoi(argv[1]) : 10000;
    constexpr int kVectors = 1 << 22; // 64 MiB, more than the L2 holds
    float4 *a = nullptr, *b = nullptr;
    float* out = nullptr;
    CHECK(cudaMalloc(&a, kVectors * sizeof(float4)));
    CHECK(cudaMalloc(&b, kVectors * sizeof(float4)));
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemset(a, 0, kVectors * sizeof(float4)));
    CHECK(cudaMemset(b, 0, kVectors * sizeof(float4)));
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i) {
        constexpr int kBlocks = kVectors / 256;
        switch (i % 10) {
        case 0:
            copy<<<kBlocks, 256>>>(a, b, kVectors);
            break;
        case 1:
            scale<<<kBlocks, 256>>>(a, kVectors);
            break;
        case 2:
            fill<<<kBlocks, 256>>>(b, kVectors);
            break;
        case 3:
            sum<<<132 * 8, 256>>>(a, out, kVectors);
            break;
        case 4:
            chain<float><<<132 * 8, 256>>>(out, 2500);
            break;
        case 5:
            chain<double><<<132 * 8, 256>>>(reinterpret_cast<double*>(out), 1400);
            break;
        case 6:
            shared<<<132 * 2, 1024>>>(out, 1000);
            break;
        case 7:
            gather<<<(1 << 21) / 256, 256>>>(reinterpret_cast<float*>(a), reinterpret_cast<float*>(b),
                                             1 << 21, 8);
            break;
        case 8:
            integers<<<132 * 8, 256>>>(reinterpret_cast<int*>(out), 2000);
            break;
        case 9:
            copy<<<kBlocks / 2, 256>>>(b, a, kVectors / 2);
            break;
        }
    }
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%d launches in %.4f s\n", launches, took.count());
}
