// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model.h"
#include "instrument/emulator/runtime/graph.h"

namespace dormer::emulator::runtime {

/// A copy or fill as a record: kind, direction, kinds of memory, bytes. It takes no time on the emulated
/// device, so it has none.
[[nodiscard]] analysis::Transfer describe(const CopyCall& call, const DeviceMemory& memory);
[[nodiscard]] analysis::Transfer describe(const FillCall& call, const DeviceMemory& memory);

} // namespace dormer::emulator::runtime
