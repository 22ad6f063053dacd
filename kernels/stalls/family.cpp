// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/stalls/groups.h"

namespace dormer::kernels {

Family stallsFamily() {
    return {
        .name = "stalls",
        .title = "Warp states",
        .shows = "Why warps wait: one kernel for each state that dominates, and a twin with the same results "
                 "that doesn't wait",
        .groups = {stalls::chaseGroup(), stalls::barrierGroup(), stalls::sharedGroup(), stalls::fmaGroup(),
                   stalls::codeGroup(), stalls::globalGroup()},
        .lookAt =
            "Sample the warps of the kernels alone, dormer profile --stalls -- dormer-workloads 'stalls/*' "
            "--repeat 200, and look at the state of each first one: long scoreboard, barrier, MIO throttle, "
            "wait, no instruction, LG throttle. Its twin computes the same; compare duration_ns. Counters "
            "tell some of the pairs apart: shared_load_instructions and global_load_requests are a "
            "twentieth or a sixteenth where accesses are wide. Others have the same counts to the last "
            "digit (chase, barrier, fma, code): only ipc and the states show that warps wait for each "
            "other, for their own results or for instructions. chase, fma and code run one warp per "
            "scheduler, so that nobody else fills the gaps; more warps would be the other remedy.",
        .figures = {"duration_ns", "ipc", "global_load_requests", "shared_load_instructions", "flops_fp32"}};
}

} // namespace dormer::kernels
