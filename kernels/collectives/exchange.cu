// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/collectives/groups.h"
#include "kernels/collectives/tiles.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"

#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

#include <utility>

namespace dormer::kernels {

namespace {

// A thread sums up kItems neighbours. Lanes that read neighbours (striped) don't have them, so the tile goes
// through shared memory: striped to blocked, and back to write side by side. Blocked, lane l begins at word
// kItems x l.

template <unsigned kItems>
__device__ void sumInPlace(unsigned (&items)[kItems]) {
    for (unsigned i = 1; i < kItems; ++i)
        items[i] += items[i - 1];
}

// CUB puts a word of padding behind every 32 if the items are a larger power of two than 4.
template <unsigned kItems>
__global__ void exchangeCub(cuda::std::span<const unsigned> in, cuda::std::span<unsigned> out) {
    using Exchange = cub::BlockExchange<unsigned, kTileBlock, kItems>;
    __shared__ typename Exchange::TempStorage storage;
    const std::size_t first = std::size_t{blockIdx.x} * kTileBlock * kItems;
    unsigned items[kItems];
    cub::LoadDirectStriped<kTileBlock>(threadIdx.x, in.data() + first, items);
    Exchange(storage).StripedToBlocked(items, items);
    sumInPlace(items);
    __syncthreads(); // all have read before the storage is used again
    Exchange(storage).BlockedToStriped(items, items);
    cub::StoreDirectStriped<kTileBlock>(threadIdx.x, out.data() + first, items);
}

// The same without padding. Volatile keeps the compiler from merging a thread's neighbouring words to one
// wide access, which would have no conflicts.
template <unsigned kItems>
__global__ void exchangeByHand(cuda::std::span<const unsigned> in, cuda::std::span<unsigned> out) {
    __shared__ volatile unsigned tile[kTileBlock * kItems];
    const std::size_t first = std::size_t{blockIdx.x} * kTileBlock * kItems;
    volatile unsigned* const striped = &tile[threadIdx.x];
    volatile unsigned* const blocked = &tile[threadIdx.x * kItems];
    unsigned items[kItems];
    cub::LoadDirectStriped<kTileBlock>(threadIdx.x, in.data() + first, items);
    for (unsigned i = 0; i < kItems; ++i)
        striped[i * kTileBlock] = items[i];
    __syncthreads();
    for (unsigned i = 0; i < kItems; ++i)
        items[i] = blocked[i];
    sumInPlace(items);
    for (unsigned i = 0; i < kItems; ++i)
        blocked[i] = items[i]; // the words that only this thread has read
    __syncthreads();
    for (unsigned i = 0; i < kItems; ++i)
        items[i] = striped[i * kTileBlock];
    cub::StoreDirectStriped<kTileBlock>(threadIdx.x, out.data() + first, items);
}

using Kernel = void (*)(cuda::std::span<const unsigned>, cuda::std::span<unsigned>);

struct Number {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i) >> 48);
    }
};

struct AreSumsOfNeighbours {
    const unsigned *in, *out;
    unsigned items;
    __device__ bool operator()(std::size_t i) const {
        return out[i] == (i % items == 0 ? 0 : out[i - 1]) + in[i];
    }
};

struct Exchanged {
    explicit Exchanged(const Setup& setup) : in(setup.size), out(setup.size) { fill(in, Number{setup.seed}); }

    DeviceBuffer<unsigned> in, out; ///< `out` is shared by the variants
};

template <Kernel kKernel, unsigned kItems>
void launch(Exchanged& e) {
    kKernel<<<static_cast<unsigned>(e.in.size() / (kTileBlock * kItems)), kTileBlock>>>(e.in.view(),
                                                                                        e.out.span());
}

template <Kernel kKernel, unsigned kItems>
CheckResult check(Exchanged& e) {
    CUDA_CHECK(cudaMemset(e.out.data(), 0xFF, e.out.bytes()));
    launch<kKernel, kItems>(e);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(e.in.size(), AreSumsOfNeighbours{e.in.data(), e.out.data(), kItems},
                     "out[i] is the sum of its thread's items up to i");
}

/// Wavefronts of an element's four accesses: striped and blocked, stored and loaded.
std::vector<Expectation> answers(std::size_t size, const std::string& relation, unsigned ways,
                                 const std::string& why) {
    std::vector<Expectation> all = globalSectors(kCoalescedSectors, "striped lanes read neighbours",
                                                 kCoalescedSectors, "striped lanes write neighbours");
    for (const char* metric : {"shared_load_wavefronts", "shared_store_wavefronts"})
        all.push_back({.metric = metric,
                       .relation = relation,
                       .value = static_cast<double>(size / 32) * (1 + ways),
                       .why = "striped one wavefront per warp, blocked " + why});
    return all;
}

template <unsigned kItems>
std::vector<Expectation> answersByHand(std::size_t size) {
    std::vector<Expectation> all =
        answers(size, "==", strideWays(kItems), "as many as lanes share a bank: gcd(items, 32)");
    const double ways = (1.0 + strideWays(kItems)) / 2;
    all.push_back(exactly("shared_ways", ways, "half of the accesses are striped, half blocked"));
    return all;
}

template <unsigned kItems>
std::vector<Expectation> answersCub(std::size_t size) {
    constexpr unsigned kWays = strideWays(kItems);
    if constexpr (kWays == 1) return answers(size, "==", 1, "one: the items are odd");
    // Without padding, but CUB's words are aligned, so that the compiler may merge them to wide accesses.
    if constexpr (kItems <= 4) return answers(size, "<=", kWays, "at most as many as lanes share a bank");
    std::vector<Expectation> all = answers(size, "==", 1, "one: the padding puts 32 lanes into 32 banks");
    all.push_back(comparedTo("collectives/exchange_by_hand/" + std::to_string(kItems), "shared_wavefronts",
                             "<=", 2.0 / (1 + kWays), "one way instead of gcd(items, 32)"));
    if (kItems == 16)
        all.push_back(comparedTo("collectives/exchange_by_hand/16", "duration_ns", "<=", 0.9,
                                 "the wavefronts of 16-way conflicts take longer than DRAM"));
    return all;
}

template <unsigned kItems>
Row<Exchanged> rowCub() {
    const std::string items = std::to_string(kItems);
    return {{.name = "exchange/" + items,
             .shows = "cub::BlockExchange of " + items + " items a thread, striped to blocked and back",
             .knownAnswers = answersCub<kItems>,
             .parameters = {"items=" + items},
             .sweep = "exchange",
             .good = true},
            launch<exchangeCub<kItems>, kItems>,
            check<exchangeCub<kItems>, kItems>};
}

template <unsigned kItems>
Row<Exchanged> rowByHand() {
    const std::string items = std::to_string(kItems);
    const bool conflicts = strideWays(kItems) > 1;
    return {{.name = "exchange_by_hand/" + items,
             .shows = "the same by hand without padding: blocked accesses are " +
                      std::to_string(strideWays(kItems)) + "-way",
             .knownAnswers = answersByHand<kItems>,
             .parameters = {"items=" + items},
             .sweep = "exchange_by_hand",
             .better = conflicts ? "collectives/exchange/" + items : "",
             .good = !conflicts},
            launch<exchangeByHand<kItems>, kItems>,
            check<exchangeByHand<kItems>, kItems>};
}

template <std::size_t... kPoint>
std::vector<Row<Exchanged>> rows(std::index_sequence<kPoint...>) {
    return {rowCub<kExchangeItems[kPoint]>()..., rowByHand<kExchangeItems[kPoint]>()...};
}

} // namespace

Group collectiveExchangeGroup() {
    return groupOf<Exchanged>(
        rows(std::make_index_sequence<std::size(kExchangeItems)>()), kExchangeSize,
        [](std::size_t wanted) { return roundUp(wanted, kExchangeStep); },
        [](std::size_t size) { return 2 * size * sizeof(unsigned); }, tileParameters);
}

} // namespace dormer::kernels
