// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/shared/groups.h"

namespace dormer::kernels {

namespace {

SweepFacts strideSweep(const std::string& name, const std::string& title) {
    return {.name = name,
            .title = title,
            .parameters = {"stride"},
            .metrics = {"shared_load_ways", "shared_load_wavefronts", "duration_ns"}};
}

} // namespace

Family sharedFamily() {
    return {
        .name = "shared",
        .title = "Shared memory: banks and amounts",
        .shows =
            "How the addresses of a warp's lanes fall into the 32 banks, and what shared memory costs in "
            "occupancy",
        .groups = {sharedStrideGroup(), sharedPatternGroup(), sharedAllocationGroup(), sharedCarveoutGroup()},
        .lookAt =
            "Look at shared_load_ways: shared-memory wavefronts over the ideal for as many bytes. It is the "
            "largest number of different words in one bank, and duration_ns follows it. A stride of 33 is as "
            "good as one of 1: odd strides meet all banks, which is why a column of padding helps. 8-byte "
            "words go by halves of a warp and 16-byte words by quarters, so that wide loads suffer less from "
            "a stride. Of the amount, look at shared_bytes_per_block against theoretical_occupancy: along "
            "shared/dynamic fewer and fewer blocks fit into an SM. The carve-out decides how much of the "
            "memory of an SM is shared and how much is L1; too small a share keeps blocks out. "
            "(The emulator gives every launch the split that holds its blocks, whatever is preferred.)",
        .sweeps =
            {strideSweep("stride", "Bank conflicts of 4-byte loads K elements apart"),
             strideSweep("stride_8", "Bank conflicts of 8-byte loads K elements apart"),
             strideSweep("stride_16", "Bank conflicts of 16-byte loads K elements apart"),
             {.name = "dynamic",
              .title = "Occupancy of blocks with N KB of shared memory",
              .parameters = {"kilobytes"},
              .metrics = {"theoretical_occupancy", "achieved_occupancy", "blocks_per_sm", "duration_ns"}},
             {.name = "carveout",
              .title = "Occupancy where P % are preferred to be shared memory",
              .parameters = {"percent"},
              .metrics = {"theoretical_occupancy", "achieved_occupancy", "blocks_per_sm", "duration_ns"}}},
        .reference = {{"stride of 1, 2 and 32 words, 4 bytes per lane", "1, 2 and 32 ways"},
                      {"odd strides", "1 way"},
                      {"columns of an array [32][33]", "1 way"},
                      {"all lanes on one word", "1 way: it is broadcast"}},
        .figures = {"shared_load_ways", "shared_bytes_per_block", "theoretical_occupancy",
                    "achieved_occupancy", "duration_ns"}};
}

} // namespace dormer::kernels
