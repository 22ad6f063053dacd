// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/spaces/groups.h"

namespace dormer::kernels::spaces {

namespace {

// Every thread turns its 16 words round by `shift` places. Word k of all threads lies side by side.
constexpr unsigned kWords = 16;

// Registers have no addresses: an array whose index is known only at run time must live in local memory,
// which is global memory that each thread has for itself.
__global__ void rotateLocalArray(const unsigned* in, unsigned* out, unsigned threads, unsigned shift) {
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned words[kWords];
#pragma unroll
    for (unsigned k = 0; k < kWords; ++k)
        words[k] = in[k * threads + thread];
#pragma unroll
    for (unsigned k = 0; k < kWords; ++k)
        out[k * threads + thread] = words[(k + shift) % kWords];
}

// The same with the run-time index moved to where addresses are free: each register is known when the kernel
// is compiled, and the place it is written to is turned instead.
__global__ void rotateRegisters(const unsigned* in, unsigned* out, unsigned threads, unsigned shift) {
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned words[kWords];
#pragma unroll
    for (unsigned k = 0; k < kWords; ++k)
        words[k] = in[k * threads + thread];
#pragma unroll
    for (unsigned k = 0; k < kWords; ++k)
        out[((k + kWords - shift) % kWords) * threads + thread] = words[k];
}

struct IsRotated {
    const unsigned *in, *out;
    std::size_t threads;
    unsigned shift;
    __device__ bool operator()(std::size_t i) const {
        const std::size_t from = (i / threads + shift) % kWords;
        return out[i] == in[from * threads + i % threads];
    }
};

struct Word {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const { return static_cast<unsigned>(mixed(seed, i)); }
};

struct Words {
    explicit Words(const Setup& setup)
        : in(setup.size)
        , out(setup.size)
        , shift(static_cast<unsigned>(1 + mixed(setup.seed, 0) % (kWords - 1))) {
        fill(in, Word{setup.seed});
    }
    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(in.size() / kWords); }

    DeviceBuffer<unsigned> in;
    DeviceBuffer<unsigned> out; // shared by both variants
    unsigned shift;
};

template <void (*kKernel)(const unsigned*, unsigned*, unsigned, unsigned)>
void launch(Words& w) {
    kKernel<<<w.threads() / kBlock, kBlock>>>(w.in.data(), w.out.data(), w.threads(), w.shift);
}

CheckResult check(Words& w, void (*launch)(Words&)) {
    CUDA_CHECK(cudaMemset(w.out.data(), 0xFF, w.out.bytes()));
    launch(w);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(w.out.size(), IsRotated{w.in.data(), w.out.data(), w.threads(), w.shift},
                     "out[k] == in[(k + shift) % 16] of every thread");
}

std::vector<Expectation> coalesced() {
    return globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                         "32 lanes write 128 neighbouring bytes");
}

std::vector<Expectation> answersLocal(std::size_t size) {
    std::vector<Expectation> answers = coalesced();
    const auto sectors = static_cast<double>(size / 8);
    const std::string why = "the lanes' copies of a word of a local array lie side by side: 8 to a sector";
    answers.push_back(exactly("local_store_sectors", sectors, why));
    answers.push_back(exactly("local_load_sectors", sectors, why));
    return answers;
}

std::vector<Expectation> answersRegisters(std::size_t) {
    std::vector<Expectation> answers = coalesced();
    answers.push_back(noLocalMemory());
    return answers;
}

std::vector<Row<Words>> rows() {
    return {
        {{.name = "local_array",
          .shows = "an array with a run-time index: it lives in local memory, written and read back",
          .knownAnswers = answersLocal,
          .better = "spaces/register_array"},
         launch<rotateLocalArray>,
         [](Words& w) { return check(w, launch<rotateLocalArray>); }},
        {{.name = "register_array",
          .shows = "the same with indices known to the compiler: the array is 16 registers",
          .knownAnswers = answersRegisters,
          .good = true},
         launch<rotateRegisters>,
         [](Words& w) { return check(w, launch<rotateRegisters>); }},
    };
}

} // namespace

Group localGroup() {
    return groupOf<Words>(
        rows(), Sizes{std::size_t{1} << 25, std::size_t{1} << 19},
        [](std::size_t wanted) { return roundUp(wanted, std::size_t{kBlock} * kWords); },
        [](std::size_t size) { return 2 * size * sizeof(unsigned); }, parameters);
}

} // namespace dormer::kernels::spaces
