// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

/// Sums of neighbours: element i of the output adds up elements i - kReach .. i + kReach of the input.
inline constexpr int kStencilReach = 4;

Group iteratorsCopyGroup();
Group iteratorsStencilGroup();

} // namespace dormer::kernels
