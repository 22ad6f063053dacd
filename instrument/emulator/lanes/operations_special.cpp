// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/special_functions.h"

/// rsqrt, sin, cos, ex2, lg2 and tanh in single precision.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

template <bool Ftz>
instructions::Handler find(instructions::Op op) {
    switch (op) {
    case instructions::Op::Rsqrt:
        return unary<float, float>(
            [](float a) { return output<Ftz, false>(float(1.0 / __builtin_sqrt(double(input<Ftz>(a))))); });
    case instructions::Op::Sin:
        return unary<float, float>([](float a) { return output<Ftz, false>(sineSingle<0>(input<Ftz>(a))); });
    case instructions::Op::Cos:
        return unary<float, float>([](float a) { return output<Ftz, false>(sineSingle<1>(input<Ftz>(a))); });
    case instructions::Op::Ex2:
        return unary<float, float>([](float a) { return output<Ftz, false>(exp2Single(input<Ftz>(a))); });
    case instructions::Op::Lg2:
        return unary<float, float>([](float a) { return output<Ftz, false>(log2Single(input<Ftz>(a))); });
    case instructions::Op::Tanh:
        return unary<float, float>([](float a) { return output<Ftz, false>(tanhSingle(input<Ftz>(a))); });
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findSpecial(const instructions::Spec& s) {
    if (s.typeCount != 1 || s.type() != instructions::Kind::F32 ||
        s.rounding != instructions::Rounding::None || !s.widths(4, 4))
        return {};
    if (!s.has(instructions::kApprox) || !s.only(instructions::kApprox | instructions::kFtz)) return {};
    return {s.has(instructions::kFtz) ? find<true>(s.op) : find<false>(s.op), 0, 0};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
