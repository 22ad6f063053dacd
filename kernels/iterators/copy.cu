// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/iterators/groups.h"

#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;

// What the iterators are decides how the element is fetched and left; the kernel doesn't know.
template <typename In, typename Out>
__global__ void copyElements(In in, Out out) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    out[i] = in[i];
}

struct IsCopy {
    const int *in, *out;
    __device__ bool operator()(std::size_t i) const { return out[i] == in[i]; }
};

struct Number {
    std::uint64_t seed;
    __device__ int operator()(std::size_t i) const { return static_cast<int>(mixed(seed, i) >> 33); }
};

struct Copies {
    explicit Copies(const Setup& setup) : in(setup.size), out(setup.size) { fill(in, Number{setup.seed}); }
    DeviceBuffer<int> in, out;
};

using Pointer = int*;
template <cub::CacheLoadModifier kModifier>
using Load = cub::CacheModifiedInputIterator<kModifier, int>;
template <cub::CacheStoreModifier kModifier>
using Store = cub::CacheModifiedOutputIterator<kModifier, int>;

template <typename In, typename Out>
void launch(Copies& c) {
    const auto blocks = static_cast<unsigned>(c.in.size() / kBlock);
    copyElements<<<blocks, kBlock>>>(In{c.in.data()}, Out{c.out.data()});
}

std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "a modifier changes where a sector is kept, not which are requested",
                      kCoalescedSectors, "a modifier changes where a sector is kept, not which are written");
    answers.push_back(
        exactly("global_load_sectors", static_cast<double>(size) / 8, "each element once, 8 to a sector"));
    answers.push_back(
        exactly("global_store_sectors", static_cast<double>(size) / 8, "each element once, 8 to a sector"));
    return answers;
}

/// `parameters`: which modifiers.
template <typename In, typename Out>
Row<Copies> row(std::string name, std::string shows, std::string load, std::string store) {
    return {{.name = std::move(name),
             .shows = std::move(shows),
             .knownAnswers = answers,
             .parameters = {"load=" + load, "store=" + store},
             .good = true},
            launch<In, Out>,
            [](Copies& c) {
                // The variants share the output.
                CUDA_CHECK(cudaMemset(c.out.data(), 0xFF, c.out.bytes()));
                launch<In, Out>(c);
                CUDA_CHECK(cudaGetLastError());
                return checkEach(c.in.size(), IsCopy{c.in.data(), c.out.data()}, "out[i] == in[i]");
            }};
}

std::vector<Row<Copies>> rows() {
    return {
        row<Pointer, Pointer>("copy_plain",
                              "plain pointers on both sides: what the iterators are compared with", "plain",
                              "plain"),
        row<Load<cub::LOAD_DEFAULT>, Pointer>(
            "copy_load_default", "an iterator without a modifier costs nothing", "default", "plain"),
        row<Load<cub::LOAD_LDG>, Pointer>(
            "copy_load_ldg", "loads promise that nobody writes meanwhile (ld.global.nc)", "ldg", "plain"),
        row<Load<cub::LOAD_CA>, Pointer>("copy_load_ca", "loads ask for keeping in all caches (ld.ca)", "ca",
                                         "plain"),
        row<Load<cub::LOAD_CG>, Pointer>("copy_load_cg", "loads pass L1 by and are kept in L2 only (ld.cg)",
                                         "cg", "plain"),
        row<Load<cub::LOAD_CS>, Pointer>("copy_load_cs",
                                         "loads say that the data is used once: first to be evicted (ld.cs)",
                                         "cs", "plain"),
        row<Load<cub::LOAD_CV>, Pointer>("copy_load_cv", "loads fetch again whatever is cached (ld.cv)", "cv",
                                         "plain"),
        row<Pointer, Store<cub::STORE_DEFAULT>>(
            "copy_store_default", "an output iterator without a modifier costs nothing", "plain", "default"),
        row<Pointer, Store<cub::STORE_WB>>(
            "copy_store_wb", "stores wait in the cache to be written back (st.wb)", "plain", "wb"),
        row<Pointer, Store<cub::STORE_CG>>("copy_store_cg", "stores are kept in L2 only (st.cg)", "plain",
                                           "cg"),
        row<Pointer, Store<cub::STORE_CS>>("copy_store_cs", "stores say that nobody reads them soon (st.cs)",
                                           "plain", "cs"),
        row<Pointer, Store<cub::STORE_WT>>("copy_store_wt", "stores are written through to memory (st.wt)",
                                           "plain", "wt"),
    };
}

} // namespace

Group iteratorsCopyGroup() {
    return groupOf<Copies>(
        rows(), Sizes{std::size_t{1} << 25, std::size_t{1} << 21},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return 2 * size * sizeof(int); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
                                            "type=int"};
        });
}

} // namespace dormer::kernels
