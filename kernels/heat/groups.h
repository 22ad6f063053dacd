// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group heatSerialGroup();   ///< single_thread, two_threads: few cells, because each launch takes long
Group heatOneBlockGroup(); ///< one_block_256
Group heatGridGroup();     ///< grid
// One file per library: their headers are slow to compile.
Group heatCubGroup();    ///< cub_transform
Group heatThrustGroup(); ///< thrust_transform

} // namespace dormer::kernels
