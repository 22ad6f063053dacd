// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group sharedStrideGroup();     ///< stride/K
Group sharedPatternGroup();    ///< broadcast, random_permutation, irregular
Group sharedAllocationGroup(); ///< static_48, dynamic/N
Group sharedCarveoutGroup();   ///< carveout/P

} // namespace dormer::kernels
