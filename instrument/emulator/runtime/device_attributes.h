// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/chip.h"

#include <driver_types.h>

#include <optional>

namespace dormer::emulator::runtime {

/// What cudaDeviceGetAttribute answers for a chip; nothing for an attribute that does not exist.
[[nodiscard]] std::optional<int> deviceAttribute(const analysis::Chip& chip, cudaDeviceAttr attribute);
/// The same facts as one struct.
[[nodiscard]] cudaDeviceProp deviceProperties(const analysis::Chip& chip);

} // namespace dormer::emulator::runtime
