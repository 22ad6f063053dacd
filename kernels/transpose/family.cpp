// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transpose/groups.h"

namespace dormer::kernels {

Family transposeFamily() {
    return {
        .name = "transpose",
        .title = "Matrix transposition",
        .shows = "What the order of accesses costs in global memory, and the order of words in shared memory",
        .groups = {transposeNaiveGroup(), transposeTiledGroup(), transposeNaive16Group(),
                   transposeTiled16Group()},
        .lookAt =
            "A transpose moves the bytes of a copy, so copy_row is the mark. Look at "
            "global_load_sectors_per_request and global_store_sectors_per_request first: a warp down a "
            "column "
            "requests 32 sectors (16 in blocks of 16 x 16; ideal 4). L1 takes some of it back, since "
            "the next columns lie in the same sectors (l1_hit_rate); without it, in the variants that end in "
            "_cg, L2 has to serve them all (l2_bytes). A tile in shared memory makes both sides coalesced "
            "and "
            "leaves bank conflicts, to be seen in shared_load_ways: 32 for tiled, 1 with a word of padding "
            "or "
            "a swizzle. In blocks of 16 x 16 a warp has two rows, and padding by one word leaves 2 ways.",
        .reference = {{"copy_row, 16384 x 16384, blocks of 16 x 16, RTX 3090",
                       "2.58 ms, 831 GB/s, 91 % of DRAM peak"},
                      {"copy_col, the same", "4.75 ms, 75 % L1 hits"},
                      {"naive_row, the same", "4.74 ms"},
                      {"naive_col, the same", "3.83 ms, 75 % L1 hits (with L1 off 75 % L2 hits)"}},
        .figures = {"duration_ns", "dram_bytes_per_second", "global_load_sectors_per_request",
                    "global_store_sectors_per_request", "l1_hit_rate", "l2_hit_rate", "shared_load_ways"}};
}

} // namespace dormer::kernels
