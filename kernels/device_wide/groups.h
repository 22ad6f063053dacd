// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/workload.h"

namespace dormer::kernels {

// One file per algorithm: CUB's headers are slow to compile.
Group deviceReduceGroup();
Group deviceScanGroup();

} // namespace dormer::kernels
