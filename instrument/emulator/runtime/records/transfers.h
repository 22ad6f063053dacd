// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/emulator/runtime/graph.h"

namespace dormer::emulator::runtime {

/// A copy or fill as a record: kind, direction, kinds of memory, bytes. It takes no time on the emulated
/// device, so it has none.
[[nodiscard]] session::Transfer describe(const CopyCall& call, const memory::DeviceMemory& memory);
[[nodiscard]] session::Transfer describe(const FillCall& call, const memory::DeviceMemory& memory);

} // namespace dormer::emulator::runtime
