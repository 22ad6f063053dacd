// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/spaces/groups.h"

namespace dormer::kernels {

Family spacesFamily() {
    return {.name = "spaces",
            .title = "Constant, texture, local and static memory",
            .shows = "What the other memory spaces are good at, and how registers end up in memory",
            .groups = {spaces::constantGroup(), spaces::textureGroup(), spaces::localGroup(),
                       spaces::spillingGroup(), spaces::staticGlobalGroup()},
            .lookAt =
                "The constant_ variants make no global sectors at all; only duration_ns on a GPU tells that "
                "constant memory serves one word at a time (the emulator predicts no difference), so tables "
                "that lanes index differently belong in global or shared memory. local_sectors should be 0 "
                "wherever nobody requested local memory: compare local_array with register_array, where only "
                "the place of the run-time index differs, and local_spill with registers, where a cap buys "
                "occupancy (theoretical_occupancy) at the price of spills. texture_2d shows no global loads, "
                "because fetches take a path of their own; global_2d shows what the same reads are in rows: "
                "sectors per request rise from 4 to 8 when a patch of 8 x 4 texels is shifted."};
}

} // namespace dormer::kernels
