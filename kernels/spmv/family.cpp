// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmv/groups.h"

namespace dormer::kernels {

Family spmvFamily() {
    return {
        .name = "spmv",
        .title = "A sparse matrix times a vector",
        .shows =
            "Load balance: the same products dealt out by rows or in equal shares, on rows alike and on rows "
            "of very different lengths",
        .groups = {spmvScalarGroup(), spmvVectorGroup(), spmvMergeGroup()},
        .lookAt =
            "Compare duration_ns of each method on its two matrices, which have as many rows and as many "
            "nonzeros. scalar and vector take as long as their longest row: on the power-law matrix most "
            "warps are done early, so achieved_occupancy falls and the device waits. merge takes about "
            "the same time on both. Within one matrix, global_load_sectors_per_request tells scalar from "
            "vector: a thread per row reads from 32 places at once, a warp per row from neighbouring "
            "ones. The loads of x are random in all of them. threads_per_warp shows the lanes that short "
            "rows leave idle.",
        .figures = {"duration_ns", "global_load_sectors_per_request", "threads_per_warp",
                    "achieved_occupancy"},
    };
}

} // namespace dormer::kernels
