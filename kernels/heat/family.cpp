// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/heat/groups.h"

namespace dormer::kernels {

Family heatFamily() {
    return {.name = "heat",
            .title = "A step of the heat equation",
            .shows = "Parallelism alone: the same work by one thread, two, a block and the whole device",
            .groups = {heatSerialGroup(), heatOneBlockGroup(), heatGridGroup(), heatCubGroup(),
                       heatThrustGroup()},
            .lookAt =
                "Compare flops_fp32_per_second: the arithmetic is the same everywhere, and the sizes differ "
                "because one thread would take seconds for what the device does in microseconds. One thread "
                "waits for each load before it asks for the next (verdict: latency, waves far below 1); "
                "nothing in its code is slow. Two threads of one warp take about half of the time, because a "
                "warp's instruction costs the same for one lane as for 32. A block of 256 fills one "
                "multiprocessor of many. Only a grid has enough loads on their way to keep DRAM busy: then "
                "the verdict is memory, and neither CUB nor Thrust can do much better.",
            .reference = {{"single_thread, about 4 million cells", "4.15 s"},
                          {"two_threads, about 4 million cells", "2.6 s"},
                          {"one_block_256, about 4 million cells", "0.037 s"},
                          {"cub_transform, about 4 million cells", "43 us"}},
            .figures = {"duration_ns", "flops_fp32_per_second", "waves", "dram_bytes_per_second"}};
}

} // namespace dormer::kernels
