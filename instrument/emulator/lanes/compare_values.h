// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/operation_spec.h"

namespace dormer::emulator::lanes::DORMER_ISA {

/// The comparisons of PTX; the ...u forms are true for unordered operands.
template <instructions::Compare Which, typename T>
[[gnu::always_inline]] inline bool compareValues(T a, T b) {
    if constexpr (Which == instructions::Compare::Eq) return a == b;
    if constexpr (Which == instructions::Compare::Ne)
        return (a < b) | (a > b); // false for NaN, unlike C's !=
    if constexpr (Which == instructions::Compare::Lt) return a < b;
    if constexpr (Which == instructions::Compare::Le) return a <= b;
    if constexpr (Which == instructions::Compare::Gt) return a > b;
    if constexpr (Which == instructions::Compare::Ge) return a >= b;
    if constexpr (Which == instructions::Compare::Equ) return !((a < b) | (a > b));
    if constexpr (Which == instructions::Compare::Neu) return a != b;
    if constexpr (Which == instructions::Compare::Ltu) return !(a >= b);
    if constexpr (Which == instructions::Compare::Leu) return !(a > b);
    if constexpr (Which == instructions::Compare::Gtu) return !(a <= b);
    if constexpr (Which == instructions::Compare::Geu) return !(a < b);
    if constexpr (Which == instructions::Compare::Num) return (a == a) & (b == b);
    if constexpr (Which == instructions::Compare::Nan) return (a != a) | (b != b);
    return false;
}

/// Calls `with` with the comparison as a template argument.
template <typename F>
auto withCompare(instructions::Compare which, F with) {
    switch (which) {
    case instructions::Compare::Eq:
        return with.template operator()<instructions::Compare::Eq>();
    case instructions::Compare::Ne:
        return with.template operator()<instructions::Compare::Ne>();
    case instructions::Compare::Lt:
        return with.template operator()<instructions::Compare::Lt>();
    case instructions::Compare::Le:
        return with.template operator()<instructions::Compare::Le>();
    case instructions::Compare::Gt:
        return with.template operator()<instructions::Compare::Gt>();
    case instructions::Compare::Ge:
        return with.template operator()<instructions::Compare::Ge>();
    case instructions::Compare::Equ:
        return with.template operator()<instructions::Compare::Equ>();
    case instructions::Compare::Neu:
        return with.template operator()<instructions::Compare::Neu>();
    case instructions::Compare::Ltu:
        return with.template operator()<instructions::Compare::Ltu>();
    case instructions::Compare::Leu:
        return with.template operator()<instructions::Compare::Leu>();
    case instructions::Compare::Gtu:
        return with.template operator()<instructions::Compare::Gtu>();
    case instructions::Compare::Geu:
        return with.template operator()<instructions::Compare::Geu>();
    case instructions::Compare::Num:
        return with.template operator()<instructions::Compare::Num>();
    case instructions::Compare::Nan:
        return with.template operator()<instructions::Compare::Nan>();
    case instructions::Compare::None:
        break;
    }
    return decltype(with.template operator()<instructions::Compare::Eq>()){};
}

/// Inst::flags of setp and set: how the third, predicate operand joins. The bits above are kNegatedC and the
/// width of set's result.
inline constexpr std::uint16_t kCombineMask = 3;

} // namespace dormer::emulator::lanes::DORMER_ISA
