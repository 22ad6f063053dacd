// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/lane_loop.h"

/// and, or, xor, not, cnot, shl, shr, shf, lop3; also on predicates.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

template <typename T>
instructions::Handler logic(instructions::Op op) {
    switch (op) {
    case instructions::Op::And:
        return binary<T, T, T>([](T a, T b) { return T(a & b); });
    case instructions::Op::Or:
        return binary<T, T, T>([](T a, T b) { return T(a | b); });
    case instructions::Op::Xor:
        return binary<T, T, T>([](T a, T b) { return T(a ^ b); });
    case instructions::Op::Not:
        return unary<T, T>([](T a) { return T(~a); });
    case instructions::Op::Cnot:
        return unary<T, T>([](T a) { return T(a == 0 ? 1 : 0); });
    default:
        return nullptr;
    }
}

/// Amounts beyond the width shift everything out.
template <typename U, typename S>
instructions::Handler shift(const instructions::Spec& s) {
    constexpr u32 kBits = sizeof(U) * 8;
    using P = decltype(U{} + 0u);
    if (s.op == instructions::Op::Shl)
        return binary<U, U, u32>([](U a, u32 n) { return n >= kBits ? U(0) : U(P(a) << (n & (kBits - 1))); });
    if (instructions::isSigned(s.type()))
        return binary<S, S, u32>([](S a, u32 n) { return S(a >> (n >= kBits ? kBits - 1 : n)); });
    return binary<U, U, u32>([](U a, u32 n) { return n >= kBits ? U(0) : U(a >> (n & (kBits - 1))); });
}

instructions::Handler funnel(const instructions::Spec& s) {
    if (s.has(instructions::kLeft) && s.has(instructions::kClamp))
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
            const u32 n = c > 32 ? 32 : c;
            return u32(((u64(b) << 32 | a) << n) >> 32);
        });
    if (s.has(instructions::kLeft) && s.has(instructions::kWrap))
        return ternary<u32, u32, u32, u32>(
            [](u32 a, u32 b, u32 c) { return u32(((u64(b) << 32 | a) << (c & 31)) >> 32); });
    if (s.has(instructions::kRight) && s.has(instructions::kClamp))
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
            const u32 n = c > 32 ? 32 : c;
            return u32((u64(b) << 32 | a) >> n);
        });
    if (s.has(instructions::kRight) && s.has(instructions::kWrap))
        return ternary<u32, u32, u32, u32>(
            [](u32 a, u32 b, u32 c) { return u32((u64(b) << 32 | a) >> (c & 31)); });
    return nullptr;
}

/// Any table: the result's bit is the table's at the position that the three bits spell.
void lop3(instructions::Warp& w, const instructions::Inst& in) {
    u32 term[8];
    for (unsigned i = 0; i < 8; ++i)
        term[i] = (in.imm >> i & 1) != 0 ? instructions::kAllLanes : 0;
    const auto select = [](u32 mask, u32 yes, u32 no) { return (mask & yes) | (~mask & no); };
    eachLane(
        w.exec, w.lanes<u32>(in.dst),
        [=](u32 a, u32 b, u32 c) {
            return select(a, select(b, select(c, term[7], term[6]), select(c, term[5], term[4])),
                          select(b, select(c, term[3], term[2]), select(c, term[1], term[0])));
        },
        w.lanes<u32>(in.a), w.lanes<u32>(in.b), w.lanes<u32>(in.c));
}

/// The tables that compilers emit most.
instructions::Handler commonLop3(u32 lut) {
    switch (lut) {
    case 0x96:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return a ^ b ^ c; });
    case 0x80:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return a & b & c; });
    case 0xFE:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return a | b | c; });
    case 0xF8:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return a | (b & c); });
    case 0xEA:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return (a & b) | c; });
    case 0xE8:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return (a & b) | (c & (a | b)); });
    case 0xCA:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); });
    default:
        return nullptr;
    }
}

instructions::Found findLop3(const instructions::Spec& s) {
    if (s.type() != instructions::Kind::B32 || !s.only(0) || s.operands != 5 || !s.widths(4, 4, 4, 4) ||
        !s.immediate[4])
        return {};
    if (const instructions::Handler common = commonLop3(s.bits[4] & 0xFF)) return {common, 0, 0};
    return {lop3, 0, s.bits[4] & 0xFF};
}

/// Immediate operands of predicate instructions: bit 0 and 1 of flags say that a and b are immediates, bits 2
/// and 3 their values.
template <instructions::Op Which>
void predicateLogic(instructions::Warp& w, const instructions::Inst& in) {
    const u32 a =
        (in.flags & 1) != 0 ? ((in.flags & 4) != 0 ? instructions::kAllLanes : 0) : w.predicate(in.a);
    if constexpr (Which == instructions::Op::Not) {
        storePredicate(w, in.dst, ~a);
    } else {
        const u32 b =
            (in.flags & 2) != 0 ? ((in.flags & 8) != 0 ? instructions::kAllLanes : 0) : w.predicate(in.b);
        storePredicate(w, in.dst,
                       Which == instructions::Op::And  ? a & b
                       : Which == instructions::Op::Or ? a | b
                                                       : a ^ b);
    }
}

instructions::Found findPredicate(const instructions::Spec& s) {
    instructions::Found found;
    for (unsigned i = 1; i < s.operands && i < 3; ++i) {
        if (!s.immediate[i] && !s.predicate[i]) return {};
        if (s.immediate[i])
            found.flags |= static_cast<u16>((1u << (i - 1)) | (s.bits[i] != 0 ? 4u << (i - 1) : 0));
    }
    if (!s.predicate[0]) return {};
    switch (s.op) {
    case instructions::Op::And:
        found.run = predicateLogic<instructions::Op::And>;
        break;
    case instructions::Op::Or:
        found.run = predicateLogic<instructions::Op::Or>;
        break;
    case instructions::Op::Xor:
        found.run = predicateLogic<instructions::Op::Xor>;
        break;
    case instructions::Op::Not:
        found.run = predicateLogic<instructions::Op::Not>;
        break;
    default:
        return {};
    }
    return found;
}

} // namespace

instructions::Found findLogic(const instructions::Spec& s) {
    const instructions::Kind type = s.type();
    const unsigned bytes = instructions::bytesOf(type);
    if (s.typeCount != 1 || s.rounding != instructions::Rounding::None) return {};
    if (s.op == instructions::Op::Lop3) return findLop3(s);
    if (s.op == instructions::Op::Shf) {
        if (type != instructions::Kind::B32 ||
            !s.only(instructions::kLeft | instructions::kRight | instructions::kClamp |
                    instructions::kWrap) ||
            !s.widths(4, 4, 4, 4))
            return {};
        return {funnel(s), 0, 0};
    }
    if (!s.only(0)) return {};
    if (type == instructions::Kind::Pred) return findPredicate(s);
    if (s.op == instructions::Op::Shl || s.op == instructions::Op::Shr) {
        if (!s.widths(bytes, bytes, 4)) return {};
        switch (bytes) {
        case 2:
            return {shift<u16, s16>(s), 0, 0};
        case 4:
            return {shift<u32, s32>(s), 0, 0};
        case 8:
            return {shift<u64, s64>(s), 0, 0};
        default:
            return {};
        }
    }
    const bool one = s.op == instructions::Op::Not || s.op == instructions::Op::Cnot;
    if (!(one ? s.widths(bytes, bytes) : s.widths(bytes, bytes, bytes))) return {};
    switch (bytes) {
    case 2:
        return {logic<u16>(s.op), 0, 0};
    case 4:
        return {logic<u32>(s.op), 0, 0};
    case 8:
        return {logic<u64>(s.op), 0, 0};
    default:
        return {};
    }
}

} // namespace dormer::emulator::lanes::DORMER_ISA
