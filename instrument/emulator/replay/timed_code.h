// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/architecture.h"
#include "instrument/emulator/counts/warp_stalls.h"
#include "instrument/emulator/program/program.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace dormer::emulator::replay {

/// Pipes of one of the four parts of an SM, and those that the parts share.
enum class Pipe : std::uint8_t { None, Fma, HeavyFma, Alu, Fp64, Fp16, Special, Conversion, Bits, Tensor };
inline constexpr std::size_t kPipes = static_cast<std::size_t>(Pipe::Tensor) + 1;

/// One instruction of the machine, or a few that belong together, in the order in which they issue.
struct TimedOp {
    static constexpr std::uint16_t kNoMemory = 0xFFFF;
    Pipe pipe = Pipe::None;
    float issue = 1;                  ///< slots
    float busy = 1;                   ///< cycles of its pipe
    float latency = 4;                ///< until its result is there
    float hold = 0;                   ///< until the warp's next instruction, if that is longer than `issue`
    std::uint16_t memory = kNoMemory; ///< which of the block's memory instructions
    bool isFence = false;             ///< waits until others can see what was written
    bool isExchange = false;          ///< through the load/store unit
    counts::Stall wait = counts::Stall::Wait;     ///< of who waits for its result
    counts::Stall throttle = counts::Stall::Wait; ///< of a warp for which its unit has no room
    std::uint32_t instruction = 0;                ///< place in Program::instructions
    std::uint32_t firstSource = 0, sources = 0;   ///< of TimedBlock::sources
};

/// Straight code as the assembler would order it.
struct TimedBlock {
    static constexpr std::int32_t kOutside = -1;
    std::vector<TimedOp> ops;
    /// Ops whose result is waited for, or where negative: place -1 - n of the warp's values.
    std::vector<std::int32_t> sources;
    /// Op and place of the warp's values that gets its result.
    struct Result {
        std::int32_t source = 0;
        std::uint32_t value = 0;
    };
    std::vector<Result> results;
    std::vector<std::uint32_t> memory; ///< its memory instructions in program order: places in Program::insts
    std::vector<std::int32_t> endingSources;
    bool callsLibrary = false;
};

/// A kernel's code, block by block, made when a trace first comes to it.
class TimedCode {
public:
    TimedCode(const program::Program& program, const device::Architecture& architecture);
    [[nodiscard]] const TimedBlock& block(std::uint32_t index);
    [[nodiscard]] std::size_t values() const { return m_values.size(); }
    [[nodiscard]] const program::Program& program() const { return m_program; }

private:
    friend class BlockBuilder;
    std::uint32_t valueOf(std::uint32_t raw);

    const program::Program& m_program;
    const device::Architecture& m_architecture;
    std::vector<std::unique_ptr<TimedBlock>> m_blocks;
    std::unordered_map<std::uint32_t, std::uint32_t> m_values; ///< by Ref::raw
};

} // namespace dormer::emulator::replay
