// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/compare_values.h"
#include "instrument/emulator/exec/float_lanes.h"
#include "instrument/emulator/exec/half_lanes.h"
#include "instrument/emulator/exec/lane_bits.h"
#include "instrument/emulator/exec/operations.h"

/// setp, set, selp, slct, testp.
namespace dormer::emulator::DORMER_ISA {
namespace {

u32 join(const Warp& w, const Inst& in, u32 bits) {
    const auto how = static_cast<Combine>(in.flags & kCombineMask);
    if (how == Combine::None) return bits;
    u32 c = w.predicate(in.c);
    if ((in.flags & kNegatedC) != 0) c = ~c;
    return how == Combine::And ? bits & c : how == Combine::Or ? bits | c : bits ^ c;
}

/// Where the lanes' answers go: a predicate and its complement, or an integer or float of each lane.
struct ToPredicates {
    static void put(Warp& w, const Inst& in, u32 bits) {
        // q is the complement of the comparison, joined with c in the same way. Both are computed before
        // either is written: c may be one of them.
        const u32 p = join(w, in, bits), q = join(w, in, ~bits);
        if (in.dst.present()) storePredicate(w, in.dst, p);
        if (in.dst2.present()) storePredicate(w, in.dst2, q);
    }
};
template <typename T>
struct ToLanes {
    static void put(Warp& w, const Inst& in, u32 bits) {
        expandBits(w.exec, w.lanes<T>(in.dst), join(w, in, bits), T(in.imm), T(0));
    }
};

template <typename To, Compare Which, typename T, bool Ftz>
void compare(Warp& w, const Inst& in) {
    const auto test = [](T a, T b) {
        if constexpr (Ftz) return compareValues<Which>(flush(a), flush(b));
        return compareValues<Which>(a, b);
    };
    To::put(w, in, testLanes(test, w.lanes<T>(in.a), w.lanes<T>(in.b)));
}

template <typename To, Compare Which, typename Format, bool Ftz>
void compareHalf(Warp& w, const Inst& in) {
    alignas(64) float a[kLanes], b[kLanes];
    Format::template widen<kLanes, Ftz>(w.lanes<u16>(in.a), a);
    Format::template widen<kLanes, Ftz>(w.lanes<u16>(in.b), b);
    To::put(w, in, testLanes([](float x, float y) { return compareValues<Which>(x, y); }, a, b));
}

/// Where two comparisons of packed halves go: p from the low ones and q from the high ones, or the two halves
/// of a register, `imm` for true.
struct PairToPredicates {
    static void put(Warp& w, const Inst& in, u32 low, u32 high) {
        const u32 p = join(w, in, low), q = join(w, in, high);
        if (in.dst.present()) storePredicate(w, in.dst, p);
        if (in.dst2.present()) storePredicate(w, in.dst2, q);
    }
};
struct PairToLanes {
    static void put(Warp& w, const Inst& in, u32 low, u32 high) {
        const u32 yes = u32(in.imm), p = join(w, in, low), q = join(w, in, high);
        alignas(64) u32 values[kLanes];
        for (unsigned i = 0; i < kLanes; ++i)
            values[i] = ((p >> i & 1) != 0 ? yes : 0) | ((q >> i & 1) != 0 ? yes << 16 : 0);
        store(w.exec, w.lanes<u32>(in.dst), values);
    }
};

template <typename To, Compare Which, typename Format, bool Ftz>
void comparePair(Warp& w, const Inst& in) {
    alignas(64) float a[2 * kLanes], b[2 * kLanes];
    Format::template widen<2 * kLanes, Ftz>(w.lanes<u16>(in.a), a);
    Format::template widen<2 * kLanes, Ftz>(w.lanes<u16>(in.b), b);
    u32 low = 0, high = 0;
    for (unsigned i = 0; i < kLanes; ++i) {
        low |= u32(compareValues<Which>(a[2 * i], b[2 * i])) << i;
        high |= u32(compareValues<Which>(a[2 * i + 1], b[2 * i + 1])) << i;
    }
    To::put(w, in, low, high);
}

template <typename To, typename T, bool Ftz>
Handler ofFloat(Compare which) {
    return withCompare(which, []<Compare W>() -> Handler { return compare<To, W, T, Ftz>; });
}
template <typename To, typename T>
Handler ofInteger(Compare which) {
    switch (which) {
    case Compare::Eq:
        return compare<To, Compare::Eq, T, false>;
    case Compare::Ne:
        return compare<To, Compare::Neu, T, false>;
    case Compare::Lt:
        return compare<To, Compare::Lt, T, false>;
    case Compare::Le:
        return compare<To, Compare::Le, T, false>;
    case Compare::Gt:
        return compare<To, Compare::Gt, T, false>;
    case Compare::Ge:
        return compare<To, Compare::Ge, T, false>;
    default:
        return nullptr;
    }
}
template <typename To, typename Format>
Handler ofHalf(Compare which, bool ftz) {
    if (ftz)
        return withCompare(which, []<Compare W>() -> Handler { return compareHalf<To, W, Format, true>; });
    return withCompare(which, []<Compare W>() -> Handler { return compareHalf<To, W, Format, false>; });
}
template <typename To, typename Format>
Handler ofPair(Compare which, bool ftz) {
    if (ftz)
        return withCompare(which, []<Compare W>() -> Handler { return comparePair<To, W, Format, true>; });
    return withCompare(which, []<Compare W>() -> Handler { return comparePair<To, W, Format, false>; });
}
template <typename To>
Handler ofPair(Kind type, Compare which, bool ftz) {
    return type == Kind::F16x2 ? ofPair<To, Binary16>(which, ftz) : ofPair<To, Bfloat16>(which, ftz);
}

template <typename To>
Handler ofType(Kind type, Compare which, bool ftz) {
    if (ftz && type != Kind::F32 && !isHalf(type)) return nullptr;
    switch (type) {
    case Kind::B16:
    case Kind::U16:
        return ofInteger<To, u16>(which);
    case Kind::S16:
        return ofInteger<To, s16>(which);
    case Kind::B32:
    case Kind::U32:
        return ofInteger<To, u32>(which);
    case Kind::S32:
        return ofInteger<To, s32>(which);
    case Kind::B64:
    case Kind::U64:
        return ofInteger<To, u64>(which);
    case Kind::S64:
        return ofInteger<To, s64>(which);
    case Kind::F32:
        return ftz ? ofFloat<To, float, true>(which) : ofFloat<To, float, false>(which);
    case Kind::F64:
        return ofFloat<To, double, false>(which);
    case Kind::F16:
        return ofHalf<To, Binary16>(which, ftz);
    case Kind::BF16:
        return ofHalf<To, Bfloat16>(which, ftz);
    default:
        return nullptr;
    }
}

Found findSetp(const Spec& s) {
    const unsigned bytes = bytesOf(s.type());
    const bool joins = s.combine != Combine::None;
    if (s.typeCount != 1 || !s.only(kFtz) || s.operands != (joins ? 4 : 3)) return {};
    if (s.bytes[1] != bytes || s.bytes[2] != bytes || (joins && !s.predicate[3])) return {};
    Found found;
    found.flags = static_cast<u16>(s.combine);
    if (s.type() == Kind::F16x2 || s.type() == Kind::BF16x2)
        found.run = ofPair<PairToPredicates>(s.type(), s.compare, s.has(kFtz));
    else
        found.run = ofType<ToPredicates>(s.type(), s.compare, s.has(kFtz));
    return found;
}

Found findSet(const Spec& s) {
    const bool joins = s.combine != Combine::None;
    if (s.typeCount != 2 || !s.only(kFtz) || s.operands != (joins ? 4 : 3)) return {};
    const unsigned bytes = bytesOf(s.types[1]), dst = bytesOf(s.types[0]);
    if (!s.widths(dst, bytes, bytes) || (joins && !s.predicate[3])) return {};
    Found found;
    found.flags = static_cast<u16>(s.combine);
    if (s.types[1] == Kind::F16x2 || s.types[1] == Kind::BF16x2) {
        // Integer results are ones in the half that holds.
        const bool integer = s.types[0] == Kind::U32 || s.types[0] == Kind::S32;
        if (!integer && s.types[0] != s.types[1]) return {};
        found.imm = integer ? 0xFFFF : s.types[0] == Kind::F16x2 ? 0x3C00 : 0x3F80;
        found.run = ofPair<PairToLanes>(s.types[1], s.compare, s.has(kFtz));
        return found;
    }
    switch (s.types[0]) {
    case Kind::U32:
    case Kind::S32:
        found.imm = 0xFFFFFFFF;
        break;
    case Kind::F32:
        found.imm = 0x3F800000;
        break;
    case Kind::U16:
    case Kind::S16:
        found.imm = 0xFFFF;
        break;
    case Kind::F16:
        found.imm = 0x3C00;
        break;
    case Kind::BF16:
        found.imm = 0x3F80;
        break;
    default:
        return {};
    }
    found.run = dst == 4 ? ofType<ToLanes<u32>>(s.types[1], s.compare, s.has(kFtz))
                         : ofType<ToLanes<u16>>(s.types[1], s.compare, s.has(kFtz));
    return found;
}

template <typename T>
void select(Warp& w, const Inst& in) {
    u32 word = w.predicate(in.c);
    if ((in.flags & kNegatedC) != 0) word = ~word;
    const T* a = w.lanes<T>(in.a);
    const T* b = w.lanes<T>(in.b);
    T* dst = w.lanes<T>(in.dst);
    if (w.exec == kAllLanes) {
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            dst[i] = (word >> i & 1) != 0 ? a[i] : b[i];
    } else {
        const u32 exec = w.exec;
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i) {
            const T value = (word >> i & 1) != 0 ? a[i] : b[i];
            dst[i] = (exec >> i & 1) != 0 ? value : dst[i];
        }
    }
}

template <typename T>
Handler signSelect(Kind type, bool ftz) {
    if (type == Kind::S32 && !ftz)
        return ternary<T, T, T, s32>([](T a, T b, s32 c) { return c >= 0 ? a : b; });
    if (type != Kind::F32) return nullptr;
    if (ftz) return ternary<T, T, T, float>([](T a, T b, float c) { return flush(c) >= 0 ? a : b; });
    return ternary<T, T, T, float>([](T a, T b, float c) { return c >= 0 ? a : b; });
}

/// Classes of IEEE values, by exponent and mantissa.
template <typename U, u32 ExponentBits>
void testProperty(Warp& w, const Inst& in) {
    constexpr u32 kMantissa = sizeof(U) * 8 - 1 - ExponentBits;
    constexpr U kMagnitude = ~(U(1) << (sizeof(U) * 8 - 1));
    constexpr U kInfinity = ((U(1) << ExponentBits) - 1) << kMantissa;
    const u64 wanted = in.imm;
    const auto test = [=](U bits) {
        const U magnitude = bits & kMagnitude;
        switch (wanted) {
        case kFinite:
            return magnitude < kInfinity;
        case kInfinite:
            return magnitude == kInfinity;
        case kNumber:
            return magnitude <= kInfinity;
        case kNotNumber:
            return magnitude > kInfinity;
        case kNormal:
            return magnitude < kInfinity && (magnitude & kInfinity) != 0;
        default:
            return magnitude != 0 && (magnitude & kInfinity) == 0; // subnormal
        }
    };
    storePredicate(w, in.dst, testLanes(test, w.lanes<U>(in.a)));
}

Found findTestp(const Spec& s) {
    constexpr u64 kClasses = kFinite | kInfinite | kNumber | kNotNumber | kNormal | kSubnormal;
    if (s.typeCount != 1 || !s.only(kClasses) || (s.flags & (s.flags - 1)) != 0 || s.flags == 0) return {};
    if (!s.predicate[0] || s.bytes[1] != bytesOf(s.type())) return {};
    if (s.type() == Kind::F32) return {testProperty<u32, 8>, 0, s.flags};
    if (s.type() == Kind::F64) return {testProperty<u64, 11>, 0, s.flags};
    return {};
}

} // namespace

Found findCompare(const Spec& s) {
    if (s.rounding != Rounding::None) return {};
    const unsigned bytes = bytesOf(s.type());
    switch (s.op) {
    case Op::Setp:
        return findSetp(s);
    case Op::Set:
        return findSet(s);
    case Op::Testp:
        return findTestp(s);
    case Op::Selp:
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
    case Op::Slct:
        if (s.typeCount != 2 || !s.only(kFtz) || !s.widths(bytes, bytes, bytes, 4)) return {};
        switch (bytes) {
        case 2:
            return {signSelect<u16>(s.types[1], s.has(kFtz)), 0, 0};
        case 4:
            return {signSelect<u32>(s.types[1], s.has(kFtz)), 0, 0};
        case 8:
            return {signSelect<u64>(s.types[1], s.has(kFtz)), 0, 0};
        default:
            return {};
        }
    default:
        return {};
    }
}

} // namespace dormer::emulator::DORMER_ISA
