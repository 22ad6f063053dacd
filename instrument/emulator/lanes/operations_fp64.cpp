// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/float_lanes.h"

/// Double precision. NaN payloads pass through, as on hardware; subnormals are never flushed.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

/// rcp and rsqrt.approx.ftz.f64 see and give the upper 32 bits of a double only, subnormals flushed (PTX
/// ISA); the value there is correct to well within the 2^-20 or so that leaves.
double coarse(double v) {
    u64 bits = bitsAs<u64>(v);
    if ((bits & 0x7FF0000000000000) == 0) bits &= 0x8000000000000000;
    return bitsAs<double>(bits & 0xFFFFFFFF00000000);
}
double coarseInput(double v) {
    return v != v ? v : coarse(v);
}
double coarseOutput(double v) {
    return v != v ? bitsAs<double>(u64(0x7FFFFFFF00000000)) : coarse(v);
}

instructions::Handler find(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Add:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a + b; }));
    case instructions::Op::Sub:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a - b; }));
    case instructions::Op::Mul:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a * b; }));
    case instructions::Op::Fma:
    case instructions::Op::Mad:
        return rounded(s.rounding, ternary<double, double, double, double>(
                                       [](double a, double b, double c) { return __builtin_fma(a, b, c); }));
    case instructions::Op::Div:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a / b; }));
    case instructions::Op::Rcp:
        if (s.has(instructions::kApprox))
            return unary<double, double>([](double a) { return coarseOutput(1.0 / coarseInput(a)); });
        return rounded(s.rounding, unary<double, double>([](double a) { return 1.0 / a; }));
    case instructions::Op::Rsqrt:
        return unary<double, double>(
            [](double a) { return coarseOutput(1.0 / __builtin_sqrt(coarseInput(a))); });
    case instructions::Op::Sqrt:
        return rounded(s.rounding, unary<double, double>([](double a) { return __builtin_sqrt(a); }));
    case instructions::Op::Abs:
        return unary<u64, u64>([](u64 a) { return a & 0x7FFFFFFFFFFFFFFF; });
    case instructions::Op::Neg:
        return unary<u64, u64>([](u64 a) { return a ^ 0x8000000000000000; });
    case instructions::Op::Min:
        return binary<double, double, double>([](double a, double b) { return minimum(a, b); });
    case instructions::Op::Max:
        return binary<double, double, double>([](double a, double b) { return maximum(a, b); });
    case instructions::Op::Copysign:
        return binary<u64, u64, u64>(
            [](u64 a, u64 b) { return (a & 0x8000000000000000) | (b & 0x7FFFFFFFFFFFFFFF); });
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findFp64(const instructions::Spec& s) {
    if (s.typeCount != 1 || s.has(instructions::kInteger)) return {};
    const bool approximate =
        (s.op == instructions::Op::Rcp || s.op == instructions::Op::Rsqrt) && s.has(instructions::kApprox);
    if (!s.only(approximate ? instructions::kApprox | instructions::kFtz : 0) ||
        (s.op == instructions::Op::Rsqrt && !approximate))
        return {};
    const bool one = s.op == instructions::Op::Abs || s.op == instructions::Op::Neg ||
                     s.op == instructions::Op::Rcp || s.op == instructions::Op::Sqrt ||
                     s.op == instructions::Op::Rsqrt;
    const bool three = s.op == instructions::Op::Fma || s.op == instructions::Op::Mad;
    if (!(one ? s.widths(8, 8) : three ? s.widths(8, 8, 8, 8) : s.widths(8, 8, 8))) return {};
    return {find(s), 0, 0};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
