// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The program of the story: a matrix is scaled and transposed through a tile, as often as its argument says.
// The tile's columns lie in one bank; the story's user pads it, builds again and sees what that changed.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kTile = 32;

__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[kTile][kTile];
    tile[threadIdx.y][threadIdx.x] =
        in[(blockIdx.y * kTile + threadIdx.y) * n + blockIdx.x * kTile + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * kTile + threadIdx.y) * n + blockIdx.y * kTile + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}

__global__ void scale(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n) data[i] *= 2;
}

int main(int argc, char** argv) {
    const int times = argc > 1 ? std::atoi(argv[1]) : 1;
    const int n = 512;
    const std::size_t bytes = sizeof(float) * n * n;
    std::vector<float> host(std::size_t{n} * n);
    for (std::size_t i = 0; i < host.size(); ++i)
        host[i] = static_cast<float>(i % 1000);
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    for (int step = 0; step < times; ++step) {
        scale<<<n * n / 256, 256>>>(in, n);
        transpose<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(in, out, n);
    }
    std::vector<float> result(host.size());
    cudaMemcpy(result.data(), out, bytes, cudaMemcpyDeviceToHost);
    float factor = 1;
    for (int step = 0; step < times && step < 20; ++step)
        factor *= 2;
    for (int row = 0; row < n && times <= 20; ++row)
        if (result[std::size_t{3} * n + row] != factor * host[std::size_t(row) * n + 3]) {
            std::fprintf(stderr, "element %d of the third row is wrong\n", row);
            return 1;
        }
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("transposed %d times: %s\n", times, cudaGetErrorString(error));
    cudaFree(in);
    cudaFree(out);
    return error == cudaSuccess ? 0 : 1;
}
