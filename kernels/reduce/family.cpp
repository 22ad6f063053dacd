// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/groups.h"

namespace dormer::kernels {

Family reduceFamily() {
    return {
        .name = "reduce",
        .title = "Sums in four layers",
        .shows = "How threads, warps, blocks and the device add up, and what each exchange costs",
        .groups = {reduceThreadGroup(), reduceWarpGroup(), reduceTreeGroup(), reduceBlockGroup(),
                   reduceDeviceGroup()},
        .lookAt =
            "All variants load the same integers, once (global_load_sectors). What differs is how the "
            "partial sums meet: within a thread nowhere, within a warp by shuffles (shared_wavefronts is "
            "0), within a block through shared memory and barriers. Compare shared_wavefronts of the two "
            "trees: the additions are the same, but words 2, 4, 8, ... apart share banks, and shared_ways "
            "tells how often an access had to be repeated. A logical warp of 12 lanes can't use shuffles "
            "and leaves 8 lanes idle (threads_per_warp). A collective's result is promised to one thread "
            "only: the check says which, and how many of the others happened to have it.",
        .figures = {"duration_ns", "shared_wavefronts", "shared_ways", "threads_per_warp",
                    "dram_bytes_per_second"}};
}

} // namespace dormer::kernels
