// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/operation.h"
#include "instrument/emulator/instructions/operation_spec.h"
#include "instrument/emulator/ptx/module.h"

#include <span>
#include <string>

/// Instructions that touch registers only: arithmetic, logic, comparison, conversion, moves, and the exchange
/// between lanes (shfl, vote, match, redux). Control flow and memory are elsewhere.
namespace dormer::emulator::operations {

/// Which operands the decoder passes where: the first PTX operand is dst (a Pair: dst and dst2), the
/// following ones a, b, c, d. For a mov with a Vector operand, and for mma and wmma.mma (D, A, B, C), all
/// operands are in `more`, flattened in order, and nothing else is set. A sink (_) is not present().
/// Immediates and special registers arrive as lane arrays, as wide as immediateShape() says.
struct OperandShape {
    std::uint8_t bytes = 0; ///< 2, 4, 8, 16 per lane; 0 for a predicate or an absent operand
    bool predicate = false;
    bool immediate = false; ///< the same value in all lanes, known while decoding: `bits`
    std::uint64_t bits = 0;
};

/// Width an immediate at operand `index` (0 = destination) should be stored in, and whether it is a float:
/// cvt, shl, set and others take operands of other types than their own.
struct ImmediateShape {
    std::uint8_t bytes = 4;
    bool isFloat = false;
};
[[nodiscard]] ImmediateShape immediateShape(const ptx::Instruction& instruction, std::size_t index);

/// The operation of a register-only instruction, in code for this machine's vector width; `run` is null when
/// the instruction is not supported (its opcode, a modifier or an operand's width).
/// `shapes` has one entry for each PTX operand.
[[nodiscard]] instructions::Operation findOperation(const ptx::Instruction& instruction,
                                                    std::span<const OperandShape> shapes);

/// Which of the tensor cores' rates holds for factors of a type.
[[nodiscard]] instructions::TensorFormat tensorFormatOf(instructions::Kind element);

/// The vector code there is; None on machines older than AVX2 and FMA, where nothing can run.
enum class InstructionSet : std::uint8_t { None, Avx2, Avx512 };
[[nodiscard]] InstructionSet machineInstructionSet();
/// Why nothing can be emulated on such a machine; an empty text when it can.
[[nodiscard]] std::string processorProblem(InstructionSet isa);
/// The same for a chosen one, which the machine must have when the handler runs.
[[nodiscard]] instructions::Operation findOperation(const ptx::Instruction& instruction,
                                                    std::span<const OperandShape> shapes, InstructionSet isa);

} // namespace dormer::emulator::operations
