// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/program/program.h"

#include <optional>
#include <string_view>

namespace dormer::emulator::code {

/// Adds to the value tables of a program; equal values share a place.
class Tables {
public:
    explicit Tables(program::Program& program) : m_program(program) {}

    instructions::Ref bits(std::uint64_t value, std::uint8_t bytesPerLane);
    /// A predicate that never changes.
    instructions::Ref predicate(bool value) { return bits(value ? ~std::uint64_t{0} : 0, 4); }
    /// `bytes` of a kernel parameter, extended to `bytesPerLane`.
    instructions::Ref parameter(std::uint32_t offset, std::uint8_t bytes, bool isSigned,
                                std::uint8_t bytesPerLane);
    instructions::Ref parameterAddress(std::uint32_t offset, std::uint8_t bytesPerLane);
    instructions::Ref special(program::Special special, std::uint8_t bytesPerLane);
    /// What a Ref into the constants holds, if it is a plain number.
    [[nodiscard]] std::optional<std::uint64_t> knownBits(instructions::Ref ref) const;

private:
    instructions::Ref add(program::ValueTable& table, instructions::Base base, program::ValueSlot slot);
    program::Program& m_program;
};

/// The special register of that name, if it is one that keeps its value ("%tid.x"; not "%clock").
[[nodiscard]] std::optional<program::Special> fixedSpecial(std::string_view name);
/// The value of a special register that says where the system's part of shared memory lies
/// (%reserved_smem_offset_begin and its relatives).
[[nodiscard]] std::optional<std::uint32_t> reservedSharedOffset(std::string_view name);

} // namespace dormer::emulator::code
