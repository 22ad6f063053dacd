// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result.h"
#include "instrument/emulator/engine.h"

#include <span>
#include <vector>

namespace dormer::emulator {

/// What ptxas recorded of each kernel in an ELF file for the GPU. Untrusted input.
[[nodiscard]] Result<std::vector<CubinKernel>> readCubin(std::span<const std::byte> elf);

} // namespace dormer::emulator
