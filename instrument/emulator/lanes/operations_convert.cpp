// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/half_lanes.h"

/// cvt among integers, single and double precision. A register may be wider than its type: narrow source
/// types take the register's low bits, narrow results are extended to the register.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

/// Calls `with` with the value type and the type of the lane array that holds it.
template <typename F>
instructions::Handler withInteger(instructions::Kind kind, unsigned bytes, F with) {
    switch (kind) {
    case instructions::Kind::U8:
        return bytes == 2   ? with.template operator()<u8, u16>()
               : bytes == 4 ? with.template operator()<u8, u32>()
                            : nullptr;
    case instructions::Kind::S8:
        return bytes == 2   ? with.template operator()<s8, s16>()
               : bytes == 4 ? with.template operator()<s8, s32>()
                            : nullptr;
    case instructions::Kind::U16:
        return bytes == 2   ? with.template operator()<u16, u16>()
               : bytes == 4 ? with.template operator()<u16, u32>()
                            : nullptr;
    case instructions::Kind::S16:
        return bytes == 2   ? with.template operator()<s16, s16>()
               : bytes == 4 ? with.template operator()<s16, s32>()
                            : nullptr;
    case instructions::Kind::U32:
        return bytes == 4 ? with.template operator()<u32, u32>() : nullptr;
    case instructions::Kind::S32:
        return bytes == 4 ? with.template operator()<s32, s32>() : nullptr;
    case instructions::Kind::U64:
        return bytes == 8 ? with.template operator()<u64, u64>() : nullptr;
    case instructions::Kind::S64:
        return bytes == 8 ? with.template operator()<s64, s64>() : nullptr;
    default:
        return nullptr;
    }
}

instructions::Handler direct(const instructions::Spec& s) {
    return withInteger(s.types[1], s.bytes[1], [&]<typename S, typename StoredS>() -> instructions::Handler {
        return withInteger(s.types[0], s.bytes[0],
                           []<typename D, typename StoredD>() -> instructions::Handler {
                               return unary<StoredD, StoredS>([](StoredS a) { return StoredD(D(S(a))); });
                           });
    });
}

/// All other combinations, and saturation: through 64 bits. imm: source and destination type and width.
struct Widths {
    u8 srcBits, srcStored, dstBits, dstStored;
    bool srcSigned, dstSigned, saturate;
};
u64 encode(const Widths& v) {
    return u64(v.srcBits) | u64(v.srcStored) << 8 | u64(v.dstBits) << 16 | u64(v.dstStored) << 24 |
           u64(v.srcSigned) << 32 | u64(v.dstSigned) << 33 | u64(v.saturate) << 34;
}
Widths decode(u64 v) {
    return {u8(v),
            u8(v >> 8),
            u8(v >> 16),
            u8(v >> 24),
            (v >> 32 & 1) != 0,
            (v >> 33 & 1) != 0,
            (v >> 34 & 1) != 0};
}

u64 extendTo64(u64 v, unsigned bits, bool isSigned) {
    const unsigned unused = 64 - bits;
    return isSigned ? u64(s64(v << unused) >> unused) : v << unused >> unused;
}

void general(instructions::Warp& w, const instructions::Inst& in) {
    const Widths f = decode(in.imm);
    const u64 highest = f.dstSigned ? ~0ull >> (65 - f.dstBits) : ~0ull >> (64 - f.dstBits);
    const s64 lowest = f.dstSigned ? -s64(highest) - 1 : 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if ((w.exec >> i & 1) == 0) continue;
        u64 v = f.srcStored == 2   ? w.lanes<u16>(in.a)[i]
                : f.srcStored == 4 ? w.lanes<u32>(in.a)[i]
                                   : w.lanes<u64>(in.a)[i];
        v = extendTo64(v, f.srcBits, f.srcSigned);
        if (f.saturate) {
            const bool negative = f.srcSigned && s64(v) < 0;
            if (negative)
                v = s64(v) < lowest ? u64(lowest) : v;
            else
                v = v > highest ? highest : v;
        }
        v = extendTo64(v, f.dstBits, f.dstSigned);
        switch (f.dstStored) {
        case 2:
            w.lanes<u16>(in.dst)[i] = u16(v);
            break;
        case 4:
            w.lanes<u32>(in.dst)[i] = u32(v);
            break;
        default:
            w.lanes<u64>(in.dst)[i] = v;
            break;
        }
    }
}

instructions::Found integers(const instructions::Spec& s) {
    if (!s.only(instructions::kSat) || s.rounding != instructions::Rounding::None) return {};
    if (!s.has(instructions::kSat))
        if (const instructions::Handler run = direct(s)) return {run, 0, 0};
    const Widths f{u8(instructions::bytesOf(s.types[1]) * 8),
                   s.bytes[1],
                   u8(instructions::bytesOf(s.types[0]) * 8),
                   s.bytes[0],
                   instructions::isSigned(s.types[1]),
                   instructions::isSigned(s.types[0]),
                   s.has(instructions::kSat)};
    if (f.srcStored * 8 < f.srcBits || f.dstStored * 8 < f.dstBits || f.srcStored > 8 || f.dstStored > 8)
        return {};
    return {general, 0, encode(f)};
}

inline float nearestOf(float v) {
    return __builtin_rintf(v);
}
inline double nearestOf(double v) {
    return __builtin_rint(v);
}
inline float floorOf(float v) {
    return __builtin_floorf(v);
}
inline double floorOf(double v) {
    return __builtin_floor(v);
}
inline float ceilingOf(float v) {
    return __builtin_ceilf(v);
}
inline double ceilingOf(double v) {
    return __builtin_ceil(v);
}
inline float truncationOf(float v) {
    return __builtin_truncf(v);
}
inline double truncationOf(double v) {
    return __builtin_trunc(v);
}

template <typename F>
void roundAll(F* values, u16 mode) {
    switch (static_cast<instructions::Rounding>(mode)) {
    case instructions::Rounding::Nearest:
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = nearestOf(values[i]);
        break;
    case instructions::Rounding::Down:
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = floorOf(values[i]);
        break;
    case instructions::Rounding::Up:
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = ceilingOf(values[i]);
        break;
    default:
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = truncationOf(values[i]);
        break;
    }
}

/// An integral value clamped to I. NaN gives 0, or the lowest signed number's pattern when a 64-bit type
/// takes part on either side (PTX ISA, cvt).
template <typename I, typename F>
[[gnu::always_inline]] inline I clampTo(F v) {
    constexpr unsigned kBits = sizeof(I) * 8;
    constexpr bool kSigned = I(-1) < I(0);
    constexpr I kHighest = kSigned ? I(~0ull >> (65 - kBits)) : I(~0ull >> (64 - kBits));
    constexpr I kLowest = kSigned ? I(-kHighest - 1) : I(0);
    constexpr I kOfNan = kBits == 64 || sizeof(F) == 8 ? I(1ull << (kBits - 1)) : I(0);
    if constexpr (kBits < 32 || (kBits == 32 && kSigned)) {
        // -2^31 and 2^31 are floats, and narrower bounds too.
        const F limit = F(1ull << (kSigned ? kBits - 1 : kBits));
        const F low = v > F(kLowest) ? v : F(kLowest);
        const F safe = low < limit ? low : F(0);
        return v != v ? kOfNan : v >= limit ? kHighest : I(s32(safe));
    } else if constexpr (kBits == 32) {
        const double d = double(v);
        const double low = d > double(kLowest) ? d : double(kLowest);
        const double bounded = low < double(kHighest) ? low : double(kHighest);
        return d != d ? kOfNan : I(s64(bounded));
    } else if constexpr (kSigned) {
        const F limit = F(0x1p63);
        const F safe = v < limit && v >= -limit ? v : F(0);
        return v != v ? kOfNan : v >= limit ? kHighest : v < -limit ? kLowest : I(s64(safe));
    } else {
        const F limit = F(0x1p64), half = F(0x1p63);
        const F safe = v > F(0) && v < limit ? v : F(0);
        const bool upper = safe >= half;
        const u64 low = u64(s64(upper ? safe - half : safe));
        return v != v ? kOfNan : v >= limit ? kHighest : I(upper ? low | 1ull << 63 : low);
    }
}

struct Single {
    using Value = float;
    static void load(const instructions::Warp& w, instructions::Ref ref, float* to) {
        const float* from = w.lanes<float>(ref);
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            to[i] = from[i];
    }
};
struct Double {
    using Value = double;
    static void load(const instructions::Warp& w, instructions::Ref ref, double* to) {
        const double* from = w.lanes<double>(ref);
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            to[i] = from[i];
    }
};
template <typename Format>
struct Half {
    using Value = float;
    static void load(const instructions::Warp& w, instructions::Ref ref, float* to) {
        Format::template widen<instructions::kLanes>(w.lanes<u16>(ref), to);
    }
};

template <typename Source, typename I, typename Stored>
void toInteger(instructions::Warp& w, const instructions::Inst& in) {
    using F = typename Source::Value;
    alignas(64) F values[instructions::kLanes];
    Source::load(w, in.a, values);
    if constexpr (sizeof(F) == 4)
        if (in.imm != 0)
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                values[i] = flush(values[i]);
    roundAll(values, in.flags);
    eachLane(
        w.exec, w.lanes<Stored>(in.dst), [](F v) { return Stored(clampTo<I>(v)); }, values);
}

template <typename Source>
instructions::Handler toIntegers(const instructions::Spec& s) {
    return withInteger(s.types[0], s.bytes[0], []<typename I, typename Stored>() -> instructions::Handler {
        return toInteger<Source, I, Stored>;
    });
}

instructions::Found floatToInteger(const instructions::Spec& s) {
    // Saturation is what happens anyway.
    if (!s.has(instructions::kInteger) ||
        !s.only(instructions::kInteger | instructions::kFtz | instructions::kSat))
        return {};
    instructions::Found found{nullptr, static_cast<u16>(s.rounding), u64(s.has(instructions::kFtz))};
    switch (s.types[1]) {
    case instructions::Kind::F32:
        found.run = s.bytes[1] == 4 ? toIntegers<Single>(s) : nullptr;
        break;
    case instructions::Kind::F64:
        found.run = s.bytes[1] == 8 ? toIntegers<Double>(s) : nullptr;
        break;
    case instructions::Kind::F16:
        found.run = s.bytes[1] == 2 ? toIntegers<Half<Binary16>>(s) : nullptr;
        break;
    case instructions::Kind::BF16:
        found.run = s.bytes[1] == 2 ? toIntegers<Half<Bfloat16>>(s) : nullptr;
        break;
    default:
        break;
    }
    return found;
}

template <typename D>
instructions::Handler fromInteger(const instructions::Spec& s) {
    return withInteger(s.types[1], s.bytes[1], [&]<typename I, typename Stored>() -> instructions::Handler {
        return rounded(s.rounding, unary<D, Stored>([](Stored a) { return D(I(a)); }));
    });
}

template <typename D, typename S, bool Ftz, bool Sat>
void floatToFloat(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) S values[instructions::kLanes];
    const S* source = w.lanes<S>(in.a);
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        if constexpr (sizeof(S) == 4)
            values[i] = input<Ftz>(source[i]);
        else
            values[i] = source[i];
    if (in.flags != 0) roundAll(values, in.flags);
    eachLane(
        w.exec, w.lanes<D>(in.dst),
        [](S v) {
            if constexpr (sizeof(D) == 4)
                return output<Ftz, Sat>(D(v));
            else
                return output<Sat>(D(v));
        },
        values);
}

template <typename D, typename S>
instructions::Handler floatToFloat(const instructions::Spec& s) {
    // Between the widths the rounding is arithmetic; within one it makes an integer, and sets Inst::flags.
    const instructions::Rounding mode = sizeof(D) < sizeof(S) ? s.rounding : instructions::Rounding::None;
    const auto pick = [&]<bool Ftz, bool Sat>() {
        return rounded(mode, [](instructions::Warp& w, const instructions::Inst& in) {
            floatToFloat<D, S, Ftz, Sat>(w, in);
        });
    };
    if (s.has(instructions::kFtz))
        return s.has(instructions::kSat) ? pick.template operator()<true, true>()
                                         : pick.template operator()<true, false>();
    return s.has(instructions::kSat) ? pick.template operator()<false, true>()
                                     : pick.template operator()<false, false>();
}

instructions::Found floats(const instructions::Spec& s) {
    const bool narrows = s.types[0] == instructions::Kind::F32 && s.types[1] == instructions::Kind::F64;
    if (!s.only(instructions::kFtz | instructions::kSat | instructions::kInteger) ||
        (s.has(instructions::kInteger) && s.types[0] != s.types[1]))
        return {};
    if (narrows != (s.rounding != instructions::Rounding::None && !s.has(instructions::kInteger))) return {};
    if (s.bytes[0] != instructions::bytesOf(s.types[0]) || s.bytes[1] != instructions::bytesOf(s.types[1]))
        return {};
    instructions::Found found;
    if (s.has(instructions::kInteger)) found.flags = static_cast<u16>(s.rounding);
    if (narrows)
        found.run = floatToFloat<float, double>(s);
    else if (s.types[0] == instructions::Kind::F32)
        found.run = floatToFloat<float, float>(s);
    else
        found.run = s.types[1] == instructions::Kind::F32 ? floatToFloat<double, float>(s)
                                                          : floatToFloat<double, double>(s);
    return found;
}

bool isFloat(instructions::Kind kind) {
    return kind == instructions::Kind::F32 || kind == instructions::Kind::F64;
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: a and b saturate; c's low half moves up for 8-bit results.
template <typename I>
void packIntegers(instructions::Warp& w, const instructions::Inst& in) {
    constexpr unsigned kBits = sizeof(I) * 8;
    constexpr bool kSigned = I(-1) < I(0);
    constexpr s32 kHighest = s32(kSigned ? ~0ull >> (65 - kBits) : ~0ull >> (64 - kBits));
    constexpr s32 kLowest = kSigned ? -kHighest - 1 : 0;
    const auto one = [](s32 v) {
        const s32 bounded = v < kLowest ? kLowest : v > kHighest ? kHighest : v;
        return u32(bounded) & u32(~0ull >> (64 - kBits));
    };
    if constexpr (kBits == 16)
        eachLane(
            w.exec, w.lanes<u32>(in.dst), [one](s32 a, s32 b) { return one(a) << 16 | one(b); },
            w.lanes<s32>(in.a), w.lanes<s32>(in.b));
    else
        eachLane(
            w.exec, w.lanes<u32>(in.dst),
            [one](s32 a, s32 b, u32 c) { return c << 16 | one(a) << 8 | one(b); }, w.lanes<s32>(in.a),
            w.lanes<s32>(in.b), w.lanes<u32>(in.c));
}

instructions::Found packed(const instructions::Spec& s) {
    if (!s.only(instructions::kSat) || !s.has(instructions::kSat) || s.types[1] != instructions::Kind::S32)
        return {};
    const bool narrow = s.types[0] == instructions::Kind::U8 || s.types[0] == instructions::Kind::S8;
    if (narrow ? s.typeCount != 3 || !s.widths(4, 4, 4, 4) : s.typeCount != 2 || !s.widths(4, 4, 4))
        return {};
    switch (s.types[0]) {
    case instructions::Kind::U8:
        return {packIntegers<u8>, 0, 0};
    case instructions::Kind::S8:
        return {packIntegers<s8>, 0, 0};
    case instructions::Kind::U16:
        return {packIntegers<u16>, 0, 0};
    case instructions::Kind::S16:
        return {packIntegers<s16>, 0, 0};
    default:
        return {};
    }
}

} // namespace

instructions::Found findConvert(const instructions::Spec& s) {
    if (s.op == instructions::Op::CvtPack) return packed(s);
    if (s.typeCount != 2) return {};
    const instructions::Kind d = s.types[0], a = s.types[1];
    if (s.operands == 2) {
        if (instructions::isInteger(d) && instructions::isInteger(a)) return integers(s);
        if (instructions::isInteger(d) &&
            (isFloat(a) || a == instructions::Kind::F16 || a == instructions::Kind::BF16))
            return floatToInteger(s);
        if (isFloat(d) && instructions::isInteger(a)) {
            if (!s.only(instructions::kFtz) || s.rounding == instructions::Rounding::None ||
                s.bytes[0] != instructions::bytesOf(d))
                return {};
            return {d == instructions::Kind::F32 ? fromInteger<float>(s) : fromInteger<double>(s), 0, 0};
        }
        if (isFloat(d) && isFloat(a)) return floats(s);
    }
    return findConvertHalf(s);
}

} // namespace dormer::emulator::lanes::DORMER_ISA
