// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/instruction.h"
#include "instrument/emulator/ptx/module.h"

#include <span>
#include <string>

/// Instructions that touch registers only: arithmetic, logic, comparison, conversion, moves, and the exchange
/// between lanes (shfl, vote, match, redux). Control flow and memory are elsewhere.
namespace dormer::emulator {

/// What one instruction does, in the terms of counters and pipes.
enum class Work : std::uint8_t {
    Move,   ///< no instruction on hardware more often than not
    Int,    ///< add, logic, shift, compare, select, min/max: ALU
    IntMul, ///< mul, mad: the FMA pipe's heavy half
    Fp32Add,
    Fp32Mul,
    Fp32Fma,
    Fp32Other, ///< compare, min/max, abs …
    Fp64Add,
    Fp64Mul,
    Fp64Fma,
    Fp64Other,
    Fp16Add, ///< f16, f16x2, bf16, bf16x2
    Fp16Mul,
    Fp16Fma,
    Fp16Other,
    Special,    ///< rcp, rsqrt, sin, cos, ex2, lg2, tanh, sqrt.approx: SFU
    Conversion, ///< cvt between kinds or widths that needs the conversion unit
    Bits,       ///< popc, clz, bfind, brev: quarter rate
    Exchange,   ///< shfl, vote, match, redux
    Tensor,     ///< mma, wmma.mma
    Control,
    Barrier,
    Memory,
};

/// Format of the matrices A and B of a tensor operation.
enum class TensorFormat : std::uint8_t { Fp16, Bf16, Tf32, Fp64, Fp8, Int8 };
inline constexpr std::size_t kTensorFormats = 6;

struct Operation {
    Handler run = nullptr;
    Work work = Work::Int;
    /// Hardware (SASS) instructions it becomes, as an estimate: 64-bit integer adds are 2, IEEE divisions
    /// about 10, moves and truncations 0.
    float instructions = 1;
    /// Cycles until a dependent instruction can start.
    float latency = 4;
    std::uint16_t flags = 0; ///< for Inst::flags
    std::uint64_t imm = 0;   ///< for Inst::imm
    /// Multiply-adds of one warp instruction, for Work::Tensor.
    std::uint32_t tensorMacs = 0;
    TensorFormat tensorFormat = TensorFormat::Fp16;
};

/// Which operands the decoder passes where: the first PTX operand is dst (a Pair: dst and dst2), the
/// following ones a, b, c, d. For a mov with a Vector operand, and for mma and wmma.mma (D, A, B, C), all
/// operands are in `more`, flattened in order, and nothing else is set. A sink (_) is not present().
/// Immediates and special registers arrive as lane arrays, as wide as immediateShape() says.
struct OperandShape {
    std::uint8_t bytes = 0; ///< 2, 4, 8, 16 a lane; 0 for a predicate or an absent operand
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
[[nodiscard]] Operation findOperation(const ptx::Instruction& instruction,
                                      std::span<const OperandShape> shapes);

/// The vector code there is; None on machines older than AVX2 and FMA, where nothing can run.
enum class InstructionSet : std::uint8_t { None, Avx2, Avx512 };
[[nodiscard]] InstructionSet machineInstructionSet();
/// Why nothing can be emulated on such a machine; an empty text when it can.
[[nodiscard]] std::string processorProblem(InstructionSet isa);
/// The same for a chosen one, which the machine must have when the handler runs.
[[nodiscard]] Operation findOperation(const ptx::Instruction& instruction,
                                      std::span<const OperandShape> shapes, InstructionSet isa);

/// Bit of Inst::flags that says that predicate operand c (setp's, set's third source) is negated.
inline constexpr std::uint16_t kNegatedC = 0x8000;
/// The same for predicate operand a: vote's source.
inline constexpr std::uint16_t kNegatedA = 0x4000;

} // namespace dormer::emulator
