// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_scan/groups.h"

namespace dormer::kernels {

Family tileScanFamily() {
    return {
        .name = "tile_scan",
        .title = "Tuning a tiled prefix sum",
        .shows =
            "One kernel of three collectives, each with knobs: what threads, items, ways of access and of "
            "scanning do to the same work",
        .groups = {tileScanGroup()},
        .lookAt = "A scan wants each thread to hold neighbouring items, and memory wants each warp to touch "
                  "neighbouring "
                  "words. global_load_sectors_per_request tells who gives way: direct loads take 4 sectors "
                  "times the "
                  "items, up to 32; transposing ones take 4 and exchange the items in shared memory, where "
                  "shared_wavefronts_excess tells what that costs. More items a thread mean fewer scans of "
                  "threads' sums, "
                  "but more registers and shared memory: achieved_occupancy falls. kernel_ns decides in the "
                  "end, and the "
                  "sweep names its lowest; the bound is dram_bytes_per_second, as every item is read and "
                  "written once.",
        .sweeps = {{.name = "tuning",
                    .title = "Threads, items, loads, cache modifiers and scans of tiles",
                    .parameters = {"block", "items", "load", "modifier", "scan"},
                    .metrics = {"kernel_ns", "dram_bytes_per_second", "global_load_sectors_per_request",
                                "global_store_sectors_per_request", "shared_wavefronts_excess",
                                "achieved_occupancy"},
                    .best = "lowest"}},
        .figures = {"kernel_ns", "dram_bytes_per_second", "global_load_sectors_per_request",
                    "shared_wavefronts_excess"}};
}

} // namespace dormer::kernels
