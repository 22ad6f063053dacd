// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

/// What limits the warps that an SM holds, a sweep and a file each.
namespace dormer::kernels::occupancy {

Group blockGroup();     ///< block/32 to block/1024
Group registersGroup(); ///< registers/32 to registers/128
Group sharedGroup();    ///< shared/0 to shared/49152

} // namespace dormer::kernels::occupancy
