// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// before_layout.cu with what Dormer advises done.

#include "tests/cases/cases.h"

using namespace cases;

namespace {

constexpr int kCount = 64 * 256;

// part: transpose
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    const int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + threadIdx.x;
    out[row * n + column] = tile[threadIdx.x][threadIdx.y];
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
    std::size_t bytes = 0;
    succeed(cudaMallocPitch(&rows, &bytes, kColumns * sizeof(float), kRows), "cudaMallocPitch");
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
    constexpr int kHeader = 8;
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
    const float value = in[i];
    float next = __shfl_down_sync(~0U, value, 1);
    if (threadIdx.x % 32 == 31) next = in[i + 1];
    out[i] = next - value;
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
__global__ void firstOfFour(const float* firsts, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = firsts[i] + 1;
}

void stride() {
    const std::vector<float> quads = counting<float>(4 * kCount);
    std::vector<float> firsts(kCount);
    for (int i = 0; i < kCount; ++i)
        firsts[i] = quads[4 * i];
    const OnDevice<float> in{firsts}, out{kCount};
    run("advice/stride", [&] { firstOfFour<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == quads[4 * i] + 1;
    check(right, "stride");
}

// part: consecutive
__global__ void negateFour(const int* in, int* out) {
    const int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 4; ++k)
        out[first + k * blockDim.x] = -in[first + k * blockDim.x];
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
struct Particles {
    float *x, *y, *z, *mass, *velocity[4];
};

__global__ void drift(Particles particles, float step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    particles.x[i] += step;
}

void members() {
    const std::vector<float> host = counting<float>(kCount);
    const OnDevice<float> x{host};
    Particles particles{};
    particles.x = x.data();
    run("advice/members", [&] {
        succeed(cudaMemcpy(x.data(), host.data(), kCount * sizeof(float), cudaMemcpyHostToDevice),
                "cudaMemcpy");
        drift<<<64, 256>>>(particles, 0.5F);
    });
    const std::vector<float> got = x.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == host[i] + 0.5F;
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
