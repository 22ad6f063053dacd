// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/groups.h"

#include <iterator>

namespace dormer::kernels {

namespace {

std::vector<Group> allGroups() {
    std::vector<Group> all;
    for (auto* const groupsOf :
         {histogram::globalGroups, histogram::privateGlobalGroups, histogram::sharedGroups,
          histogram::runLengthGroups, histogram::cubBlockSortGroups, histogram::cubBlockAtomicGroups,
          histogram::cubDeviceGroups}) {
        std::vector<Group> groups = groupsOf();
        std::ranges::move(groups, std::back_inserter(all));
    }
    return all;
}

} // namespace

Family histogramFamily() {
    return {
        .name = "histogram",
        .title = "Histogram of temperatures",
        .shows = "Where contended counts are kept decides: global memory or a private copy per block",
        .groups = allGroups(),
        .lookAt =
            "First see racy lose counts: threads of a warp read the same bin before any of them writes it. "
            "Atomics put that right at a price. Compare duration_ns and atomic_instructions along "
            "global_atomics, block_private_global and shared: the first issues one global atomic for every "
            "element; private bins in shared memory leave global memory blocks x bins of them. Then "
            "compare each variant with its _one_bin twin, where all elements fall into one bin: global "
            "atomics queue up at one address, while run_length counts in a register as long as the bin "
            "stays the same and hardly notices. l2_atomic_sectors tells the passes that L2 spent on "
            "colliding atomics.",
        .reference = {{"private histograms in global memory, the kernel notes", "100 GB/s"},
                      {"private histograms in shared memory, the kernel notes", "400 GB/s"}}};
}

} // namespace dormer::kernels
