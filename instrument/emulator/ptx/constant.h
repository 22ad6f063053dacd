// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"

namespace dormer::emulator::ptx {

/// Value of a literal or a constant expression (PTX ISA, "Constants").
struct Constant {
    enum class Kind : std::uint8_t { Integer, Float32, Float64 };
    Kind kind = Kind::Integer;
    bool isUnsigned = false; ///< of an Integer: .u64 arithmetic, not .s64
    std::uint64_t bits = 0;
};

/// Fails when no constant stands there.
[[nodiscard]] Constant parseConstant(Cursor& cursor);
/// A constant behind a minus sign or not, without operators: for places where `|` and `(` mean other things.
[[nodiscard]] Constant parseLiteral(Cursor& cursor);
/// A constant expression that is an integer of at most `limit`; `what` names it in failures.
[[nodiscard]] std::uint64_t parseCount(Cursor& cursor, std::uint64_t limit, const char* what);

/// The constant as a value of `type`, in the low bits: floats are rounded, integers cut.
[[nodiscard]] std::uint64_t convertConstant(const Constant& constant, Type type);

/// Whether a constant can begin with the character.
[[nodiscard]] inline bool beginsConstant(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '~' || c == '(';
}

} // namespace dormer::emulator::ptx
