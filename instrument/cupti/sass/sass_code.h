// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sass/elf_image.h"

#include <string>

namespace dormer::instrument::cupti::sass {

/// Machine code of a kernel in a cubin: its section ".text.NAME".
[[nodiscard]] Bytes kernelCode(Bytes cubin, std::string_view mangledName);

/// Name of the memory or branch instruction at `pc`, with the width of a load or store where it is not 32
/// bits: "LDG", "STS.128", "BRA". Other modifiers that a disassembler shows are left out. Empty for other
/// instructions and outside of the code. Volta and later, whose instructions have 16 bytes.
[[nodiscard]] std::string mnemonicAt(Bytes code, std::uint64_t pc);

} // namespace dormer::instrument::cupti::sass
