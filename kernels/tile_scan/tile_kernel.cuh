// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/tile_scan/tiles.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>

namespace dormer::kernels {

/// A thread block's tile, scanned by three collectives that take turns in the same shared memory.
template <int kBlock, int kItems, cub::BlockLoadAlgorithm kLoad, cub::CacheLoadModifier kModifier,
          cub::BlockStoreAlgorithm kStore, cub::BlockScanAlgorithm kScan>
__global__ void __launch_bounds__(kBlock) scanTiles(const int* in, int* out) {
    using Load = cub::BlockLoad<int, kBlock, kItems, kLoad>;
    using Scan = cub::BlockScan<int, kBlock, kScan>;
    using Store = cub::BlockStore<int, kBlock, kItems, kStore>;
    // They never work at the same time, so the largest of them decides what the block takes.
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } shared;

    const std::size_t begin = std::size_t{blockIdx.x} * kBlock * kItems;
    int items[kItems]; // neighbours in the tile: a blocked arrangement, which is what a scan needs
    Load(shared.load).Load(cub::CacheModifiedInputIterator<kModifier, int>(in + begin), items);
    __syncthreads(); // before the scan writes where other threads still read what was loaded
    Scan(shared.scan).InclusiveSum(items, items);
    __syncthreads(); // and the same before the store
    Store(shared.store).Store(out + begin, items);
}

constexpr cub::BlockLoadAlgorithm loadOf(TileAccess access) {
    return access == TileAccess::Direct      ? cub::BLOCK_LOAD_DIRECT
           : access == TileAccess::Vectorize ? cub::BLOCK_LOAD_VECTORIZE
           : access == TileAccess::Transpose ? cub::BLOCK_LOAD_TRANSPOSE
                                             : cub::BLOCK_LOAD_WARP_TRANSPOSE;
}
constexpr cub::BlockStoreAlgorithm storeOf(TileAccess access) {
    return access == TileAccess::Direct      ? cub::BLOCK_STORE_DIRECT
           : access == TileAccess::Vectorize ? cub::BLOCK_STORE_VECTORIZE
           : access == TileAccess::Transpose ? cub::BLOCK_STORE_TRANSPOSE
                                             : cub::BLOCK_STORE_WARP_TRANSPOSE;
}
constexpr cub::CacheLoadModifier modifierOf(TileModifier modifier) {
    return modifier == TileModifier::Default ? cub::LOAD_DEFAULT
           : modifier == TileModifier::Ldg   ? cub::LOAD_LDG
           : modifier == TileModifier::Cg    ? cub::LOAD_CG
                                             : cub::LOAD_CS;
}
constexpr cub::BlockScanAlgorithm scanOf(TileScan scan) {
    return scan == TileScan::Raking    ? cub::BLOCK_SCAN_RAKING
           : scan == TileScan::Memoize ? cub::BLOCK_SCAN_RAKING_MEMOIZE
                                       : cub::BLOCK_SCAN_WARP_SCANS;
}

/// The row of a point, with the kernel made for it.
template <int kBlock, int kItems, TileAccess kAccess = TileAccess::Transpose,
          TileModifier kModifier = TileModifier::Default, TileScan kScan = TileScan::WarpScans>
Row<Tiles> tilePoint() {
    return tileRow({kBlock, kItems, kAccess, kModifier, kScan}, [](Tiles& tiles) {
        // The size is a multiple of every point's tile.
        const auto blocks = static_cast<unsigned>(tiles.in.size() / (kBlock * kItems));
        scanTiles<kBlock, kItems, loadOf(kAccess), modifierOf(kModifier), storeOf(kAccess), scanOf(kScan)>
            <<<blocks, kBlock>>>(tiles.in.data(), tiles.out.data());
    });
}

} // namespace dormer::kernels
