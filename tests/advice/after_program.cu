// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// before_program.cu with what Dormer advises done.

#include "tests/cases/cases.h"

#include <cstring>

using namespace cases;

namespace {

// part: short launches
__global__ void addOne(int* values) {
    ++values[blockIdx.x * blockDim.x + threadIdx.x];
}

void addOften(int* values, cudaStream_t stream) {
    for (int i = 0; i < 200; ++i)
        addOne<<<32, 256, 0, stream>>>(values);
}

void manyLaunches() {
    const OnDevice<int> values{8192};
    cudaStream_t stream;
    succeed(cudaStreamCreate(&stream), "cudaStreamCreate");
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    addOften(values.data(), stream);
    succeed(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    succeed(cudaGraphInstantiate(&executable, graph), "cudaGraphInstantiate");
    succeed(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
    succeed(cudaStreamSynchronize(stream), "short launches");
    check(values.host() == std::vector<int>(8192, 200), "short launches");
}

// part: row
__global__ void settle(float* values) {
    float value = values[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll 1
    for (int k = 0; k < 3000; ++k)
        value = value * 0.5F + 1;
    values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void row() {
    const OnDevice<float> values{8 * 8192};
    cudaStream_t streams[4];
    for (cudaStream_t& stream : streams)
        succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (int i = 0; i < 8; ++i)
        settle<<<32, 256, 0, streams[i % 4]>>>(values.data() + i * 8192);
    succeed(cudaDeviceSynchronize(), "row");
    check(values.host() == std::vector<float>(8 * 8192, 2), "row");
}

// part: default stream
void defaultStream() {
    const OnDevice<float> values{9 * 8192};
    cudaStream_t streams[3];
    for (cudaStream_t& stream : streams)
        succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (int i = 0; i < 9; ++i)
        settle<<<32, 256, 0, streams[i % 3]>>>(values.data() + i * 8192);
    succeed(cudaDeviceSynchronize(), "default stream");
    check(values.host() == std::vector<float>(9 * 8192, 2), "default stream");
}

// part: main
} // namespace

int main(int, char** argv) {
    constexpr std::pair<const char*, void (*)()> kPrograms[] = {
        {"short", manyLaunches}, {"row", row}, {"default", defaultStream}};
    for (const auto& [name, run] : kPrograms)
        if (std::strcmp(argv[1], name) == 0) run();
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
