// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <span>
#include <string>

/// Relocatable PTX (nvcc -rdc=true) of several units becomes the PTX of one module.
namespace dormer::emulator::ptx::linker {

/// Joins the units as a device linker does: what one declares .extern is another's, names that a unit keeps
/// to itself stay apart, of .weak and .common ones the first remains. Numbers of source files and names of
/// debug strings are told apart, too. A single unit comes back as it is. An Error names what two units
/// define, or the line that can't be read.
[[nodiscard]] Result<std::string> linkUnits(std::span<const std::string> units);

} // namespace dormer::emulator::ptx::linker
