// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <string>

namespace dormer::emulator::memory {

/// "kernel.cu:12", with " < main.cu:40" for each call it was inlined at; "PTX line 7" without line
/// information. Folders are left out.
[[nodiscard]] std::string describePlace(const ptx::Module& module, std::uint32_t position,
                                        std::uint32_t ptxLine);

} // namespace dormer::emulator::memory
