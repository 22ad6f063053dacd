// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/roofline/groups.h"
#include "kernels/roofline/work.h"

#include <cuda/std/mdspan>

#include <cmath>

namespace dormer::kernels {

namespace {

constexpr dim3 kBlock{32, 8};

template <typename T>
using Field = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

// One step of Jacobi's method. Four loads for one store, but a neighbour has loaded each of them as well:
// where caches hold a few rows, DRAM sees every cell once.
__global__ void jacobi(Field<const float> in, Field<float> out) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const bool inside = x > 0 && y > 0 && x < in.extent(1) - 1 && y < in.extent(0) - 1;
    out(y, x) = inside ? 0.25F * ((in(y, x - 1) + in(y, x + 1)) + (in(y - 1, x) + in(y + 1, x))) : in(y, x);
}

/// 0 .. 255: sums of four and a quarter of them are exact.
struct Byte {
    std::uint64_t seed;
    __host__ __device__ float operator()(std::size_t i) const {
        return static_cast<float>(mixed(seed, i) & 0xFF);
    }
};

struct IsStep {
    const float *in, *out;
    std::size_t side;
    __device__ bool operator()(std::size_t i) const {
        const std::size_t x = i % side;
        const std::size_t y = i / side;
        if (x == 0 || y == 0 || x == side - 1 || y == side - 1) return out[i] == in[i];
        const int neighbours = static_cast<int>(in[i - side]) + static_cast<int>(in[i + side]) +
                               static_cast<int>(in[i - 1]) + static_cast<int>(in[i + 1]);
        return 4 * out[i] == static_cast<float>(neighbours);
    }
};

std::size_t sideOf(std::size_t size) {
    return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(size))));
}

struct Fields {
    explicit Fields(const Setup& setup)
        : side(static_cast<int>(sideOf(setup.size))), in(setup.size), out(setup.size) {
        fill(in, Byte{setup.seed});
    }
    int side;
    DeviceBuffer<float> in, out;
};

std::vector<Expectation> answers(std::size_t size) {
    const auto flops = static_cast<double>(stencilFlops(sideOf(size)));
    return {exactly("flops_fp32", flops, "three additions and a multiplication per inner cell"),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 lanes write 128 neighbouring bytes"),
            measuredNear("arithmetic_intensity_dram_fp32", flops / (8.0 * static_cast<double>(size)),
                         "caches hold the rows above and below: 4 bytes read and 4 written per cell"),
            verdict("memory|latency",
                    "1/2 FLOP per byte is far left of every GPU's ridge: never compute. An H100 "
                    "waits for the four loads of a cell at 58 % of its DRAM's roof")};
}

std::vector<Row<Fields>> rows() {
    return {
        {{.name = "stencil",
          .shows = "Jacobi's 5-point step: 4 FLOPs per 8 bytes, as long as caches hold the neighbouring rows",
          .knownAnswers = answers},
         [](Fields& f) {
             const auto side = static_cast<unsigned>(f.side);
             jacobi<<<dim3(side / kBlock.x, side / kBlock.y), kBlock>>>(
                 Field<const float>(f.in.data(), f.side, f.side), Field<float>(f.out.data(), f.side, f.side));
         },
         [](Fields& f) {
             return checkEach(f.in.size(),
                              IsStep{f.in.data(), f.out.data(), static_cast<std::size_t>(f.side)},
                              "4 * out(y, x) == the sum of four neighbours");
         }},
    };
}

/// The nearest square of whole warps that holds the wanted number of cells.
std::size_t roundSize(std::size_t wanted) {
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(wanted))));
    const std::size_t rounded = roundUp(side, kBlock.x);
    return rounded * rounded;
}

} // namespace

Group stencilGroup() {
    // 2^28 cells move 2.1 GB a launch: see streamingGroup().
    return groupOf<Fields>(
        rows(), Sizes{std::size_t{1} << 28, std::size_t{1} << 20}, roundSize,
        [](std::size_t size) { return 2 * size * sizeof(float); },
        [](std::size_t size) {
            const std::string side = std::to_string(sideOf(size));
            return std::vector<std::string>{"size=" + std::to_string(size), "field=" + side + "x" + side,
                                            "block=32x8"};
        });
}

} // namespace dormer::kernels
