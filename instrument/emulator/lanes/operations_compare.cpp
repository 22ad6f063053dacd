// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/operation.h"
#include "instrument/emulator/lanes/compare_values.h"
#include "instrument/emulator/lanes/float_lanes.h"
#include "instrument/emulator/lanes/half_lanes.h"
#include "instrument/emulator/lanes/lane_bits.h"

/// setp, set, selp, slct, testp.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

u32 join(const instructions::Warp& w, const instructions::Inst& in, u32 bits) {
    const auto how = static_cast<instructions::Combine>(in.flags & kCombineMask);
    if (how == instructions::Combine::None) return bits;
    u32 c = w.predicate(in.c);
    if ((in.flags & instructions::kNegatedC) != 0) c = ~c;
    return how == instructions::Combine::And  ? bits & c
           : how == instructions::Combine::Or ? bits | c
                                              : bits ^ c;
}

/// Where the lanes' answers go: a predicate and its complement, or an integer or float of each lane.
struct ToPredicates {
    static void put(instructions::Warp& w, const instructions::Inst& in, u32 bits) {
        // q is the complement of the comparison, joined with c in the same way. Both are computed before
        // either is written: c may be one of them.
        const u32 p = join(w, in, bits), q = join(w, in, ~bits);
        if (in.dst.present()) storePredicate(w, in.dst, p);
        if (in.dst2.present()) storePredicate(w, in.dst2, q);
    }
};
template <typename T>
struct ToLanes {
    static void put(instructions::Warp& w, const instructions::Inst& in, u32 bits) {
        expandBits(w.exec, w.lanes<T>(in.dst), join(w, in, bits), T(in.imm), T(0));
    }
};

template <typename To, instructions::Compare Which, typename T, bool Ftz>
void compare(instructions::Warp& w, const instructions::Inst& in) {
    const auto test = [](T a, T b) {
        if constexpr (Ftz) return compareValues<Which>(flush(a), flush(b));
        return compareValues<Which>(a, b);
    };
    To::put(w, in, testLanes(test, w.lanes<T>(in.a), w.lanes<T>(in.b)));
}

template <typename To, instructions::Compare Which, typename Format, bool Ftz>
void compareHalf(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) float a[instructions::kLanes], b[instructions::kLanes];
    Format::template widen<instructions::kLanes, Ftz>(w.lanes<u16>(in.a), a);
    Format::template widen<instructions::kLanes, Ftz>(w.lanes<u16>(in.b), b);
    To::put(w, in, testLanes([](float x, float y) { return compareValues<Which>(x, y); }, a, b));
}

/// Where two comparisons of packed halves go: p from the low ones and q from the high ones, or the two halves
/// of a register, `imm` for true.
struct PairToPredicates {
    static void put(instructions::Warp& w, const instructions::Inst& in, u32 low, u32 high) {
        const u32 p = join(w, in, low), q = join(w, in, high);
        if (in.dst.present()) storePredicate(w, in.dst, p);
        if (in.dst2.present()) storePredicate(w, in.dst2, q);
    }
};
struct PairToLanes {
    static void put(instructions::Warp& w, const instructions::Inst& in, u32 low, u32 high) {
        const u32 yes = u32(in.imm), p = join(w, in, low), q = join(w, in, high);
        alignas(64) u32 values[instructions::kLanes];
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = ((p >> i & 1) != 0 ? yes : 0) | ((q >> i & 1) != 0 ? yes << 16 : 0);
        store(w.exec, w.lanes<u32>(in.dst), values);
    }
};

template <typename To, instructions::Compare Which, typename Format, bool Ftz>
void comparePair(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) float a[2 * instructions::kLanes], b[2 * instructions::kLanes];
    Format::template widen<2 * instructions::kLanes, Ftz>(w.lanes<u16>(in.a), a);
    Format::template widen<2 * instructions::kLanes, Ftz>(w.lanes<u16>(in.b), b);
    u32 low = 0, high = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        low |= u32(compareValues<Which>(a[2 * i], b[2 * i])) << i;
        high |= u32(compareValues<Which>(a[2 * i + 1], b[2 * i + 1])) << i;
    }
    To::put(w, in, low, high);
}

template <typename To, typename T, bool Ftz>
instructions::Handler ofFloat(instructions::Compare which) {
    return withCompare(
        which, []<instructions::Compare W>() -> instructions::Handler { return compare<To, W, T, Ftz>; });
}
template <typename To, typename T>
instructions::Handler ofInteger(instructions::Compare which) {
    switch (which) {
    case instructions::Compare::Eq:
        return compare<To, instructions::Compare::Eq, T, false>;
    case instructions::Compare::Ne:
        return compare<To, instructions::Compare::Neu, T, false>;
    case instructions::Compare::Lt:
        return compare<To, instructions::Compare::Lt, T, false>;
    case instructions::Compare::Le:
        return compare<To, instructions::Compare::Le, T, false>;
    case instructions::Compare::Gt:
        return compare<To, instructions::Compare::Gt, T, false>;
    case instructions::Compare::Ge:
        return compare<To, instructions::Compare::Ge, T, false>;
    default:
        return nullptr;
    }
}
template <typename To, typename Format>
instructions::Handler ofHalf(instructions::Compare which, bool ftz) {
    if (ftz)
        return withCompare(which, []<instructions::Compare W>() -> instructions::Handler {
            return compareHalf<To, W, Format, true>;
        });
    return withCompare(which, []<instructions::Compare W>() -> instructions::Handler {
        return compareHalf<To, W, Format, false>;
    });
}
template <typename To, typename Format>
instructions::Handler ofPair(instructions::Compare which, bool ftz) {
    if (ftz)
        return withCompare(which, []<instructions::Compare W>() -> instructions::Handler {
            return comparePair<To, W, Format, true>;
        });
    return withCompare(which, []<instructions::Compare W>() -> instructions::Handler {
        return comparePair<To, W, Format, false>;
    });
}
template <typename To>
instructions::Handler ofPair(instructions::Kind type, instructions::Compare which, bool ftz) {
    return type == instructions::Kind::F16x2 ? ofPair<To, Binary16>(which, ftz)
                                             : ofPair<To, Bfloat16>(which, ftz);
}

template <typename To>
instructions::Handler ofType(instructions::Kind type, instructions::Compare which, bool ftz) {
    if (ftz && type != instructions::Kind::F32 && !instructions::isHalf(type)) return nullptr;
    switch (type) {
    case instructions::Kind::B16:
    case instructions::Kind::U16:
        return ofInteger<To, u16>(which);
    case instructions::Kind::S16:
        return ofInteger<To, s16>(which);
    case instructions::Kind::B32:
    case instructions::Kind::U32:
        return ofInteger<To, u32>(which);
    case instructions::Kind::S32:
        return ofInteger<To, s32>(which);
    case instructions::Kind::B64:
    case instructions::Kind::U64:
        return ofInteger<To, u64>(which);
    case instructions::Kind::S64:
        return ofInteger<To, s64>(which);
    case instructions::Kind::F32:
        return ftz ? ofFloat<To, float, true>(which) : ofFloat<To, float, false>(which);
    case instructions::Kind::F64:
        return ofFloat<To, double, false>(which);
    case instructions::Kind::F16:
        return ofHalf<To, Binary16>(which, ftz);
    case instructions::Kind::BF16:
        return ofHalf<To, Bfloat16>(which, ftz);
    default:
        return nullptr;
    }
}

instructions::Found findSetp(const instructions::Spec& s) {
    const unsigned bytes = instructions::bytesOf(s.type());
    const bool joins = s.combine != instructions::Combine::None;
    if (s.typeCount != 1 || !s.only(instructions::kFtz) || s.operands != (joins ? 4 : 3)) return {};
    if (s.bytes[1] != bytes || s.bytes[2] != bytes || (joins && !s.predicate[3])) return {};
    instructions::Found found;
    found.flags = static_cast<u16>(s.combine);
    if (s.type() == instructions::Kind::F16x2 || s.type() == instructions::Kind::BF16x2)
        found.run = ofPair<PairToPredicates>(s.type(), s.compare, s.has(instructions::kFtz));
    else
        found.run = ofType<ToPredicates>(s.type(), s.compare, s.has(instructions::kFtz));
    return found;
}

instructions::Found findSet(const instructions::Spec& s) {
    const bool joins = s.combine != instructions::Combine::None;
    if (s.typeCount != 2 || !s.only(instructions::kFtz) || s.operands != (joins ? 4 : 3)) return {};
    const unsigned bytes = instructions::bytesOf(s.types[1]), dst = instructions::bytesOf(s.types[0]);
    if (!s.widths(dst, bytes, bytes) || (joins && !s.predicate[3])) return {};
    instructions::Found found;
    found.flags = static_cast<u16>(s.combine);
    if (s.types[1] == instructions::Kind::F16x2 || s.types[1] == instructions::Kind::BF16x2) {
        // Integer results are ones in the half that holds.
        const bool integer = s.types[0] == instructions::Kind::U32 || s.types[0] == instructions::Kind::S32;
        if (!integer && s.types[0] != s.types[1]) return {};
        found.imm = integer ? 0xFFFF : s.types[0] == instructions::Kind::F16x2 ? 0x3C00 : 0x3F80;
        found.run = ofPair<PairToLanes>(s.types[1], s.compare, s.has(instructions::kFtz));
        return found;
    }
    switch (s.types[0]) {
    case instructions::Kind::U32:
    case instructions::Kind::S32:
        found.imm = 0xFFFFFFFF;
        break;
    case instructions::Kind::F32:
        found.imm = 0x3F800000;
        break;
    case instructions::Kind::U16:
    case instructions::Kind::S16:
        found.imm = 0xFFFF;
        break;
    case instructions::Kind::F16:
        found.imm = 0x3C00;
        break;
    case instructions::Kind::BF16:
        found.imm = 0x3F80;
        break;
    default:
        return {};
    }
    found.run = dst == 4 ? ofType<ToLanes<u32>>(s.types[1], s.compare, s.has(instructions::kFtz))
                         : ofType<ToLanes<u16>>(s.types[1], s.compare, s.has(instructions::kFtz));
    return found;
}

template <typename T>
void select(instructions::Warp& w, const instructions::Inst& in) {
    u32 word = w.predicate(in.c);
    if ((in.flags & instructions::kNegatedC) != 0) word = ~word;
    const T* a = w.lanes<T>(in.a);
    const T* b = w.lanes<T>(in.b);
    T* dst = w.lanes<T>(in.dst);
    if (w.exec == instructions::kAllLanes) {
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            dst[i] = (word >> i & 1) != 0 ? a[i] : b[i];
    } else {
        const u32 exec = w.exec;
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i) {
            const T value = (word >> i & 1) != 0 ? a[i] : b[i];
            dst[i] = (exec >> i & 1) != 0 ? value : dst[i];
        }
    }
}

template <typename T>
instructions::Handler signSelect(instructions::Kind type, bool ftz) {
    if (type == instructions::Kind::S32 && !ftz)
        return ternary<T, T, T, s32>([](T a, T b, s32 c) { return c >= 0 ? a : b; });
    if (type != instructions::Kind::F32) return nullptr;
    if (ftz) return ternary<T, T, T, float>([](T a, T b, float c) { return flush(c) >= 0 ? a : b; });
    return ternary<T, T, T, float>([](T a, T b, float c) { return c >= 0 ? a : b; });
}

/// Classes of IEEE values, by exponent and mantissa.
template <typename U, u32 ExponentBits>
void testProperty(instructions::Warp& w, const instructions::Inst& in) {
    constexpr u32 kMantissa = sizeof(U) * 8 - 1 - ExponentBits;
    constexpr U kMagnitude = ~(U(1) << (sizeof(U) * 8 - 1));
    constexpr U kInfinity = ((U(1) << ExponentBits) - 1) << kMantissa;
    const u64 wanted = in.imm;
    const auto test = [=](U bits) {
        const U magnitude = bits & kMagnitude;
        switch (wanted) {
        case instructions::kFinite:
            return magnitude < kInfinity;
        case instructions::kInfinite:
            return magnitude == kInfinity;
        case instructions::kNumber:
            return magnitude <= kInfinity;
        case instructions::kNotNumber:
            return magnitude > kInfinity;
        case instructions::kNormal:
            return magnitude < kInfinity && (magnitude & kInfinity) != 0;
        default:
            return magnitude != 0 && (magnitude & kInfinity) == 0; // subnormal
        }
    };
    storePredicate(w, in.dst, testLanes(test, w.lanes<U>(in.a)));
}

instructions::Found findTestp(const instructions::Spec& s) {
    constexpr u64 kClasses = instructions::kFinite | instructions::kInfinite | instructions::kNumber |
                             instructions::kNotNumber | instructions::kNormal | instructions::kSubnormal;
    if (s.typeCount != 1 || !s.only(kClasses) || (s.flags & (s.flags - 1)) != 0 || s.flags == 0) return {};
    if (!s.predicate[0] || s.bytes[1] != instructions::bytesOf(s.type())) return {};
    if (s.type() == instructions::Kind::F32) return {testProperty<u32, 8>, 0, s.flags};
    if (s.type() == instructions::Kind::F64) return {testProperty<u64, 11>, 0, s.flags};
    return {};
}

} // namespace

instructions::Found findCompare(const instructions::Spec& s) {
    if (s.rounding != instructions::Rounding::None) return {};
    const unsigned bytes = instructions::bytesOf(s.type());
    switch (s.op) {
    case instructions::Op::Setp:
        return findSetp(s);
    case instructions::Op::Set:
        return findSet(s);
    case instructions::Op::Testp:
        return findTestp(s);
    case instructions::Op::Selp:
        if (s.typeCount != 1 || !s.only(0) || s.operands != 4 || !s.predicate[3] ||
            !s.widths(bytes, bytes, bytes))
            return {};
        switch (bytes) {
        case 2:
            return {select<u16>, 0, 0};
        case 4:
            return {select<u32>, 0, 0};
        case 8:
            return {select<u64>, 0, 0};
        default:
            return {};
        }
    case instructions::Op::Slct:
        if (s.typeCount != 2 || !s.only(instructions::kFtz) || !s.widths(bytes, bytes, bytes, 4)) return {};
        switch (bytes) {
        case 2:
            return {signSelect<u16>(s.types[1], s.has(instructions::kFtz)), 0, 0};
        case 4:
            return {signSelect<u32>(s.types[1], s.has(instructions::kFtz)), 0, 0};
        case 8:
            return {signSelect<u64>(s.types[1], s.has(instructions::kFtz)), 0, 0};
        default:
            return {};
        }
    default:
        return {};
    }
}

} // namespace dormer::emulator::lanes::DORMER_ISA
