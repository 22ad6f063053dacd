// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/emulator/engine/engine.h"

namespace dormer::emulator::runtime {

/// The kernel's PTX and that of the functions it may call, line by line as it was written, without blank
/// lines and those that only say where code comes from (.loc, .file). pc is the line in the PTX text, as
/// LineCounts::pc has it; file and line are those of the instruction that begins there. Cut after 50,000
/// lines or 4 MB. Its kernel's number is left to the caller.
[[nodiscard]] session::KernelCode ptxCode(const program::Kernel& kernel);

} // namespace dormer::emulator::runtime
