// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/occupancy/chase.cuh"
#include "kernels/occupancy/groups.h"

namespace dormer::kernels::occupancy {

namespace {

constexpr unsigned kBlock = 256;
constexpr unsigned kSteps = 96;

/// Keeps every element of its chain until the end, about a register each; the cap decides how many of them
/// are spilled to local memory instead, and how many warps fit.
template <int kCap>
__global__ void __maxnreg__(kCap)
    followChainsKeepingAll(const unsigned* next, unsigned* last, unsigned threads) {
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    if (thread >= threads) return;
    unsigned chain[kSteps + 1];
    chain[0] = thread;
#pragma unroll
    for (unsigned step = 0; step < kSteps; ++step)
        chain[step + 1] = follow(next, chain[step]);
    // The last element first, as only the end of the chain gives it: nothing can be added up on the way.
    unsigned mixture = chain[kSteps];
#pragma unroll
    for (unsigned step = kSteps; step > 0; --step)
        mixture = (mixture * 33) ^ chain[step - 1];
    last[thread] = mixture;
}

struct IsMixture {
    const unsigned* last;
    std::size_t size;
    __device__ bool operator()(std::size_t i) const {
        auto mixture = static_cast<unsigned>(elementAfter(i, kSteps, size));
        for (unsigned step = kSteps; step > 0; --step)
            mixture = (mixture * 33) ^ static_cast<unsigned>(elementAfter(i, step - 1, size));
        return last[i] == mixture;
    }
};

template <int kCap>
void launch(Chains& c) {
    followChainsKeepingAll<kCap><<<c.threads() / kBlock, kBlock>>>(c.next.data(), c.last.data(), c.threads());
}

template <int kCap>
CheckResult check(Chains& c) {
    poison(c);
    launch<kCap>(c);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(c.last.size(), IsMixture{c.last.data(), c.last.size()},
                     "last[i] == the mixture of the chain from i");
}

template <int kCap>
std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> all = answersChains(size, kSteps);
    all.push_back({.metric = "registers_per_thread",
                   .relation = "<=",
                   .value = kCap,
                   .why = "the kernel's attribute caps its registers"});
    // The assembler spills; PTX, which the emulator runs, has as many registers as one likes.
    if (kCap < kSteps)
        all.push_back(
            onGpu(atLeast("local_sectors", static_cast<double>(size / 32 * (kSteps - kCap) * 8),
                          "96 elements don't fit into the registers; each that is spilled is written "
                          "and read, 4 sectors per warp")));
    else
        all.push_back(exactly("local_sectors", 0, "96 elements fit into the registers"));
    return all;
}

template <int kCap>
Row<Chains> row() {
    return {{.name = "registers/" + std::to_string(kCap),
             .shows = "96 live values under a cap of " + std::to_string(kCap) +
                      " registers per thread: spills against warps",
             .knownAnswers = answers<kCap>,
             .parameters = {"registers=" + std::to_string(kCap)},
             .sweep = "registers"},
            launch<kCap>,
            check<kCap>,
            [](Chains&) { return occupancyByRuntime(followChainsKeepingAll<kCap>, kBlock, 0); }};
}

} // namespace

Group registersGroup() {
    return groupOf<Chains>({row<32>(), row<40>(), row<48>(), row<64>(), row<80>(), row<128>()}, kSizes,
                           roundSize, deviceBytes, [](std::size_t size) {
                               std::vector<std::string> all = parameters(size);
                               all.push_back("block=" + std::to_string(kBlock));
                               return all;
                           });
}

} // namespace dormer::kernels::occupancy
