// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

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

// From here on the vectors are larger than the caches and the launches long, so that comparing time tells.
constexpr std::size_t kTimedSize = std::size_t{1} << 23;

std::vector<Expectation> answers(std::size_t size, double sectors, const std::string& whyLoad,
                                 const std::string& whyStore) {
    std::vector<Expectation> answers = globalSectors(sectors, whyLoad, sectors, whyStore);
    answers.push_back(exactly("flops_fp32", static_cast<double>(size), "one addition per element"));
    // 32 lanes make two loads and a store of so many sectors.
    answers.push_back(exactly("l1_bytes", static_cast<double>(size) / 32 * 3 * sectors * 32,
                              "two loads and a store per element, whole sectors at a time"));
    return answers;
}

std::vector<Expectation> answersCoalesced(std::size_t size) {
    return answers(size, kCoalescedSectors, "32 lanes read 128 neighbouring bytes",
                   "32 lanes write 128 neighbouring bytes");
}

std::vector<Expectation> answersUncoalesced(std::size_t size) {
    const std::string apart = "the lanes are gridDim.x >= 8 floats apart, each in a sector of its own";
    std::vector<Expectation> all = answers(size, kScatteredSectors, apart, apart);
    if (size >= kTimedSize)
        all.push_back(comparedTo("vector_sum/coalesced", "duration_ns", ">=", 2,
                                 "eight times as many sectors are moved for the same sums"));
    return all;
}

std::vector<Row<Vectors>> rows() {
    return {
        {{.name = "coalesced",
          .shows = "neighbouring threads touch neighbouring words: 4 sectors per request",
          .knownAnswers = answersCoalesced,
          .good = true},
         launchCoalesced,
         [](Vectors& v) { return v.check(v.coalesced); }},
        {{.name = "uncoalesced",
          .shows = "neighbouring threads touch words gridDim.x apart: 32 sectors per request",
          .knownAnswers = answersUncoalesced,
          .better = "vector_sum/coalesced"},
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
    return {
        .name = "vector_sum",
        .title = "Sum of two vectors",
        .shows = "Coalescing alone: the same additions with the lanes of a warp side by side or far apart",
        .groups = {groupOf<Vectors>(
            rows(), Sizes{std::size_t{1} << 24, std::size_t{1} << 22}, roundSize,
            [](std::size_t size) { return 4 * size * sizeof(float); }, parameters)},
        .lookAt =
            "Look at global_load_sectors_per_request: 4 where a warp's 32 floats lie side by side, 32 where "
            "each has a sector of 32 bytes to itself. Both variants execute the same instructions and ask "
            "for "
            "the same bytes, but uncoalesced makes L1 and L2 move eight times as many (l1_bytes, l2_bytes). "
            "L2 keeps most of that from DRAM: dram_bytes is nearly the same, and yet duration_ns is a "
            "multiple, so the roofline of L2 tells what that of DRAM doesn't.",
        .reference = {{"coalesced, 2^24 floats, RTX 3090", "237 us, 838 GB/s, 92 % of DRAM peak"},
                      {"uncoalesced, 2^24 floats, RTX 3090", "2870 us, 70 GB/s, 8 % of DRAM peak"}},
        .figures = {"duration_ns", "dram_bytes_per_second", "global_load_sectors_per_request", "l2_bytes"}};
}

} // namespace dormer::kernels
