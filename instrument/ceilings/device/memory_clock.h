// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dormer::instrument::ceilings {

/// The memory clock that the driver reports for a CUDA device now, by NVML; 0 where that is not there.
[[nodiscard]] double memoryClockHz(int device);

} // namespace dormer::instrument::ceilings
