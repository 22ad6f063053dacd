// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels whose data lie the wrong way. after_layout.cu is this file with what Dormer advises done.

#include "tests/cases/cases.h"

using namespace cases;

namespace {

constexpr int kCount = 64 * 256;

// part: transpose
__global__ void transpose(const float* in, float* out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

void transposed() {
    constexpr int kSide = 256;
    const std::vector<float> values = counting<float>(kSide * kSide);
    const OnDevice<float> in{values}, out{values.size()};
    run("advice/transpose",
        [&] { transpose<<<dim3(kSide / 32, kSide / 32), dim3(32, 32)>>>(in.data(), out.data(), kSide); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kSide * kSide; ++i)
        right = right && got[i] == values[i % kSide * kSide + i / kSide];
    check(right, "transpose");
}

// part: pitch
__global__ void doubleRows(float* rows, int pitch, int columns) {
    for (int column = threadIdx.x; column < columns; column += blockDim.x)
        rows[blockIdx.x * pitch + column] = 2 * rows[blockIdx.x * pitch + column];
}

void pitch() {
    constexpr int kRows = 256, kColumns = 1021;
    const std::vector<float> values = counting<float>(kRows * kColumns);
    std::vector<float> got(values.size());
    float* rows = nullptr;
    succeed(cudaMalloc(&rows, kRows * kColumns * sizeof(float)), "cudaMalloc");
    std::size_t bytes = kColumns * sizeof(float);
    run("advice/pitch", [&] {
        succeed(cudaMemcpy2D(rows, bytes, values.data(), kColumns * sizeof(float), kColumns * sizeof(float),
                             kRows, cudaMemcpyHostToDevice),
                "cudaMemcpy2D");
        doubleRows<<<kRows, 256>>>(rows, static_cast<int>(bytes / sizeof(float)), kColumns);
    });
    succeed(cudaMemcpy2D(got.data(), kColumns * sizeof(float), rows, bytes, kColumns * sizeof(float), kRows,
                         cudaMemcpyDeviceToHost),
            "cudaMemcpy2D");
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == 2 * values[i];
    check(right, "pitch");
    succeed(cudaFree(rows), "cudaFree");
}

// part: offset
__global__ void doubleBody(const float* message, float* out, int header) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * message[header + i];
}

void offset() {
    constexpr int kHeader = 3;
    const std::vector<float> message = counting<float>(kHeader + kCount);
    const OnDevice<float> in{message}, out{kCount};
    run("advice/offset", [&] { doubleBody<<<64, 256>>>(in.data(), out.data(), kHeader); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == 2 * message[kHeader + i];
    check(right, "offset");
}

// part: neighbour
__global__ void differences(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1] - in[i];
}

void neighbour() {
    const std::vector<float> values = counting<float>(kCount + 1, 1000);
    const OnDevice<float> in{values}, out{kCount};
    run("advice/neighbour", [&] { differences<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == values[i + 1] - values[i];
    check(right, "neighbour");
}

// part: stride
__global__ void firstOfFour(const float* quads, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = quads[i * 4] + 1;
}

void stride() {
    const std::vector<float> quads = counting<float>(4 * kCount);
    const OnDevice<float> in{quads}, out{kCount};
    run("advice/stride", [&] { firstOfFour<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == quads[4 * i] + 1;
    check(right, "stride");
}

// part: consecutive
__global__ void negateFour(const int* in, int* out) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 4; ++k)
        out[thread * 4 + k] = -in[thread * 4 + k];
}

void consecutive() {
    const std::vector<int> values = counting<int>(4 * kCount);
    const OnDevice<int> in{values}, out{values.size()};
    run("advice/consecutive", [&] { negateFour<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<int> got = out.host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == -values[i];
    check(right, "consecutive");
}

// part: members
struct Particle {
    float x, y, z, mass;
    float velocity[4];
};

__global__ void drift(Particle* particles, float step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    particles[i].x += step;
}

void members() {
    std::vector<Particle> host(kCount);
    for (int i = 0; i < kCount; ++i)
        host[i].x = static_cast<float>(i);
    const OnDevice<Particle> particles{host};
    run("advice/members", [&] {
        succeed(cudaMemcpy(particles.data(), host.data(), kCount * sizeof(Particle), cudaMemcpyHostToDevice),
                "cudaMemcpy");
        drift<<<64, 256>>>(particles.data(), 0.5F);
    });
    const std::vector<Particle> got = particles.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i].x == host[i].x + 0.5F;
    check(right, "members");
}

// part: main
} // namespace

int main() {
    for (const auto run : {transposed, pitch, offset, neighbour, stride, consecutive, members})
        run();
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
