// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group transposeNaiveGroup();   ///< copies and naive transposes, blocks of 32 x 8
Group transposeTiledGroup();   ///< through shared memory, blocks of 32 x 8
Group transposeNaive16Group(); ///< copies and naive transposes, blocks of 16 x 16
Group transposeTiled16Group(); ///< through shared memory, blocks of 16 x 16

} // namespace dormer::kernels
