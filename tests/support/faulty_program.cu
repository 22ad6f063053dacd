// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program that does right once and then, as its argument says, something wrong. It prints what CUDA answers
// by name, as a careful program would, and ends with exit code 1 where CUDA has a complaint.

#include <cuda_runtime.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

__global__ void fill(int* values, int value) {
    values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void readOdd(const char* bytes, int* out) {
    out[threadIdx.x] = *reinterpret_cast<const int*>(bytes + 1 + 4 * threadIdx.x); // misaligned
}

__global__ void useMuchShared(int* out) {
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = dynamic[(threadIdx.x + 1) % blockDim.x];
}

__global__ void beyondShared(int* out, int by) {
    __shared__ int values[32];
    values[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x + by]; // outside shared memory
}

__global__ void exotic(int* out) {
    unsigned sum = 0;
    asm volatile("multimem.ld_reduce.relaxed.gpu.global.add.u32 %0, [%1];" : "=r"(sum) : "l"(out)); // exotic
    out[threadIdx.x] = static_cast<int>(sum);
}

__global__ void giveUp() {
    if (threadIdx.x == 3) __trap();
}

__global__ void wait(volatile int* flag) {
    while (*flag != 1) {
    }
}

bool succeeds(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return true;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    return false;
}

/// False when CUDA refused something.
bool misbehave(const char* how, int* memory) {
    const auto is = [how](const char* name) { return std::strcmp(how, name) == 0; };
    if (is("misaligned")) readOdd<<<1, 32>>>(reinterpret_cast<const char*>(memory), memory);
    if (is("null")) fill<<<1, 32>>>(nullptr, 1);
    if (is("before")) fill<<<1, 32>>>(memory - 4, 1);
    if (is("freed")) {
        int* other = nullptr;
        cudaMalloc(&other, 4096);
        cudaFree(other);
        fill<<<1, 32>>>(other, 1);
    }
    if (is("host-pointer")) {
        static int onHost[32];
        fill<<<1, 32>>>(onHost, 1);
    }
    if (is("beyond-shared")) beyondShared<<<1, 32>>>(memory, 8);
    if (is("no-threads")) fill<<<1, 0>>>(memory, 1);
    if (is("no-blocks")) fill<<<0, 32>>>(memory, 1);
    if (is("flat-block")) fill<<<1, dim3(1, 1, 65)>>>(memory, 1);
    if (is("much-shared")) useMuchShared<<<1, 32, 100'000>>>(memory);
    if (is("too-much-shared")) {
        if (!succeeds(
                cudaFuncSetAttribute(useMuchShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 300'000),
                "attribute"))
            return false;
        useMuchShared<<<1, 32, 300'000>>>(memory);
    }
    if (is("opted-in")) { // no mistake: as much as an H100 has
        if (!succeeds(
                cudaFuncSetAttribute(useMuchShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 232'448),
                "attribute"))
            return false;
        useMuchShared<<<1, 32, 232'448>>>(memory);
    }
    if (is("too-much-memory")) {
        int* huge = nullptr;
        return succeeds(cudaMalloc(&huge, std::size_t{1} << 40), "malloc");
    }
    if (is("exotic")) exotic<<<1, 32>>>(memory);
    if (is("trap")) giveUp<<<1, 32>>>();
    if (is("wait")) wait<<<1, 32>>>(memory);
    if (is("crash")) {
        std::fflush(stdout);
        std::abort();
    }
    return succeeds(cudaGetLastError(), "launch") && succeeds(cudaDeviceSynchronize(), "synchronize");
}

} // namespace

int main(int argc, char** argv) {
    const char* how = argc > 1 ? argv[1] : "";
    if (argc > 2) { // whoever waits for us may want to stop us
        std::FILE* file = std::fopen(argv[2], "w");
        if (file == nullptr) return 2;
        std::fprintf(file, "%d", getpid());
        std::fclose(file);
    }
    if (std::strcmp(how, "nothing") == 0) { // a CUDA program that launches nothing
        int devices = 0;
        return succeeds(cudaGetDeviceCount(&devices), "devices") ? 0 : 1;
    }
    int* memory = nullptr;
    if (!succeeds(cudaMalloc(&memory, 64 * sizeof(int)), "malloc")) return 1;
    fill<<<2, 32>>>(memory, 0);
    if (!succeeds(cudaGetLastError(), "first launch")) return 1;
    if (!succeeds(cudaDeviceSynchronize(), "first launch")) return 1;
    if (std::strcmp(how, "exit-7") == 0) return 7;
    return misbehave(how, memory) ? 0 : 1;
}
