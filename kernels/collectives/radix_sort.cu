// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/collectives/groups.h"
#include "kernels/collectives/tiles.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

namespace dormer::kernels {

namespace {

constexpr unsigned kTile = kTileBlock * kSortItems;
constexpr unsigned kBits = 16;

// Sorts each tile by key and carries along where each key was. Loading turns the tile in shared memory, so
// that a thread gets neighbours although the lanes read side by side; the sort leaves it striped, so that
// they write side by side, too.
__global__ void sortTiles(cuda::std::span<const unsigned> keys, cuda::std::span<unsigned> sorted,
                          cuda::std::span<unsigned> places) {
    using Load = cub::BlockLoad<unsigned, kTileBlock, kSortItems, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<unsigned, kTileBlock, kSortItems, unsigned>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
    } storage; // one after the other in the same words

    const std::size_t first = std::size_t{blockIdx.x} * kTile;
    unsigned key[kSortItems];
    unsigned place[kSortItems];
    Load(storage.load).Load(keys.data() + first, key);
    for (unsigned i = 0; i < kSortItems; ++i)
        place[i] = threadIdx.x * kSortItems + i;
    __syncthreads();
    Sort(storage.sort).SortBlockedToStriped(key, place, 0, kBits);
    cub::StoreDirectStriped<kTileBlock>(threadIdx.x, sorted.data() + first, key);
    cub::StoreDirectStriped<kTileBlock>(threadIdx.x, places.data() + first, place);
}

/// So few different keys that some meet in a tile: then their order tells whether the sort is stable.
struct Key {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i) >> (64 - kBits));
    }
};

/// Each key is the one that its place names, and pairs of key and place ascend strictly: so no place comes
/// twice, all come, and equal keys kept their order.
struct AreSorted {
    const unsigned *keys, *sorted, *places;
    __device__ bool operator()(std::size_t i) const {
        const std::size_t first = i / kTile * kTile;
        if (places[i] >= kTile || sorted[i] != keys[first + places[i]]) return false;
        if (i == first) return true;
        return sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && places[i - 1] < places[i]);
    }
};

struct Tiles {
    explicit Tiles(const Setup& setup) : keys(setup.size), sorted(setup.size), places(setup.size) {
        fill(keys, Key{setup.seed});
    }

    DeviceBuffer<unsigned> keys;
    DeviceBuffer<unsigned> sorted, places;
};

std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> all = globalSectors(kCoalescedSectors, "32 lanes read neighbours",
                                                 kCoalescedSectors, "32 lanes write neighbours");
    all.insert(all.end(),
               {exactly("global_load_sectors", static_cast<double>(size / 8),
                        "each key is loaded once, 8 to a sector"),
                exactly("global_store_sectors", static_cast<double>(size / 8 * 2),
                        "keys and places are stored once, 8 to a sector"),
                exactly("flops_fp32", 0, "comparing digits is no floating-point work"),
                atLeast("shared_store_wavefronts", static_cast<double>(size / 32) * 2 * (kBits / 4),
                        "4 passes over digits of 4 bits, each of which moves key and place through shared "
                        "memory")});
    return all;
}

std::vector<Row<Tiles>> rows() {
    return {
        {{.name = "radix_sort",
          .shows = "cub::BlockRadixSort of tiles of 1024 keys: everything happens in shared memory",
          .knownAnswers = answers,
          .parameters = {"items=4", "bits=16"}},
         [](Tiles& t) {
             sortTiles<<<static_cast<unsigned>(t.keys.size() / kTile), kTileBlock>>>(
                 t.keys.view(), t.sorted.span(), t.places.span());
         },
         [](Tiles& t) {
             return checkEach(t.keys.size(), AreSorted{t.keys.data(), t.sorted.data(), t.places.data()},
                              "keys ascend within each tile, equal ones in their old order,");
         }},
    };
}

} // namespace

Group collectiveRadixSortGroup() {
    return groupOf<Tiles>(
        rows(), kSortSize, [](std::size_t wanted) { return roundUp(wanted, kTile); },
        [](std::size_t size) { return 3 * size * sizeof(unsigned); }, tileParameters);
}

} // namespace dormer::kernels
