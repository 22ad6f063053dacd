// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <string_view>

namespace dormer::emulator::ptx {

/// Type of "u32" and the like; None for what is no type.
[[nodiscard]] Type typeOf(std::string_view name);

/// %tid.x, %laneid, WARP_SZ … of the PTX ISA, "Special Registers".
[[nodiscard]] bool isSpecialRegister(std::string_view name);

} // namespace dormer::emulator::ptx
