// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/lane_loop.h"

#include <type_traits>

/// Integer addition, multiplication, minimum and their relatives. Two's complement throughout: what does not
/// depend on the sign is done unsigned.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

template <typename T>
struct Wider;
template <>
struct Wider<u16> {
    using Type = u32;
};
template <>
struct Wider<s16> {
    using Type = s32;
};
template <>
struct Wider<u32> {
    using Type = u64;
};
template <>
struct Wider<s32> {
    using Type = s64;
};
template <>
struct Wider<u64> {
    using Type = unsigned __int128;
};
template <>
struct Wider<s64> {
    using Type = __int128;
};

/// An unsigned type that does not promote to int.
template <typename T>
struct Plain {
    using Type = u32;
};
template <>
struct Plain<u64> {
    using Type = u64;
};
template <>
struct Plain<s64> {
    using Type = u64;
};

inline s32 saturate32(s64 v) {
    return static_cast<s32>(v > 0x7FFFFFFF ? 0x7FFFFFFF : v < -0x80000000LL ? -0x80000000LL : v);
}

template <typename T>
instructions::Handler sameWidth(const instructions::Spec& s) {
    using P = typename Plain<T>::Type;
    using W = typename Wider<T>::Type;
    constexpr unsigned kBits = sizeof(T) * 8;
    switch (s.op) {
    case instructions::Op::Add:
        return binary<T, T, T>([](T a, T b) { return T(P(a) + P(b)); });
    case instructions::Op::Sub:
        return binary<T, T, T>([](T a, T b) { return T(P(a) - P(b)); });
    case instructions::Op::Mul:
        if (s.has(instructions::kHigh))
            return binary<T, T, T>([](T a, T b) { return T((W(a) * W(b)) >> kBits); });
        return binary<T, T, T>([](T a, T b) { return T(P(a) * P(b)); });
    case instructions::Op::Mad:
        if (s.has(instructions::kHigh))
            return ternary<T, T, T, T>([](T a, T b, T c) { return T(P(T((W(a) * W(b)) >> kBits)) + P(c)); });
        return ternary<T, T, T, T>([](T a, T b, T c) { return T(P(a) * P(b) + P(c)); });
    case instructions::Op::Sad:
        return ternary<T, T, T, T>(
            [](T a, T b, T c) { return T(P(c) + (a < b ? P(b) - P(a) : P(a) - P(b))); });
    case instructions::Op::Abs:
        return unary<T, T>([](T a) { return a < T(0) ? T(P(0) - P(a)) : a; });
    case instructions::Op::Neg:
        return unary<T, T>([](T a) { return T(P(0) - P(a)); });
    case instructions::Op::Min:
        if constexpr (std::is_same_v<T, s32>)
            if (s.has(instructions::kRelu))
                return binary<T, T, T>([](T a, T b) {
                    const T m = a < b ? a : b;
                    return m < T(0) ? T(0) : m;
                });
        return binary<T, T, T>([](T a, T b) { return a < b ? a : b; });
    case instructions::Op::Max:
        if constexpr (std::is_same_v<T, s32>)
            if (s.has(instructions::kRelu))
                return binary<T, T, T>([](T a, T b) {
                    const T m = a > b ? a : b;
                    return m < T(0) ? T(0) : m;
                });
        return binary<T, T, T>([](T a, T b) { return a > b ? a : b; });
    default:
        return nullptr;
    }
}

instructions::Handler saturating(const instructions::Spec& s) {
    if (s.type() != instructions::Kind::S32) return nullptr;
    switch (s.op) {
    case instructions::Op::Add:
        return binary<s32, s32, s32>([](s32 a, s32 b) { return saturate32(s64(a) + b); });
    case instructions::Op::Sub:
        return binary<s32, s32, s32>([](s32 a, s32 b) { return saturate32(s64(a) - b); });
    case instructions::Op::Mad:
        if (!s.has(instructions::kHigh)) return nullptr;
        return ternary<s32, s32, s32, s32>(
            [](s32 a, s32 b, s32 c) { return saturate32(((s64(a) * b) >> 32) + c); });
    case instructions::Op::Mad24:
        if (!s.has(instructions::kHigh)) return nullptr;
        return ternary<s32, s32, s32, s32>([](s32 a, s32 b, s32 c) {
            const s64 product = s64(s32(u32(a) << 8) >> 8) * (s32(u32(b) << 8) >> 8);
            return saturate32(s64(s32(product >> 16)) + c);
        });
    default:
        return nullptr;
    }
}

template <typename T>
instructions::Handler widening(const instructions::Spec& s) {
    using W = typename Wider<T>::Type;
    using P = typename Plain<W>::Type;
    if (s.op == instructions::Op::Mul) return binary<W, T, T>([](T a, T b) { return W(P(W(a)) * P(W(b))); });
    if (s.op == instructions::Op::Mad)
        return ternary<W, T, T, W>([](T a, T b, W c) { return W(P(W(a)) * P(W(b)) + P(c)); });
    return nullptr;
}

template <typename T>
instructions::Handler mul24(const instructions::Spec& s) {
    // The low 24 bits of the operands; .lo gives bits 31..0 of the 48-bit product, .hi bits 47..16.
    struct Product {
        static s64 of(T a, T b) { return s64(T(u32(a) << 8) >> 8) * s64(T(u32(b) << 8) >> 8); }
    };
    if (s.op == instructions::Op::Mul24) {
        if (s.has(instructions::kHigh))
            return binary<T, T, T>([](T a, T b) { return T(Product::of(a, b) >> 16); });
        return binary<T, T, T>([](T a, T b) { return T(Product::of(a, b)); });
    }
    if (s.has(instructions::kHigh))
        return ternary<T, T, T, T>([](T a, T b, T c) { return T(u32(Product::of(a, b) >> 16) + u32(c)); });
    return ternary<T, T, T, T>([](T a, T b, T c) { return T(u32(Product::of(a, b)) + u32(c)); });
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc: the carry flags of a warp's lanes are one word.
template <typename T, bool Subtract, bool Multiply, bool CarryIn, bool CarryOut>
void carryChain(instructions::Warp& w, const instructions::Inst& in) {
    using W = unsigned __int128;
    constexpr unsigned kBits = sizeof(T) * 8;
    const T* a = w.lanes<T>(in.a);
    const T* b = w.lanes<T>(in.b);
    const T* c = Multiply ? w.lanes<T>(in.c) : nullptr;
    T* dst = w.lanes<T>(in.dst);
    u32 carry = w.carry;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if ((w.exec >> i & 1) == 0) continue;
        const W flag = CarryIn ? (carry >> i & 1) : 0;
        W sum = 0;
        if constexpr (Multiply) {
            const bool high = (in.flags & 1) != 0, isSigned = (in.flags & 2) != 0;
            T term;
            if (!high)
                term = T(a[i] * b[i]);
            else if (isSigned)
                term = T((__int128(std::make_signed_t<T>(a[i])) * std::make_signed_t<T>(b[i])) >> kBits);
            else
                term = T((W(a[i]) * b[i]) >> kBits);
            sum = W(term) + c[i] + flag;
        } else if constexpr (Subtract) {
            sum = W(a[i]) - b[i] - flag; // a borrow shows in the bits above
        } else {
            sum = W(a[i]) + b[i] + flag;
        }
        dst[i] = T(sum);
        if (CarryOut) carry = (carry & ~(1u << i)) | (u32(sum >> kBits) & 1) << i;
    }
    w.carry = carry;
}

template <typename T>
instructions::Found carry(const instructions::Spec& s) {
    const bool in =
        s.op == instructions::Op::Addc || s.op == instructions::Op::Subc || s.op == instructions::Op::Madc;
    const bool out = s.has(instructions::kCarryOut);
    instructions::Found found;
    found.flags =
        static_cast<u16>((s.has(instructions::kHigh) ? 1 : 0) | (instructions::isSigned(s.type()) ? 2 : 0));
    const auto pick = [&](instructions::Handler none, instructions::Handler onlyOut,
                          instructions::Handler onlyIn, instructions::Handler both) {
        found.run = in ? (out ? both : onlyIn) : (out ? onlyOut : none);
        return found;
    };
    switch (s.op) {
    case instructions::Op::Add:
    case instructions::Op::Addc:
        return pick(nullptr, carryChain<T, false, false, false, true>,
                    carryChain<T, false, false, true, false>, carryChain<T, false, false, true, true>);
    case instructions::Op::Sub:
    case instructions::Op::Subc:
        return pick(nullptr, carryChain<T, true, false, false, true>, carryChain<T, true, false, true, false>,
                    carryChain<T, true, false, true, true>);
    case instructions::Op::Mad:
    case instructions::Op::Madc:
        return pick(nullptr, carryChain<T, false, true, false, true>, carryChain<T, false, true, true, false>,
                    carryChain<T, false, true, true, true>);
    default:
        return {};
    }
}

/// u16x2 and s16x2: halves that don't carry into each other.
template <typename T>
instructions::Handler pairs(const instructions::Spec& s) {
    using PairOfT = T;
    switch (s.op) {
    case instructions::Op::Add:
        return binary<u32, u32, u32>(
            [](u32 a, u32 b) { return ((a & 0xFFFF0000) + (b & 0xFFFF0000)) | ((a + b) & 0xFFFF); });
    case instructions::Op::Min:
    case instructions::Op::Max: {
        const auto minimum = [](u32 a, u32 b) {
            const PairOfT al = PairOfT(a), bl = PairOfT(b), ah = PairOfT(a >> 16), bh = PairOfT(b >> 16);
            return u32(u16(al < bl ? al : bl)) | u32(u16(ah < bh ? ah : bh)) << 16;
        };
        const auto maximum = [](u32 a, u32 b) {
            const PairOfT al = PairOfT(a), bl = PairOfT(b), ah = PairOfT(a >> 16), bh = PairOfT(b >> 16);
            return u32(u16(al > bl ? al : bl)) | u32(u16(ah > bh ? ah : bh)) << 16;
        };
        const auto positive = [](u32 v) {
            return (v & 0x8000 ? 0 : v & 0xFFFF) | (v & 0x80000000 ? 0 : v & 0xFFFF0000);
        };
        using Minimum = decltype(minimum);
        using Maximum = decltype(maximum);
        using Positive = decltype(positive);
        if (s.has(instructions::kRelu)) {
            if (!instructions::isSigned(s.type())) return nullptr;
            if (s.op == instructions::Op::Min)
                return binary<u32, u32, u32>([](u32 a, u32 b) { return Positive{}(Minimum{}(a, b)); });
            return binary<u32, u32, u32>([](u32 a, u32 b) { return Positive{}(Maximum{}(a, b)); });
        }
        if (s.op == instructions::Op::Min) return binary<u32, u32, u32>(minimum);
        return binary<u32, u32, u32>(maximum);
    }
    default:
        return nullptr;
    }
}

/// dp4a, dp2a: .lo and .hi of dp2a choose the two bytes of b.
template <bool SignedA, bool SignedB, unsigned Terms, unsigned FirstByte>
instructions::Handler dotProduct() {
    return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
        u32 sum = c;
        for (unsigned t = 0; t < Terms; ++t) {
            const u32 rawA = Terms == 4 ? a >> 8 * t & 0xFF : a >> 16 * t & 0xFFFF;
            const u32 rawB = b >> 8 * (FirstByte + t) & 0xFF;
            const s32 x = !SignedA ? s32(rawA) : Terms == 4 ? s8(rawA) : s16(rawA);
            const s32 y = SignedB ? s32(s8(rawB)) : s32(rawB);
            sum += u32(x * y);
        }
        return sum;
    });
}
template <unsigned Terms, unsigned FirstByte>
instructions::Handler dotProduct(bool signedA, bool signedB) {
    if (signedA)
        return signedB ? dotProduct<true, true, Terms, FirstByte>()
                       : dotProduct<true, false, Terms, FirstByte>();
    return signedB ? dotProduct<false, true, Terms, FirstByte>()
                   : dotProduct<false, false, Terms, FirstByte>();
}

instructions::Found found(instructions::Handler run) {
    return {run, 0, 0};
}

bool carries(const instructions::Spec& s) {
    return s.has(instructions::kCarryOut) || s.op == instructions::Op::Addc ||
           s.op == instructions::Op::Subc || s.op == instructions::Op::Madc;
}

} // namespace

instructions::Found findInteger(const instructions::Spec& s) {
    const instructions::Kind type = s.type();
    const unsigned bytes = instructions::bytesOf(type);
    if (s.op == instructions::Op::Dp4a || s.op == instructions::Op::Dp2a) {
        if (s.typeCount != 2 || !s.widths(4, 4, 4, 4)) return {};
        const bool a = instructions::isSigned(s.types[0]), b = instructions::isSigned(s.types[1]);
        if (s.op == instructions::Op::Dp4a)
            return s.only(0) ? found(dotProduct<4, 0>(a, b)) : instructions::Found{};
        if (!s.only(instructions::kLow | instructions::kHigh)) return {};
        return found(s.has(instructions::kHigh) ? dotProduct<2, 2>(a, b) : dotProduct<2, 0>(a, b));
    }
    if (s.typeCount != 1 || s.rounding != instructions::Rounding::None) return {};
    if (type == instructions::Kind::U16x2 || type == instructions::Kind::S16x2) {
        if (!s.only(s.op == instructions::Op::Add ? 0 : u64(instructions::kRelu)) || !s.widths(4, 4, 4))
            return {};
        return found(type == instructions::Kind::U16x2 ? pairs<u16>(s) : pairs<s16>(s));
    }
    if (!instructions::isInteger(type) || bytes == 1) return {};
    if (s.has(instructions::kWide)) {
        if (!s.only(instructions::kWide) ||
            !(s.op == instructions::Op::Mad ? s.widths(bytes * 2, bytes, bytes, bytes * 2)
                                            : s.widths(bytes * 2, bytes, bytes)))
            return {};
        switch (type) {
        case instructions::Kind::U16:
            return found(widening<u16>(s));
        case instructions::Kind::S16:
            return found(widening<s16>(s));
        case instructions::Kind::U32:
            return found(widening<u32>(s));
        case instructions::Kind::S32:
            return found(widening<s32>(s));
        default:
            return {};
        }
    }
    const bool one = s.op == instructions::Op::Abs || s.op == instructions::Op::Neg;
    const bool three = s.op == instructions::Op::Mad || s.op == instructions::Op::Sad ||
                       s.op == instructions::Op::Mad24 || s.op == instructions::Op::Madc;
    if (!(one     ? s.widths(bytes, bytes)
          : three ? s.widths(bytes, bytes, bytes, bytes)
                  : s.widths(bytes, bytes, bytes)))
        return {};
    if (carries(s)) {
        if (!s.only(instructions::kCarryOut | instructions::kLow | instructions::kHigh)) return {};
        return bytes == 4 ? carry<u32>(s) : bytes == 8 ? carry<u64>(s) : instructions::Found{};
    }
    if (s.has(instructions::kSat))
        return s.only(instructions::kSat | instructions::kHigh) ? found(saturating(s))
                                                                : instructions::Found{};
    if (!s.only(instructions::kLow | instructions::kHigh | instructions::kRelu)) return {};
    if (s.has(instructions::kRelu) &&
        (type != instructions::Kind::S32 || (s.op != instructions::Op::Min && s.op != instructions::Op::Max)))
        return {};
    if (s.has(instructions::kLow | instructions::kHigh) &&
        (s.op == instructions::Op::Add || s.op == instructions::Op::Sub || one ||
         s.op == instructions::Op::Sad))
        return {};
    if (s.op == instructions::Op::Mul24 || s.op == instructions::Op::Mad24)
        return type == instructions::Kind::U32   ? found(mul24<u32>(s))
               : type == instructions::Kind::S32 ? found(mul24<s32>(s))
                                                 : instructions::Found{};
    switch (type) {
    case instructions::Kind::U16:
        return found(sameWidth<u16>(s));
    case instructions::Kind::S16:
        return found(sameWidth<s16>(s));
    case instructions::Kind::U32:
        return found(sameWidth<u32>(s));
    case instructions::Kind::S32:
        return found(sameWidth<s32>(s));
    case instructions::Kind::U64:
        return found(sameWidth<u64>(s));
    case instructions::Kind::S64:
        return found(sameWidth<s64>(s));
    default:
        return {};
    }
}

} // namespace dormer::emulator::lanes::DORMER_ISA
