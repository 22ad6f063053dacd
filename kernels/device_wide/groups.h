// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

// One file per algorithm: CUB's headers are slow to compile.
Group deviceReduceGroup();
Group deviceScanGroup();
Group deviceRadixSortGroup();
Group deviceThrustSortGroup();
Group deviceSelectGroup();
Group devicePartitionGroup();
Group deviceUniqueGroup();
Group deviceRunLengthGroup();
Group deviceReduceByKeyGroup();
Group deviceArgReduceGroup();
Group deviceHistogramEvenGroup();
Group deviceHistogramRangeGroup();
Group deviceTransformGroup();

} // namespace dormer::kernels
