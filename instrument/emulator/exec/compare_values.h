// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/operation_spec.h"

namespace dormer::emulator::DORMER_ISA {

/// The comparisons of PTX; the ...u forms are true for unordered operands.
template <Compare Which, typename T>
[[gnu::always_inline]] inline bool compareValues(T a, T b) {
    if constexpr (Which == Compare::Eq) return a == b;
    if constexpr (Which == Compare::Ne) return (a < b) | (a > b); // false for NaN, unlike C's !=
    if constexpr (Which == Compare::Lt) return a < b;
    if constexpr (Which == Compare::Le) return a <= b;
    if constexpr (Which == Compare::Gt) return a > b;
    if constexpr (Which == Compare::Ge) return a >= b;
    if constexpr (Which == Compare::Equ) return !((a < b) | (a > b));
    if constexpr (Which == Compare::Neu) return a != b;
    if constexpr (Which == Compare::Ltu) return !(a >= b);
    if constexpr (Which == Compare::Leu) return !(a > b);
    if constexpr (Which == Compare::Gtu) return !(a <= b);
    if constexpr (Which == Compare::Geu) return !(a < b);
    if constexpr (Which == Compare::Num) return (a == a) & (b == b);
    if constexpr (Which == Compare::Nan) return (a != a) | (b != b);
    return false;
}

/// Calls `with` with the comparison as a template argument.
template <typename F>
auto withCompare(Compare which, F with) {
    switch (which) {
    case Compare::Eq:
        return with.template operator()<Compare::Eq>();
    case Compare::Ne:
        return with.template operator()<Compare::Ne>();
    case Compare::Lt:
        return with.template operator()<Compare::Lt>();
    case Compare::Le:
        return with.template operator()<Compare::Le>();
    case Compare::Gt:
        return with.template operator()<Compare::Gt>();
    case Compare::Ge:
        return with.template operator()<Compare::Ge>();
    case Compare::Equ:
        return with.template operator()<Compare::Equ>();
    case Compare::Neu:
        return with.template operator()<Compare::Neu>();
    case Compare::Ltu:
        return with.template operator()<Compare::Ltu>();
    case Compare::Leu:
        return with.template operator()<Compare::Leu>();
    case Compare::Gtu:
        return with.template operator()<Compare::Gtu>();
    case Compare::Geu:
        return with.template operator()<Compare::Geu>();
    case Compare::Num:
        return with.template operator()<Compare::Num>();
    case Compare::Nan:
        return with.template operator()<Compare::Nan>();
    case Compare::None:
        break;
    }
    return decltype(with.template operator()<Compare::Eq>()){};
}

/// Inst::flags of setp and set: how the third, predicate operand joins. The bits above are kNegatedC and the
/// width of set's result.
inline constexpr std::uint16_t kCombineMask = 3;

} // namespace dormer::emulator::DORMER_ISA
