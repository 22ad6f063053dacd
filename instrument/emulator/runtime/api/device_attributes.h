// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"

#include <driver_types.h>

#include <optional>

namespace dormer::emulator::runtime::api {

/// What cudaDeviceGetAttribute answers for a chip; nothing for an attribute that does not exist.
[[nodiscard]] std::optional<int> deviceAttribute(const device::Chip& chip, cudaDeviceAttr attribute);
/// The same facts as one struct.
[[nodiscard]] cudaDeviceProp deviceProperties(const device::Chip& chip);

} // namespace dormer::emulator::runtime::api
