// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/special_functions.h"

/// rsqrt, sin, cos, ex2, lg2 and tanh in single precision.
namespace dormer::emulator::DORMER_ISA {
namespace {

template <bool Ftz>
Handler find(Op op) {
    switch (op) {
    case Op::Rsqrt:
        return unary<float, float>(
            [](float a) { return output<Ftz, false>(float(1.0 / __builtin_sqrt(double(input<Ftz>(a))))); });
    case Op::Sin:
        return unary<float, float>([](float a) { return output<Ftz, false>(sineSingle<0>(input<Ftz>(a))); });
    case Op::Cos:
        return unary<float, float>([](float a) { return output<Ftz, false>(sineSingle<1>(input<Ftz>(a))); });
    case Op::Ex2:
        return unary<float, float>([](float a) { return output<Ftz, false>(exp2Single(input<Ftz>(a))); });
    case Op::Lg2:
        return unary<float, float>([](float a) { return output<Ftz, false>(log2Single(input<Ftz>(a))); });
    case Op::Tanh:
        return unary<float, float>([](float a) { return output<Ftz, false>(tanhSingle(input<Ftz>(a))); });
    default:
        return nullptr;
    }
}

} // namespace

Found findSpecial(const Spec& s) {
    if (s.typeCount != 1 || s.type() != Kind::F32 || s.rounding != Rounding::None || !s.widths(4, 4))
        return {};
    if (!s.has(kApprox) || !s.only(kApprox | kFtz)) return {};
    return {s.has(kFtz) ? find<true>(s.op) : find<false>(s.op), 0, 0};
}

} // namespace dormer::emulator::DORMER_ISA
