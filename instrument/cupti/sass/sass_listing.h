// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/cupti/sass/line_table.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::cupti::sass {

/// An instruction as a disassembler writes it, "LDG.E R6, desc[UR6][R4.64]", or a label, ".L_x_0:".
struct SassLine {
    std::uint64_t pc = 0; ///< of a label: that of the instruction behind it
    std::string text;
};

/// Instructions and labels of one function from what nvdisasm wrote of its cubin (or cuobjdump -sass), at
/// most 50,000; empty when the function is not in there. The padding at its end is left out.
[[nodiscard]] std::vector<SassLine> parseListing(std::string_view listing, std::string_view mangledName);

/// What can be told without a disassembler: memory accesses and branches by name (sass_code.h).
[[nodiscard]] std::vector<SassLine> namedInstructions(Bytes code);

/// The record of a kernel's code, with the source line of each instruction. Its kernel's number is left to
/// the caller.
[[nodiscard]] session::KernelCode sassCode(std::span<const SassLine> lines, const LineTable& places);

} // namespace dormer::instrument::cupti::sass
