// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/occupancy/groups.h"

namespace dormer::kernels {

Family occupancyFamily() {
    return {
        .name = "occupancy",
        .title = "Occupancy and its limits",
        .shows = "Loads that wait for each other need many warps; block size, registers and shared memory "
                 "limit how many an SM holds",
        .groups = {occupancy::blockGroup(), occupancy::registersGroup(), occupancy::sharedGroup()},
        .lookAt =
            "Compare theoretical_occupancy, which the launch alone decides, with achieved_occupancy and "
            "with duration_ns. Every load here gives the address of the next, so that a warp waits most of "
            "the time: half the warps take nearly twice as long until L2 is busy. block/ shows the limits "
            "on blocks and on threads of an SM, and blocks that leave a remainder; shared/ the share of an "
            "SM that each block holds; registers/ that more warps are no use if what was in registers must "
            "be fetched from local memory instead (local_sectors).",
        .sweeps = {
            {.name = "block",
             .title = "Chained loads in blocks of different sizes",
             .parameters = {"block"},
             .metrics = {"duration_ns", "theoretical_occupancy", "achieved_occupancy", "blocks_per_sm"},
             .best = "lowest"},
            {.name = "registers",
             .title = "96 live values under a cap on registers",
             .parameters = {"registers"},
             .metrics = {"duration_ns", "theoretical_occupancy", "registers_per_thread", "local_sectors"},
             .best = "lowest"},
            {.name = "shared",
             .title = "Chained loads in blocks that hold shared memory",
             .parameters = {"shared"},
             .metrics = {"duration_ns", "theoretical_occupancy", "achieved_occupancy", "blocks_per_sm"},
             .best = "lowest"}}};
}

} // namespace dormer::kernels
