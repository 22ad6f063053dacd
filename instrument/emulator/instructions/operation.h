// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"

/// What an instruction is to counters, pipes and the runner.
namespace dormer::emulator::instructions {

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

/// FP32 instructions that each thread executes for one of PTX.
struct Fp32Sequence {
    std::uint8_t adds = 0, muls = 0, fmas = 0;
    [[nodiscard]] bool any() const { return adds + muls + fmas > 0; }
};

struct Operation {
    Handler run = nullptr;
    Work work = Work::Int;
    /// Hardware (SASS) instructions it becomes, as an estimate: 64-bit integer adds are 2, IEEE divisions
    /// about 10, moves and truncations 0.
    float instructions = 1;
    /// Cycles until a dependent instruction can start.
    float latency = 4;
    Fp32Sequence fp32{};     ///< where it is more than the one that `work` says
    std::uint16_t flags = 0; ///< for Inst::flags
    std::uint64_t imm = 0;   ///< for Inst::imm
    /// Multiply-adds of one warp instruction, for Work::Tensor.
    std::uint32_t tensorMacs = 0;
    TensorFormat tensorFormat = TensorFormat::Fp16;
};

/// Bit of Inst::flags that says that predicate operand c (setp's, set's third source) is negated.
inline constexpr std::uint16_t kNegatedC = 0x8000;
/// The same for predicate operand a: vote's source.
inline constexpr std::uint16_t kNegatedA = 0x4000;

} // namespace dormer::emulator::instructions
