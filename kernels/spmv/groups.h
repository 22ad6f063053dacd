// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group spmvScalarGroup(); ///< scalar/regular, scalar/power_law
Group spmvVectorGroup(); ///< vector/regular, vector/power_law
Group spmvMergeGroup();  ///< merge/regular, merge/power_law

} // namespace dormer::kernels
