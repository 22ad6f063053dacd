// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Features of CUDA that programs use beside plain kernels: shared memory, streams and events, managed memory,
// textures, a grid that synchronises, barriers as objects, device printf, dynamic memory on the device.

#include "tests/support/foreign_program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_fp16.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

namespace foreign {

namespace {

constexpr int kRows = 64;

/// Transposes through a tile without padding: its column accesses meet in one bank.
__global__ void transposeTile(const float* from, float* to) {
    __shared__ float tile[32][32];
    const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = from[y * kRows + x];
    __syncthreads();
    to[(blockIdx.x * 32 + threadIdx.y) * kRows + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y]; // line of the bank conflict
}

__global__ void addTo(int* values, int count, int summand) {
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += static_cast<int>(gridDim.x * blockDim.x))
        values[i] += summand;
}

__global__ void sample(cudaTextureObject_t texture, float* out, int width) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = tex2D<float>(texture, (static_cast<float>(i) + 1.F) / static_cast<float>(width), 0.25F);
}

/// Every block adds its part, and after the grid's barrier everyone sees the whole.
__global__ void sumOverGrid(const int* values, int count, int* total, int* seen) {
    const cg::grid_group grid = cg::this_grid();
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int part = 0;
    for (auto i = grid.thread_rank(); i < static_cast<unsigned long long>(count); i += grid.size())
        part += values[i];
    part = cg::reduce(warp, part, cg::plus<int>{});
    if (warp.thread_rank() == 0) cuda::atomic_ref<int, cuda::thread_scope_device>{*total}.fetch_add(part);
    grid.sync();
    if (threadIdx.x == 0) seen[blockIdx.x] = *total;
}

__global__ void stageThroughBarrier(const int4* from, int4* to) {
    __shared__ int4 staged[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, 128);
    block.sync();
    cuda::memcpy_async(block, staged, from, cuda::aligned_size_t<16>(sizeof staged), barrier);
    barrier.arrive_and_wait();
    to[threadIdx.x] = staged[127 - threadIdx.x];
}

__global__ void halves(const __half2* from, __half2* to) {
    to[threadIdx.x] = __hfma2(from[threadIdx.x], __float2half2_rn(2.F), __float2half2_rn(0.25F));
}

struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3.F * radius * radius; }
};

/// Virtual functions: calls through a pointer that lanes of one warp take to different functions.
__global__ void areas(float* out) {
    const float size = static_cast<float>(threadIdx.x);
    Square square{size};
    Disc disc{size};
    const Shape* shape = threadIdx.x % 3 == 0 ? static_cast<const Shape*>(&disc) : &square;
    out[threadIdx.x] = shape->area();
}

__device__ int depth(int n) {
    return n <= 1 ? n : depth(n - 1) + depth(n - 2); // Fibonacci, the way of textbooks
}

__global__ void recurse(int* out) {
    out[threadIdx.x] = depth(static_cast<int>(threadIdx.x % 12));
}

__global__ void speak(double value) {
    if (threadIdx.x % 16 == 0) printf("thread %u says %.2f and %s\n", threadIdx.x, value, "hello");
}

template <typename Value>
Value* onDevice(const std::vector<Value>& host) {
    Value* device = nullptr;
    SUCCEED(cudaMalloc(&device, host.size() * sizeof(Value)));
    SUCCEED(cudaMemcpy(device, host.data(), host.size() * sizeof(Value), cudaMemcpyHostToDevice));
    return device;
}

template <typename Value>
std::vector<Value> fromDevice(const Value* device, std::size_t count) {
    std::vector<Value> host(count);
    SUCCEED(cudaMemcpy(host.data(), device, count * sizeof(Value), cudaMemcpyDeviceToHost));
    return host;
}

void sharedMemory() {
    std::vector<float> host(kRows * kRows);
    std::iota(host.begin(), host.end(), 0.F);
    const float* from = onDevice(host);
    float* to = onDevice(host);
    transposeTile<<<dim3(2, 2), dim3(32, 32)>>>(from, to);
    const std::vector<float> result = fromDevice(to, host.size());
    bool right = true;
    for (int y = 0; y < kRows; ++y)
        for (int x = 0; x < kRows; ++x)
            right = right && result[y * kRows + x] == host[x * kRows + y];
    check(right, "transposeTile");
}

void streamsAndManagedMemory() {
    constexpr int kValues = 3000;
    int* values = nullptr;
    SUCCEED(cudaMallocManaged(&values, kValues * sizeof(int)));
    std::iota(values, values + kValues, 0);
    cudaStream_t first, second;
    SUCCEED(cudaStreamCreate(&first));
    SUCCEED(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    cudaEvent_t start, middle, end;
    for (cudaEvent_t* event : {&start, &middle, &end})
        SUCCEED(cudaEventCreate(event));
    SUCCEED(cudaEventRecord(start, first));
    addTo<<<4, 128, 0, first>>>(values, kValues, 1);
    SUCCEED(cudaEventRecord(middle, first));
    SUCCEED(cudaStreamWaitEvent(second, middle, 0));
    addTo<<<2, 64, 0, second>>>(values, kValues, 10);
    SUCCEED(cudaEventRecord(end, second));
    SUCCEED(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < kValues; ++i)
        right = right && values[i] == i + 11;
    float milliseconds = 0;
    SUCCEED(cudaEventElapsedTime(&milliseconds, start, end));
    check(right && milliseconds > 0, "streams and managed memory");
    SUCCEED(cudaStreamDestroy(first));
    SUCCEED(cudaStreamDestroy(second));
    SUCCEED(cudaFree(values));
}

void texture() {
    constexpr int kWidth = 32;
    std::vector<float> texels(kWidth * 2);
    for (int i = 0; i < kWidth; ++i)
        texels[i] = texels[kWidth + i] = static_cast<float>(i * i);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    SUCCEED(cudaMallocArray(&array, &format, kWidth, 2));
    SUCCEED(cudaMemcpy2DToArray(array, 0, 0, texels.data(), kWidth * sizeof(float), kWidth * sizeof(float), 2,
                                cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.filterMode = cudaFilterModeLinear;
    description.normalizedCoords = 1;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t object = 0;
    SUCCEED(cudaCreateTextureObject(&object, &resource, &description, nullptr));
    float* out = onDevice(std::vector<float>(kWidth));
    sample<<<1, kWidth>>>(object, out, kWidth);
    const std::vector<float> result = fromDevice(out, kWidth);
    bool right = true;
    // Half way between two texels, whose values linear filtering averages; the last is clamped.
    for (int i = 0; i < kWidth; ++i)
        right = right && result[i] == 0.5F * (texels[i] + texels[std::min(i + 1, kWidth - 1)]);
    check(right, "texture");
    SUCCEED(cudaDestroyTextureObject(object));
    SUCCEED(cudaFreeArray(array));
}

void cooperativeGrid() {
    std::vector<int> host(5000);
    std::iota(host.begin(), host.end(), 1);
    int* values = onDevice(host);
    int* total = onDevice(std::vector<int>{0});
    int blocksPerSm = 0;
    SUCCEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerSm, sumOverGrid, 128, 0));
    check(blocksPerSm > 0, "occupancy");
    constexpr int kBlocks = 8;
    int* seen = onDevice(std::vector<int>(kBlocks));
    int count = static_cast<int>(host.size());
    void* arguments[] = {&values, &count, &total, &seen};
    SUCCEED(cudaLaunchCooperativeKernel(sumOverGrid, dim3(kBlocks), dim3(128), arguments, 0, nullptr));
    const std::vector<int> result = fromDevice(seen, kBlocks);
    check(result == std::vector<int>(kBlocks, 5000 * 5001 / 2), "sumOverGrid");
}

void barrierObject() {
    std::vector<int4> host(128);
    for (int i = 0; i < 128; ++i)
        host[i] = {i, -i, 2 * i, 3};
    const int4* from = onDevice(host);
    int4* to = onDevice(host);
    stageThroughBarrier<<<1, 128>>>(from, to);
    const std::vector<int4> result = fromDevice(to, 128);
    bool right = true;
    for (int i = 0; i < 128; ++i)
        right = right && result[i].x == 127 - i && result[i].y == i - 127 && result[i].z == 2 * (127 - i);
    check(right, "stageThroughBarrier");
}

void halfPrecision() {
    std::vector<__half2> host(64);
    for (int i = 0; i < 64; ++i)
        host[i] = __floats2half2_rn(static_cast<float>(i), 0.5F * static_cast<float>(i));
    const __half2* from = onDevice(host);
    __half2* to = onDevice(host);
    halves<<<1, 64>>>(from, to);
    const std::vector<__half2> result = fromDevice(to, 64);
    bool right = true;
    for (int i = 0; i < 64; ++i) { // exact in half precision
        const float2 value = __half22float2(result[i]);
        right = right && value.x == 2.F * static_cast<float>(i) + 0.25F &&
                value.y == static_cast<float>(i) + 0.25F;
    }
    check(right, "halves");
}

void calls() {
    float* out = onDevice(std::vector<float>(64));
    areas<<<1, 64>>>(out);
    const std::vector<float> result = fromDevice(out, 64);
    bool right = true;
    for (int i = 0; i < 64; ++i)
        right = right && result[i] == static_cast<float>(i * i) * (i % 3 == 0 ? 3.F : 1.F);
    check(right, "areas");

    int* numbers = onDevice(std::vector<int>(64));
    recurse<<<1, 64>>>(numbers);
    const int fibonacci[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    const std::vector<int> depths = fromDevice(numbers, 64);
    right = true;
    for (int i = 0; i < 64; ++i)
        right = right && depths[i] == fibonacci[i % 12];
    check(right, "recurse");
}

} // namespace

} // namespace foreign

int main() {
    using namespace foreign;
    sharedMemory();
    streamsAndManagedMemory();
    texture();
    cooperativeGrid();
    barrierObject();
    halfPrecision();
    calls();
    speak<<<1, 32>>>(2.5);
    SUCCEED(cudaDeviceSynchronize());
    scanSelectAndHistogram();
    sortAndReduce();
    segmentsAndRuns();
    SUCCEED(cudaGetLastError());
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
