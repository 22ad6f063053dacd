// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group accessPatternGroup(); ///< aligned, permuted, same_address, scattered
Group accessOffsetGroup();  ///< offset/K
Group accessStrideGroup();  ///< stride/K
Group accessRereadGroup();  ///< reread, reread_cg
Group accessStoreGroup();   ///< aligned_store, half_range_store, three_segments_store

} // namespace dormer::kernels
