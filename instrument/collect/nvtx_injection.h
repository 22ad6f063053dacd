// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/nvtx_ranges.h"

#include <nvtx3/nvToolsExt.h>

namespace dormer::instrument::collect {

/// Puts our functions into a program's NVTX table, so that its ranges reach `ranges` (which must outlive the
/// program's NVTX calls). NVTX's own injection interface, not CUPTI's NVTX callbacks: those came to nothing
/// when NVTX started before the CUDA driver. False when this NVTX has no such table. A process may hold
/// several copies of NVTX; each one calls this for itself.
bool injectNvtx(NvtxRanges& ranges, NvtxGetExportTableFunc_t getExportTable);

} // namespace dormer::instrument::collect
