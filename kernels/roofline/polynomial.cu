// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/cuda_check.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/roofline/groups.h"
#include "kernels/roofline/work.h"

#include <cuda/std/cmath>

#include <cmath>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
constexpr float kCoefficient = 0.75F;
/// Different arguments there are: few enough for the host to know all results.
constexpr unsigned kArguments = 256;

/// Horner's rule for a polynomial whose coefficients are all the same, in K operations: K / 2 fused
/// multiply-adds, or a multiplication where there is only one. The coefficient is an argument, so that the
/// compiler can't fold anything.
template <int K>
__global__ void polynomial(float coefficient, cuda::std::span<const float> x, cuda::std::span<float> y) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    const float argument = x[i];
    float value = coefficient;
    if constexpr (K == 1) {
        value *= argument;
    } else {
#pragma unroll 64
        for (int degree = 0; degree < K / 2; ++degree)
            value = cuda::std::fma(value, argument, coefficient);
    }
    y[i] = value;
}

/// Multiples of 1/256 below 1.
__host__ __device__ unsigned argumentOf(std::uint64_t seed, std::size_t i) {
    return static_cast<unsigned>(mixed(seed, i) % kArguments);
}
__host__ __device__ float valueOf(unsigned argument) {
    return static_cast<float>(argument) / kArguments;
}

struct Argument {
    std::uint64_t seed;
    __device__ float operator()(std::size_t i) const { return valueOf(argumentOf(seed, i)); }
};

struct IsValue {
    std::uint64_t seed;
    const float *values, *y;
    __device__ bool operator()(std::size_t i) const { return y[i] == values[argumentOf(seed, i)]; }
};

/// The host's value, by its own correctly rounded FMA.
float hornerOnHost(int operations, float argument) {
    if (operations == 1) return kCoefficient * argument;
    float value = kCoefficient;
    for (int degree = 0; degree < operations / 2; ++degree)
        value = std::fma(value, argument, kCoefficient);
    return value;
}

struct Points {
    explicit Points(const Setup& setup) : seed(setup.seed), x(setup.size), y(setup.size) {
        fill(x, Argument{seed});
    }
    std::uint64_t seed;
    DeviceBuffer<float> x, y;
};

template <int K>
void launch(Points& p) {
    polynomial<K>
        <<<static_cast<unsigned>(p.x.size() / kBlock), kBlock>>>(kCoefficient, p.x.view(), p.y.span());
}

// All points of the sweep write to the same array.
template <int K>
CheckResult check(Points& p) {
    CUDA_CHECK(cudaMemset(p.y.data(), 0xFF, p.y.bytes()));
    launch<K>(p);
    std::vector<float> expected;
    for (unsigned argument = 0; argument < kArguments; ++argument)
        expected.push_back(hornerOnHost(K, valueOf(argument)));
    const DeviceBuffer<float> values(kArguments);
    CUDA_CHECK(cudaMemcpy(values.data(), expected.data(), values.bytes(), cudaMemcpyHostToDevice));
    return checkEach(p.x.size(), IsValue{p.seed, values.data(), p.y.data()},
                     "y[i] == the host's value of the polynomial");
}

template <int K>
std::vector<Expectation> answers(std::size_t size) {
    const auto flops = static_cast<double>(K) * static_cast<double>(size);
    std::vector<Expectation> answers{
        exactly("flops_fp32", flops, K == 1 ? "one multiplication per element" : "K / 2 FMAs per element"),
        exactly("global_load_sectors_per_request", kCoalescedSectors, "32 lanes read 128 neighbouring bytes"),
        {.metric = "arithmetic_intensity_dram_fp32",
         .relation = "~",
         .value = K / 8.0,
         .tolerance = 0.06,
         .why = "K FLOPs per 4 bytes read and 4 written; caches keep a few percent of them",
         .gpuOnly = true}};
    // Ridges of today's devices lie between 8 (V100) and 80 (RTX 4090) FLOPs a byte.
    if (K == 1024)
        answers.push_back(verdict("compute|balanced", "128 FLOPs per byte: right of every GPU's ridge"));
    return answers;
}

ChipRates ratesOfDevice() {
    const auto attribute = [](cudaDeviceAttr which) {
        int device = 0, value = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
        return static_cast<double>(value);
    };
    return {.sms = attribute(cudaDevAttrMultiProcessorCount),
            .threadsPerSm = attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
            .smHz = 1e3 * attribute(cudaDevAttrClockRate),
            .dramBytesPerSecond =
                2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8};
}

/// 2 FLOPs per byte or less are left of every GPU's ridge. Whether DRAM is busy there is the chip's: each
/// thread has one load in flight.
template <int K>
std::vector<Expectation> answersOfDevice(Points& /*points*/) {
    if (K > 16) return {};
    const std::string bound = boundOfShortThreads(ratesOfDevice(), 2 * sizeof(float));
    return {verdict(bound,
                    bound == "memory"
                        ? "2 FLOPs per byte or less: left of every GPU's ridge"
                        : "a wave of threads with one load each takes longer than DRAM needs for its bytes")};
}

template <int K>
Row<Points> row() {
    return {{.name = "polynomial/" + std::to_string(K),
             .shows = "a polynomial in " + std::to_string(K) + (K == 1 ? " FLOP" : " FLOPs") +
                      " per 8 bytes: " +
                      (K <= 16     ? "on the slope of the roofline"
                       : K >= 1024 ? "under its flat part"
                                   : "on the way to the ridge and past it"),
             .knownAnswers = answers<K>,
             .parameters = {"flops=" + std::to_string(K)},
             .sweep = "polynomial",
             .good = true},
            launch<K>,
            check<K>,
            answersOfDevice<K>};
}

std::vector<Row<Points>> rows() {
    return {row<1>(),  row<2>(),   row<4>(),   row<8>(),   row<16>(),  row<32>(),
            row<64>(), row<128>(), row<256>(), row<512>(), row<1024>()};
}

} // namespace

Group polynomialGroup() {
    return groupOf<Points>(
        rows(), Sizes{std::size_t{1} << 26, std::size_t{1} << 17},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return 2 * size * sizeof(float); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size),
                                            "block=" + std::to_string(kBlock)};
        });
}

} // namespace dormer::kernels
