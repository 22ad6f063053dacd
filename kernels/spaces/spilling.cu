// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/spaces/groups.h"

namespace dormer::kernels::spaces {

namespace {

// Each thread adds up outer products of two vectors of 8: 64 sums that live from the first step to the last.
constexpr unsigned kSide = 8;
constexpr unsigned kSums = kSide * kSide;
constexpr unsigned kSteps = 32;
constexpr int kCap = 32; // registers: not even half of the sums

/// Element i of a step's vector, different in every thread. Wraps round like all unsigned arithmetic.
__device__ unsigned element(unsigned start, unsigned step, unsigned i) {
    return start * (2 * i + 1) + step * step;
}

/// Sum (row, column) of all threads lies side by side, so that stores coalesce.
__device__ void addOuterProducts(const unsigned* starts, unsigned* out, unsigned threads) {
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned start = starts[thread];
    unsigned sums[kSide][kSide] = {};
    for (unsigned step = 0; step < kSteps; ++step) {
        unsigned a[kSide];
        unsigned b[kSide];
#pragma unroll
        for (unsigned i = 0; i < kSide; ++i) {
            a[i] = element(start, step, i);
            b[i] = element(~start, step, i);
        }
#pragma unroll
        for (unsigned row = 0; row < kSide; ++row)
#pragma unroll
            for (unsigned column = 0; column < kSide; ++column)
                sums[row][column] += a[row] * b[column];
    }
#pragma unroll
    for (unsigned row = 0; row < kSide; ++row)
#pragma unroll
        for (unsigned column = 0; column < kSide; ++column)
            out[(row * kSide + column) * threads + thread] = sums[row][column];
}

// Two blocks of 256 threads leave each thread 128 registers: all sums fit.
__global__ void __launch_bounds__(kBlock, 2)
    outerProductsInRegisters(const unsigned* starts, unsigned* out, unsigned threads) {
    addOuterProducts(starts, out, threads);
}

// Capped, the assembler keeps the rest in local memory: more warps fit, and each waits for its spilled sums.
__global__ void __maxnreg__(kCap)
    outerProductsCapped(const unsigned* starts, unsigned* out, unsigned threads) {
    addOuterProducts(starts, out, threads);
}

struct IsOuterProduct {
    const unsigned *starts, *out;
    std::size_t threads;
    __device__ bool operator()(std::size_t i) const {
        const unsigned start = starts[i % threads];
        const auto row = static_cast<unsigned>(i / threads / kSide);
        const auto column = static_cast<unsigned>(i / threads % kSide);
        unsigned sum = 0;
        for (unsigned step = 0; step < kSteps; ++step)
            sum += element(start, step, row) * element(~start, step, column);
        return out[i] == sum;
    }
};

struct Start {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const { return static_cast<unsigned>(mixed(seed, i)); }
};

struct OuterProducts {
    explicit OuterProducts(const Setup& setup) : starts(setup.size), out(setup.size * kSums) {
        fill(starts, Start{setup.seed});
    }
    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(starts.size()); }

    DeviceBuffer<unsigned> starts;
    DeviceBuffer<unsigned> out; // shared by both variants
};

using Kernel = void (*)(const unsigned*, unsigned*, unsigned);

template <Kernel kKernel>
void launch(OuterProducts& p) {
    kKernel<<<p.threads() / kBlock, kBlock>>>(p.starts.data(), p.out.data(), p.threads());
}

template <Kernel kKernel>
CheckResult check(OuterProducts& p) {
    CUDA_CHECK(cudaMemset(p.out.data(), 0xFF, p.out.bytes()));
    launch<kKernel>(p);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(p.out.size(), IsOuterProduct{p.starts.data(), p.out.data(), p.threads()},
                     "each sum == the same sum computed alone");
}

template <Kernel kKernel>
std::vector<Expectation> registersByRuntime(OuterProducts&) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kKernel));
    return {exactly("registers_per_thread", attributes.numRegs, "cudaFuncGetAttributes says so")};
}

std::vector<Expectation> answersRegisters(std::size_t) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back(noLocalMemory());
    answers.push_back(atLeast("registers_per_thread", kSums, "64 sums live at the same time"));
    return answers;
}

std::vector<Expectation> answersCapped(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back({.metric = "registers_per_thread",
                       .relation = "<=",
                       .value = kCap,
                       .why = "the kernel's attribute caps its registers"});
    // The assembler spills; PTX, which the emulator runs, has as many registers as one likes.
    const auto warps = static_cast<double>(size / 32);
    const double leastSpilled = kSums - kCap;
    answers.push_back(
        onGpu(atLeast("local_store_sectors", warps * leastSpilled * 4,
                      "of 64 sums at least 32 are kept outside 32 registers, 4 sectors per warp")));
    answers.push_back(onGpu(atLeast("local_load_sectors", warps * leastSpilled * 4,
                                    "what was spilled is read back before it is written out")));
    return answers;
}

std::vector<Row<OuterProducts>> rows() {
    return {
        {{.name = "local_spill",
          .shows = "64 sums under a cap of 32 registers: the rest is spilled to local memory at every step",
          .knownAnswers = answersCapped,
          .better = "spaces/registers"},
         launch<outerProductsCapped>,
         check<outerProductsCapped>,
         registersByRuntime<outerProductsCapped>},
        {{.name = "registers",
          .shows = "the same with __launch_bounds__ that leave 128 registers: nothing is spilled",
          .knownAnswers = answersRegisters,
          .good = true},
         launch<outerProductsInRegisters>,
         check<outerProductsInRegisters>,
         registersByRuntime<outerProductsInRegisters>},
    };
}

} // namespace

Group spillingGroup() {
    return groupOf<OuterProducts>(
        rows(), Sizes{std::size_t{1} << 18, std::size_t{1} << 11},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return (1 + kSums) * size * sizeof(unsigned); }, parameters);
}

} // namespace dormer::kernels::spaces
