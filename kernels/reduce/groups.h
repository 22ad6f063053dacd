// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

// One file per layer: CUB's headers are slow to compile.
Group reduceThreadGroup(); ///< thread
Group reduceWarpGroup();   ///< warp_32, warp_8, warp_12, warp_shuffle
Group reduceTreeGroup();   ///< tree_conflicts, tree_sequential, block_shuffle: by hand
Group reduceBlockGroup();  ///< block_raking, block_raking_commutative, block_warp_reductions
Group reduceDeviceGroup(); ///< device

} // namespace dormer::kernels
