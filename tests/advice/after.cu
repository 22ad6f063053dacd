// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// before.cu with what Dormer advises done.

#include "tests/cases/cases.h"

using namespace cases;

namespace {

// part: pad
__global__ void turnTile(const float* in, float* out) {
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void pad() {
    const std::vector<float> values = counting<float>(1024);
    const OnDevice<float> in{values}, out{1024};
    run("advice/pad", [&] { turnTile<<<1, dim3(32, 32)>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < 1024; ++i)
        right = right && got[i] == values[i % 32 * 32 + i / 32];
    check(right, "pad");
}

// part: swizzle
__global__ void turnQuarters(const float* in, float* out) {
    __shared__ float as[64][16];
    as[threadIdx.y][(threadIdx.x) ^ ((threadIdx.y) & 15)] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    const int row = threadIdx.x + threadIdx.y / 16 * 16, column = threadIdx.y % 16;
    // clang-format off
    out[threadIdx.y * 16 + threadIdx.x] = as[row][(column) ^ ((row) & 15)];
    // clang-format on
}

void swizzle() {
    const std::vector<float> values = counting<float>(1024);
    const OnDevice<float> in{values}, out{1024};
    run("advice/swizzle", [&] { turnQuarters<<<1, dim3(16, 64)>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 16; ++x)
            right = right && got[y * 16 + x] == values[(x + y / 16 * 16) * 16 + y % 16];
    check(right, "swizzle");
}

// part: interleaved
__global__ void doubleInterleaved(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}

void interleaved() {
    const std::vector<float> values = counting<float>(64 * 256);
    const OnDevice<float> in{values}, out{values.size()};
    run("advice/interleaved", [&] { doubleInterleaved<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == 2 * values[i];
    check(right, "interleaved");
}

// part: columns
__global__ void addColumnNumber(const float* in, float* out) {
    const int row = blockIdx.x, column = threadIdx.x;
    out[row * 128 + column] = in[row * 128 + column] + column;
}

void columns() {
    const std::vector<float> values = counting<float>(64 * 128);
    const OnDevice<float> in{values}, out{values.size()};
    run("advice/columns", [&] { addColumnNumber<<<64, 128>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == values[i] + i % 128;
    check(right, "columns");
}

// part: axes
__global__ void scaleAlongY(const float* in, float* out) {
    const int x = blockIdx.x * blockDim.y + threadIdx.y;
    const int y = blockIdx.y * blockDim.x + threadIdx.x;
    out[x * 256 + y] = in[x * 256 + y] * x;
}

void axes() {
    const std::vector<float> values = counting<float>(256 * 256);
    const OnDevice<float> in{values}, out{values.size()};
    run("advice/axes", [&] { scaleAlongY<<<dim3(32, 8), dim3(32, 8, 1)>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i] == values[i] * (i / 256);
    check(right, "axes");
}

// part: align
struct __align__(4) Pixel {
    unsigned char red, green, blue, alpha;
};

__global__ void invert(const Pixel* in, Pixel* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Pixel pixel = in[i];
    out[i] = {static_cast<unsigned char>(255 - pixel.red), static_cast<unsigned char>(255 - pixel.green),
              static_cast<unsigned char>(255 - pixel.blue), pixel.alpha};
}

void align() {
    std::vector<Pixel> values(64 * 256);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i].red = values[i].alpha = static_cast<unsigned char>(i);
    const OnDevice<Pixel> in{values}, out{values.size()};
    run("advice/align", [&] { invert<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<Pixel> got = out.host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && got[i].red == 255 - values[i].red && got[i].green == 255 &&
                got[i].alpha == values[i].alpha;
    check(right, "align");
}

// part: sum of integers
__global__ void addIntegers(const int* in, int* sum) {
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    const int warpSum = __reduce_add_sync(~0U, value);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, warpSum);
}

void integers() {
    const std::vector<int> values = counting<int>(64 * 256, 100);
    const OnDevice<int> in{values}, sum{1};
    run("advice/integers", [&] {
        succeed(cudaMemset(sum.data(), 0, sizeof(int)), "cudaMemset");
        addIntegers<<<64, 256>>>(in.data(), sum.data());
    });
    int right = 0;
    for (const int value : values)
        right += value;
    check(sum.host()[0] == right, "integers");
}

// part: sum of floats
__global__ void addFloats(const float* in, float* sum) {
    float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(~0U, value, step);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, value);
}

void floats() {
    const std::vector<float> values = counting<float>(64 * 256, 100);
    const OnDevice<float> in{values}, sum{1};
    run("advice/floats", [&] {
        succeed(cudaMemset(sum.data(), 0, sizeof(float)), "cudaMemset");
        addFloats<<<64, 256>>>(in.data(), sum.data());
    });
    float right = 0; // whole numbers below 2^24: exact in any order
    for (const float value : values)
        right += value;
    check(sum.host()[0] == right, "floats");
}

// part: rows
__global__ void sumRows(const float* in, float* out) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const float* x = in + row * 80;
    float sum = 0;
    for (int c = threadIdx.x % 32; c < 80; c += 32)
        sum += x[c];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0U, sum, step);
    if (threadIdx.x % 32 == 0) out[row] = sum;
}

void rows() {
    const std::vector<float> values = counting<float>(1024 * 80, 100);
    const OnDevice<float> in{values}, out{1024};
    run("advice/rows", [&] { sumRows<<<256, 128>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int row = 0; row < 1024; ++row) {
        float sum = 0;
        for (int c = 0; c < 80; ++c)
            sum += values[row * 80 + c];
        right = right && got[row] == sum;
    }
    check(right, "rows");
}

// part: table
__constant__ float coefficients[16];

__global__ void evaluate(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;
    for (int k = 0; k < 16; ++k)
        value = value * in[i] + coefficients[k];
    out[i] = value;
}

void table() {
    const std::vector<float> values(64 * 256, 1.0F), host = counting<float>(16);
    const OnDevice<float> in{values}, out{values.size()};
    succeed(cudaMemcpyToSymbol(coefficients, host.data(), sizeof coefficients), "cudaMemcpyToSymbol");
    run("advice/table", [&] { evaluate<<<64, 256>>>(in.data(), out.data()); });
    bool right = true;
    for (const float value : out.host())
        right = right && value == 120; // 0 + 1 + ... + 15
    check(right, "table");
}

// part: main
} // namespace

int main() {
    for (const auto run : {pad, swizzle, interleaved, columns, axes, align, integers, floats, rows, table})
        run();
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
