// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/float_lanes.h"

/// Double precision. NaN payloads pass through, as on hardware; subnormals are never flushed.
namespace dormer::emulator::DORMER_ISA {
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

Handler find(const Spec& s) {
    switch (s.op) {
    case Op::Add:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a + b; }));
    case Op::Sub:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a - b; }));
    case Op::Mul:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a * b; }));
    case Op::Fma:
    case Op::Mad:
        return rounded(s.rounding, ternary<double, double, double, double>(
                                       [](double a, double b, double c) { return __builtin_fma(a, b, c); }));
    case Op::Div:
        return rounded(s.rounding, binary<double, double, double>([](double a, double b) { return a / b; }));
    case Op::Rcp:
        if (s.has(kApprox))
            return unary<double, double>([](double a) { return coarseOutput(1.0 / coarseInput(a)); });
        return rounded(s.rounding, unary<double, double>([](double a) { return 1.0 / a; }));
    case Op::Rsqrt:
        return unary<double, double>(
            [](double a) { return coarseOutput(1.0 / __builtin_sqrt(coarseInput(a))); });
    case Op::Sqrt:
        return rounded(s.rounding, unary<double, double>([](double a) { return __builtin_sqrt(a); }));
    case Op::Abs:
        return unary<u64, u64>([](u64 a) { return a & 0x7FFFFFFFFFFFFFFF; });
    case Op::Neg:
        return unary<u64, u64>([](u64 a) { return a ^ 0x8000000000000000; });
    case Op::Min:
        return binary<double, double, double>([](double a, double b) { return minimum(a, b); });
    case Op::Max:
        return binary<double, double, double>([](double a, double b) { return maximum(a, b); });
    case Op::Copysign:
        return binary<u64, u64, u64>(
            [](u64 a, u64 b) { return (a & 0x8000000000000000) | (b & 0x7FFFFFFFFFFFFFFF); });
    default:
        return nullptr;
    }
}

} // namespace

Found findFp64(const Spec& s) {
    if (s.typeCount != 1 || s.has(kInteger)) return {};
    const bool approximate = (s.op == Op::Rcp || s.op == Op::Rsqrt) && s.has(kApprox);
    if (!s.only(approximate ? kApprox | kFtz : 0) || (s.op == Op::Rsqrt && !approximate)) return {};
    const bool one =
        s.op == Op::Abs || s.op == Op::Neg || s.op == Op::Rcp || s.op == Op::Sqrt || s.op == Op::Rsqrt;
    const bool three = s.op == Op::Fma || s.op == Op::Mad;
    if (!(one ? s.widths(8, 8) : three ? s.widths(8, 8, 8, 8) : s.widths(8, 8, 8))) return {};
    return {find(s), 0, 0};
}

} // namespace dormer::emulator::DORMER_ISA
