// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

// One file per collective: CUB's headers are slow to compile.
Group collectiveScanGroup();        ///< scan_kogge_stone, scan_cub_raking, scan_cub_warp_scans
Group collectiveReduceByKeyGroup(); ///< reduce_by_key
Group collectiveRadixSortGroup();   ///< radix_sort
Group collectiveExchangeGroup();    ///< exchange/K, exchange_by_hand/K

} // namespace dormer::kernels
