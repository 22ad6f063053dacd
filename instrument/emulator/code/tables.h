// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/code/program.h"

#include <optional>
#include <string_view>

namespace dormer::emulator {

/// Adds to the value tables of a program; equal values share a place.
class Tables {
public:
    explicit Tables(Program& program) : m_program(program) {}

    Ref bits(std::uint64_t value, std::uint8_t bytesPerLane);
    /// A predicate that never changes.
    Ref predicate(bool value) { return bits(value ? ~std::uint64_t{0} : 0, 4); }
    /// `bytes` of a kernel parameter, extended to `bytesPerLane`.
    Ref parameter(std::uint32_t offset, std::uint8_t bytes, bool isSigned, std::uint8_t bytesPerLane);
    Ref parameterAddress(std::uint32_t offset, std::uint8_t bytesPerLane);
    Ref special(Special special, std::uint8_t bytesPerLane);
    /// What a Ref into the constants holds, if it is a plain number.
    [[nodiscard]] std::optional<std::uint64_t> knownBits(Ref ref) const;

private:
    Ref add(ValueTable& table, Base base, ValueSlot slot);
    Program& m_program;
};

/// The special register of that name, if it is one that keeps its value ("%tid.x"; not "%clock").
[[nodiscard]] std::optional<Special> fixedSpecial(std::string_view name);

} // namespace dormer::emulator
