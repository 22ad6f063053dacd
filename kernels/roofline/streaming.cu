// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/roofline/groups.h"

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;

__global__ void scale(cuda::std::span<const double> x, cuda::std::span<double> y) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < y.size()) y[i] = 3.0 * x[i];
}

template <typename Real>
__global__ void vectorAdd(cuda::std::span<const Real> a, cuda::std::span<const Real> b,
                          cuda::std::span<Real> c) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < c.size()) c[i] = a[i] + b[i];
}

struct IsScaled {
    const double *x, *y;
    __device__ bool operator()(std::size_t i) const { return y[i] == 3.0 * x[i]; }
};

template <typename Real>
struct IsSum {
    const Real *a, *b, *c;
    __device__ bool operator()(std::size_t i) const { return c[i] == a[i] + b[i]; }
};

enum : std::size_t { kScale, kVectorAdd, kVectorAddFp64 };

struct Arrays {
    explicit Arrays(const Setup& setup) : size(setup.size) {
        if (setup.runs(kScale) || setup.runs(kVectorAddFp64)) a64 = input<double>(setup.seed);
        if (setup.runs(kScale)) scaled = DeviceBuffer<double>(size);
        if (setup.runs(kVectorAddFp64)) {
            b64 = input<double>(setup.seed + 1);
            c64 = DeviceBuffer<double>(size);
        }
        if (setup.runs(kVectorAdd)) {
            a32 = input<float>(setup.seed);
            b32 = input<float>(setup.seed + 1);
            c32 = DeviceBuffer<float>(size);
        }
    }
    template <typename Real>
    [[nodiscard]] DeviceBuffer<Real> input(std::uint64_t seed) const {
        DeviceBuffer<Real> buffer(size);
        fill(buffer, Uniform<Real>{seed, 1});
        return buffer;
    }
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(cuda::ceil_div(size, kBlock)); }

    std::size_t size;
    DeviceBuffer<double> a64, b64, c64, scaled;
    DeviceBuffer<float> a32, b32, c32;
};

std::vector<Expectation> answersScale(std::size_t size) {
    return {exactly("flops_fp64", static_cast<double>(size), "one multiplication per element"),
            exactly("global_load_sectors_per_request", 8, "32 lanes read 256 neighbouring bytes"),
            measuredNear("arithmetic_intensity_dram_fp64", 1.0 / 16, "1 FLOP per 8 bytes read and 8 written"),
            verdict("memory", "1/16 FLOP per byte is far left of every GPU's ridge")};
}

std::vector<Expectation> answersVectorAdd(std::size_t size) {
    return {exactly("flops_fp32", static_cast<double>(size), "one addition per element"),
            exactly("global_load_sectors_per_request", 4, "32 lanes read 128 neighbouring bytes"),
            measuredNear("arithmetic_intensity_dram_fp32", 1.0 / 12, "1 FLOP per 8 bytes read and 4 written"),
            verdict("memory", "1/12 FLOP per byte is far left of every GPU's ridge")};
}

std::vector<Expectation> answersVectorAddFp64(std::size_t size) {
    return {
        exactly("flops_fp64", static_cast<double>(size), "one addition per element"),
        exactly("global_load_sectors_per_request", 8, "32 lanes read 256 neighbouring bytes"),
        measuredNear("arithmetic_intensity_dram_fp64", 1.0 / 24, "1 FLOP per 16 bytes read and 8 written"),
        verdict("memory", "1/24 FLOP per byte is far left of every GPU's ridge")};
}

std::vector<Row<Arrays>> rows() {
    return {
        {{"scale", "y = 3x in FP64: 1 FLOP per 16 bytes, bound by DRAM", answersScale},
         [](Arrays& v) { scale<<<v.blocks(), kBlock>>>(v.a64.view(), v.scaled.span()); },
         [](Arrays& v) {
             return checkEach(v.size, IsScaled{v.a64.data(), v.scaled.data()}, "y[i] == 3 * x[i]");
         }},
        {{"vector_add", "c = a + b in FP32: 1 FLOP per 12 bytes, bound by DRAM", answersVectorAdd},
         [](Arrays& v) {
             vectorAdd<float><<<v.blocks(), kBlock>>>(v.a32.view(), v.b32.view(), v.c32.span());
         },
         [](Arrays& v) {
             return checkEach(v.size, IsSum<float>{v.a32.data(), v.b32.data(), v.c32.data()},
                              "c[i] == a[i] + b[i]");
         }},
        {{"vector_add_fp64", "c = a + b in FP64: 1 FLOP per 24 bytes, bound by DRAM", answersVectorAddFp64},
         [](Arrays& v) {
             vectorAdd<double><<<v.blocks(), kBlock>>>(v.a64.view(), v.b64.view(), v.c64.span());
         },
         [](Arrays& v) {
             return checkEach(v.size, IsSum<double>{v.a64.data(), v.b64.data(), v.c64.data()},
                              "c[i] == a[i] + b[i]");
         }},
    };
}

std::size_t roundSize(std::size_t wanted) {
    return roundUp(wanted, kBlock);
}

std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock)};
}

} // namespace

Group streamingGroup() {
    // 2^27 elements move 1.5 to 3 GB a launch: what 50 MB of L2 keeps from one launch to the next stays under
    // 2 % of that wherever a good share of it is clean.
    return groupOf<Arrays>(
        rows(), Sizes{std::size_t{1} << 27, std::size_t{1} << 22}, roundSize,
        [](std::size_t size) { return size * (4 * sizeof(double) + 3 * sizeof(float)); }, parameters);
}

} // namespace dormer::kernels
