// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/collectives/groups.h"

namespace dormer::kernels {

namespace {

SweepFacts exchangeSweep(std::string name, std::string title) {
    return {.name = std::move(name),
            .title = std::move(title),
            .parameters = {"items"},
            .metrics = {"shared_ways", "shared_wavefronts", "duration_ns"}};
}

} // namespace

Family collectivesFamily() {
    return {
        .name = "collectives",
        .title = "Collectives of a block",
        .shows = "Scans, sorts and exchanges within a block: what by hand costs, and what CUB does instead",
        .groups = {collectiveScanGroup(), collectiveReduceByKeyGroup(), collectiveRadixSortGroup(),
                   collectiveExchangeGroup()},
        .lookAt =
            "All global accesses are side by side (4 sectors per request), so what differs happens in shared "
            "memory. Compare shared_wavefronts and warp_instructions of the scans: Kogge and Stone's goes "
            "through shared memory in each of 8 steps, with two barriers each, where warp scans shuffle. In "
            "the exchanges a thread's neighbouring items lie next to each other, so lane l begins at word "
            "items x l: shared_ways follows gcd(items, 32) where nothing is padded, and stays at 1 for odd "
            "numbers and where CUB pads. The sort does all its passes in shared memory: global memory sees "
            "each key once.",
        .sweeps = {exchangeSweep("exchange", "cub::BlockExchange by items a thread"),
                   exchangeSweep("exchange_by_hand", "An exchange without padding by items a thread")},
        .figures = {"duration_ns", "shared_wavefronts", "shared_ways", "warp_instructions"}};
}

} // namespace dormer::kernels
