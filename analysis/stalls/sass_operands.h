// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace dormer::stalls {

/// Registers as one number space: R0 to R254, then predicates, uniform registers and uniform predicates.
using Register = unsigned;

/// What one instruction of a listing ("@!P0 LDG.E.64 R2, [R4.64+0x10]") reads and writes. RZ, PT, URZ and
/// UPT, which hold constants, are left out.
struct SassOperands {
    std::string_view opcode; ///< "LDG.E.64"; empty for a label or directive
    std::vector<Register> reads, writes;
};

/// By the forms of NVIDIA's listings since Volta (CUDA Binary Utilities, "Instruction Set Reference"). A pair
/// or quad of registers is read or written where the opcode's width or the operand's ".64" says so.
[[nodiscard]] SassOperands sassOperands(std::string_view instruction);

/// How long a result takes is not fixed: the reader waits on a scoreboard.
enum class Latency { Fixed, Short, Long };
/// Long: global, local and texture memory. Short: shared memory, special functions, shuffles, conversions and
/// other results of the units behind the memory queue.
[[nodiscard]] Latency latencyOf(std::string_view opcode);

} // namespace dormer::stalls
