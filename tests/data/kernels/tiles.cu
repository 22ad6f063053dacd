// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Groups of threads larger than a warp; tiles.ptx is this file compiled by scripts/test-kernels.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// Of each tile: the sum of all ranks, whether any is 77, what rank 5 holds.
template <unsigned size>
__device__ void inTiles(int* out) {
    __shared__ cg::block_tile_memory<1024> scratch;
    const cg::thread_block block = cg::this_thread_block(scratch);
    const auto tile = cg::tiled_partition<size>(block);
    const int rank = tile.thread_rank();
    tile.sync();
    const int sum = cg::reduce(tile, rank, cg::plus<int>());
    const bool any = tile.any(rank == 77);
    const int fifth = tile.shfl(rank + 1000 * tile.meta_group_rank(), 5);
    if (rank == static_cast<int>(size) - 1) {
        int* mine = out + 3 * tile.meta_group_rank();
        mine[0] = sum;
        mine[1] = any;
        mine[2] = fifth;
    }
}

extern "C" __global__ void tilesOf64(int* out) {
    inTiles<64>(out);
}
extern "C" __global__ void tilesOf512(int* out) {
    inTiles<512>(out);
}
