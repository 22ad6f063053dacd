// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/emulator/program/kernel.h"

#include <span>
#include <vector>

namespace dormer::emulator::fatbin {

/// What ptxas recorded of each kernel in an ELF file for the GPU. Untrusted input.
[[nodiscard]] Result<std::vector<program::CubinKernel>> readCubin(std::span<const std::byte> elf);

} // namespace dormer::emulator::fatbin
