// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/answers.h"
#include "kernels/comparison.cuh"
#include "kernels/inputs.cuh"
#include "kernels/table.h"

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;

__global__ void sumCoalesced(cuda::std::span<const float> a, cuda::std::span<const float> b,
                             cuda::std::span<float> c) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < c.size()) c[i] = a[i] + b[i];
}

// The same work dealt out the other way: a thread's neighbour in the warp works gridDim.x elements further
// on.
__global__ void sumUncoalesced(cuda::std::span<const float> a, cuda::std::span<const float> b,
                               cuda::std::span<float> c) {
    const unsigned i = blockIdx.x + gridDim.x * threadIdx.x;
    if (i < c.size()) c[i] = a[i] + b[i];
}

struct IsSum {
    const float *a, *b, *c;
    __device__ bool operator()(std::size_t i) const { return c[i] == a[i] + b[i]; }
};

enum : std::size_t { kCoalesced, kUncoalesced };

struct Vectors {
    explicit Vectors(const Setup& setup) : a(setup.size), b(setup.size) {
        fill(a, Uniform<float>{setup.seed, 1});
        fill(b, Uniform<float>{setup.seed + 1, 1});
        if (setup.runs(kCoalesced)) coalesced = DeviceBuffer<float>(setup.size);
        if (setup.runs(kUncoalesced)) uncoalesced = DeviceBuffer<float>(setup.size);
    }
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(cuda::ceil_div(a.size(), kBlock)); }
    [[nodiscard]] CheckResult check(const DeviceBuffer<float>& c) const {
        return checkEach(c.size(), IsSum{a.data(), b.data(), c.data()}, "c[i] == a[i] + b[i]");
    }

    DeviceBuffer<float> a, b;
    DeviceBuffer<float> coalesced, uncoalesced;
};

void launchCoalesced(Vectors& v) {
    sumCoalesced<<<v.blocks(), kBlock>>>(v.a.view(), v.b.view(), v.coalesced.span());
}
void launchUncoalesced(Vectors& v) {
    sumUncoalesced<<<v.blocks(), kBlock>>>(v.a.view(), v.b.view(), v.uncoalesced.span());
}

std::vector<Expectation> answersCoalesced(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back(exactly("flops_fp32", static_cast<double>(size), "one addition per element"));
    return answers;
}

std::vector<Expectation> answersUncoalesced(std::size_t size) {
    std::vector<Expectation> answers = globalSectors(
        kScatteredSectors, "the lanes are gridDim.x >= 8 floats apart, each in a sector of its own",
        kScatteredSectors, "the lanes are gridDim.x >= 8 floats apart, each in a sector of its own");
    answers.push_back(exactly("flops_fp32", static_cast<double>(size), "one addition per element"));
    return answers;
}

std::vector<Row<Vectors>> rows() {
    return {
        {{"coalesced", "neighbouring threads touch neighbouring words: 4 sectors a request",
          answersCoalesced},
         launchCoalesced,
         [](Vectors& v) { return v.check(v.coalesced); }},
        {{"uncoalesced", "neighbouring threads touch words gridDim.x apart: 32 sectors a request",
          answersUncoalesced},
         launchUncoalesced,
         [](Vectors& v) { return v.check(v.uncoalesced); }},
    };
}

// Whole blocks keep every lane busy; eight of them put the lanes of `uncoalesced` a sector apart.
std::size_t roundSize(std::size_t wanted) {
    return roundUp(wanted, kBlock * std::size_t{8});
}

std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock), "type=float"};
}

} // namespace

Family vectorSumFamily() {
    return {"vector_sum",
            "Sum of two vectors",
            "Coalescing alone: the same additions with the lanes of a warp side by side or far apart",
            {groupOf<Vectors>(
                rows(), Sizes{std::size_t{1} << 24, std::size_t{1} << 22}, roundSize,
                [](std::size_t size) { return 4 * size * sizeof(float); }, parameters)}};
}

} // namespace dormer::kernels
