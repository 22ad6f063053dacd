// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/instructions/operation_spec.h"
#include "instrument/emulator/ptx/module.h"

#include <bit>
#include <cstdint>
#include <optional>

/// wgmma.mma_async: the four warps of a group multiply a matrix of 64 rows with one in shared memory. Each
/// does its own 16 rows, at once.
namespace dormer::emulator::bulk {

struct GroupShape {
    std::uint16_t columns = 0; ///< 8 to 256
    instructions::Kind a = {}, b = {}, d = {};
    std::uint8_t depthBytes = 32; ///< of a row of A or a column of B
    static constexpr std::uint8_t kTransposesA = 1, kTransposesB = 2, kNegatesA = 4, kNegatesB = 8,
                                  kSaturates = 16, kRegistersA = 32;
    std::uint8_t flags = 0;
    std::uint8_t unused = 0;
    [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    [[nodiscard]] unsigned depth() const { return depthBytes / instructions::bytesOf(a); }
    /// Of the result, for each lane.
    [[nodiscard]] unsigned registers() const { return columns / (d == instructions::Kind::F16 ? 4u : 2u); }
};
static_assert(sizeof(GroupShape) == sizeof(std::uint64_t));

/// Shape and types; nothing for sparse, one-bit and unknown ones. The flags come from the operands.
[[nodiscard]] std::optional<GroupShape> groupShape(const ptx::Instruction& instruction);

/// Inst::imm is the GroupShape; `more` the result's registers, then A's four where it is in registers; a and
/// b are the descriptors (8 bytes per lane), c the predicate that says whether the result is added to;
/// absent: it is.
[[nodiscard]] instructions::Handler groupMultiply(const GroupShape& shape);

} // namespace dormer::emulator::bulk
