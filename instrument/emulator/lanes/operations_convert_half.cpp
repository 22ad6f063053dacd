// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/half_lanes.h"
#include "instrument/emulator/lanes/small_float.h"

/// cvt to and from 16-bit floats, tf32 and the 8-bit formats. The frequent ones are vector code; the rest
/// goes through double precision and one rounding, a lane at a time.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

/// What a general conversion does, in Inst::imm.
struct Plan {
    instructions::Kind from, to;
    instructions::Rounding rounding;
    u8 dstStored;
    bool integer, ftz, sat, relu, finite;
};
u64 encode(const Plan& p) {
    return u64(p.from) | u64(p.to) << 8 | u64(p.rounding) << 16 | u64(p.dstStored) << 24 |
           u64(p.integer) << 32 | u64(p.ftz) << 33 | u64(p.sat) << 34 | u64(p.relu) << 35 |
           u64(p.finite) << 36;
}
Plan decode(u64 v) {
    const auto bit = [v](unsigned i) { return (v >> i & 1) != 0; };
    return {instructions::Kind(u8(v)),
            instructions::Kind(u8(v >> 8)),
            instructions::Rounding(u8(v >> 16)),
            u8(v >> 24),
            bit(32),
            bit(33),
            bit(34),
            bit(35),
            bit(36)};
}

/// Integers beyond 2^53 keep what is cut off in their lowest bit, so that the only rounding is the last one.
double exactEnough(u64 magnitude, bool negative) {
    const u64 kept =
        magnitude >> 53 != 0 ? (magnitude >> 11 | u64((magnitude & 0x7FF) != 0)) << 11 : magnitude;
    const double value = double(kept);
    return negative ? -value : value;
}
double fromSigned(s64 v) {
    return exactEnough(v < 0 ? 0 - u64(v) : u64(v), v < 0);
}

double loadLane(const instructions::Warp& w, instructions::Ref ref, instructions::Kind kind, unsigned stored,
                unsigned lane) {
    const u64 raw = stored == 2   ? w.lanes<u16>(ref)[lane]
                    : stored == 4 ? w.lanes<u32>(ref)[lane]
                                  : w.lanes<u64>(ref)[lane];
    switch (kind) {
    case instructions::Kind::F64:
        return bitsAs<double>(raw);
    case instructions::Kind::F32:
        return double(bitsAs<float>(u32(raw)));
    case instructions::Kind::F16:
        return decodeSmall(kFormat16, u32(raw));
    case instructions::Kind::BF16:
        return double(bitsAs<float>(u32(raw) << 16));
    case instructions::Kind::U8:
        return double(u8(raw));
    case instructions::Kind::S8:
        return double(s8(raw));
    case instructions::Kind::U16:
        return double(u16(raw));
    case instructions::Kind::S16:
        return double(s16(raw));
    case instructions::Kind::U32:
        return double(u32(raw));
    case instructions::Kind::S32:
        return double(s32(raw));
    case instructions::Kind::S64:
        return fromSigned(s64(raw));
    default:
        return exactEnough(raw, false);
    }
}

double roundToInteger(double v, instructions::Rounding rounding) {
    switch (rounding) {
    case instructions::Rounding::Nearest:
        return __builtin_rint(v);
    case instructions::Rounding::Down:
        return __builtin_floor(v);
    case instructions::Rounding::Up:
        return __builtin_ceil(v);
    default:
        return __builtin_trunc(v);
    }
}

u32 convertOne(double v, const Plan& p, SmallFormat format) {
    if (p.ftz && v != 0 && v < 0x1p-126 && v > -0x1p-126) v = __builtin_copysign(0.0, v);
    instructions::Rounding rounding = p.rounding;
    if (p.integer) {
        v = roundToInteger(v, rounding);
        rounding = instructions::Rounding::Nearest;
    }
    if (p.sat) v = v > 0 ? (v < 1 ? v : 1) : 0;
    if (p.relu && v <= 0) v = 0;
    return encodeSmall(format, v, rounding, p.finite);
}

/// One value of each lane.
void general(instructions::Warp& w, const instructions::Inst& in) {
    const Plan p = decode(in.imm);
    const unsigned stored = in.flags;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if ((w.exec >> i & 1) == 0) continue;
        const double v = loadLane(w, in.a, p.from, stored, i);
        const u32 bits = convertOne(v, p, formatOf(p.to));
        if (p.dstStored == 2)
            w.lanes<u16>(in.dst)[i] = u16(bits);
        else
            w.lanes<u32>(in.dst)[i] = p.to != instructions::Kind::TF32 ? bits
                                      : bits == kFormatTf32.nan        ? kNan32
                                                                       : bits << 13;
    }
}

/// Two single-precision values: a becomes the upper part.
void generalPair(instructions::Warp& w, const instructions::Inst& in) {
    const Plan p = decode(in.imm);
    const SmallFormat format = formatOf(p.to);
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if ((w.exec >> i & 1) == 0) continue;
        const u32 high = convertOne(double(w.lanes<float>(in.a)[i]), p, format);
        const u32 low = convertOne(double(w.lanes<float>(in.b)[i]), p, format);
        if (p.dstStored == 2)
            w.lanes<u16>(in.dst)[i] = u16(high << 8 | low);
        else
            w.lanes<u32>(in.dst)[i] = high << 16 | low;
    }
}

/// Pairs of one small format to pairs of another: f16x2 to 8 bits and back.
void pairToPair(instructions::Warp& w, const instructions::Inst& in) {
    const Plan p = decode(in.imm);
    const SmallFormat from = formatOf(p.from), to = formatOf(p.to);
    const bool widens = p.from == instructions::Kind::E4M3x2 || p.from == instructions::Kind::E5M2x2;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if ((w.exec >> i & 1) == 0) continue;
        if (widens) {
            const u32 raw = w.lanes<u16>(in.a)[i];
            const u32 high = convertOne(decodeSmall(from, raw >> 8), p, to);
            w.lanes<u32>(in.dst)[i] = high << 16 | convertOne(decodeSmall(from, raw & 0xFF), p, to);
        } else {
            const u32 raw = w.lanes<u32>(in.a)[i];
            const u32 high = convertOne(decodeSmall(from, raw >> 16), p, to);
            w.lanes<u16>(in.dst)[i] = u16(high << 8 | convertOne(decodeSmall(from, raw & 0xFFFF), p, to));
        }
    }
}

/// f16 or bf16 to single precision, exact.
template <typename Format, bool Ftz>
void toSingle(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) float values[instructions::kLanes];
    Format::template widen<instructions::kLanes>(w.lanes<u16>(in.a), values);
    eachLane(
        w.exec, w.lanes<float>(in.dst), [](float v) { return output<Ftz, false>(v); }, values);
}
/// ... and to double.
template <typename Format>
void toDouble(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) float values[instructions::kLanes];
    Format::template widen<instructions::kLanes>(w.lanes<u16>(in.a), values);
    eachLane(
        w.exec, w.lanes<double>(in.dst), [](float v) { return double(v); }, values);
}

template <typename Format>
void fromSingle(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) u16 halves[instructions::kLanes];
    Format::template narrow<instructions::kLanes>(w.lanes<float>(in.a), halves);
    storeHalves<instructions::kLanes>(w, in.dst, halves);
}
template <typename Format>
void fromSinglePair(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) u16 high[instructions::kLanes], low[instructions::kLanes];
    Format::template narrow<instructions::kLanes>(w.lanes<float>(in.a), high);
    Format::template narrow<instructions::kLanes>(w.lanes<float>(in.b), low);
    eachLane(
        w.exec, w.lanes<u32>(in.dst), [](u16 h, u16 l) { return u32(h) << 16 | l; }, high, low);
}

bool isScalarHalf(instructions::Kind kind) {
    return kind == instructions::Kind::F16 || kind == instructions::Kind::BF16;
}
bool isEightBitPair(instructions::Kind kind) {
    return kind == instructions::Kind::E4M3x2 || kind == instructions::Kind::E5M2x2;
}
bool isHalfPair(instructions::Kind kind) {
    return kind == instructions::Kind::F16x2 || kind == instructions::Kind::BF16x2;
}

instructions::Handler fastHandler(const instructions::Spec& s) {
    const instructions::Kind to = s.types[0], from = s.types[1];
    if (from != instructions::Kind::F32 || s.rounding != instructions::Rounding::Nearest || s.flags != 0)
        return nullptr;
    switch (to) {
    case instructions::Kind::F16:
        return s.operands == 2 && s.bytes[0] == 2 ? fromSingle<Binary16> : nullptr;
    case instructions::Kind::BF16:
        return s.operands == 2 && s.bytes[0] == 2 ? fromSingle<Bfloat16> : nullptr;
    case instructions::Kind::F16x2:
        return s.operands == 3 ? fromSinglePair<Binary16> : nullptr;
    case instructions::Kind::BF16x2:
        return s.operands == 3 ? fromSinglePair<Bfloat16> : nullptr;
    default:
        return nullptr;
    }
}

/// From a half to single or double precision.
instructions::Handler widening(const instructions::Spec& s) {
    const bool ftz = s.has(instructions::kFtz);
    if (!s.only(instructions::kFtz) || s.rounding != instructions::Rounding::None || s.bytes[1] != 2 ||
        s.bytes[0] != instructions::bytesOf(s.types[0]))
        return nullptr;
    if (s.types[0] == instructions::Kind::F64) {
        if (ftz) return nullptr;
        return s.types[1] == instructions::Kind::F16 ? toDouble<Binary16> : toDouble<Bfloat16>;
    }
    if (s.types[1] == instructions::Kind::F16)
        return ftz ? toSingle<Binary16, true> : toSingle<Binary16, false>;
    return ftz ? toSingle<Bfloat16, true> : toSingle<Bfloat16, false>;
}

} // namespace

instructions::Found findConvertHalf(const instructions::Spec& s) {
    const instructions::Kind to = s.types[0], from = s.types[1];
    if (s.operands == 2 && (to == instructions::Kind::F32 || to == instructions::Kind::F64) &&
        isScalarHalf(from))
        return {widening(s), 0, 0};
    if (!s.only(instructions::kFtz | instructions::kSat | instructions::kRelu | instructions::kSatfinite |
                instructions::kInteger) ||
        s.rounding == instructions::Rounding::None)
        return {};
    const Plan plan{from,
                    to,
                    s.rounding,
                    s.bytes[0],
                    s.has(instructions::kInteger),
                    s.has(instructions::kFtz),
                    s.has(instructions::kSat),
                    s.has(instructions::kRelu),
                    s.has(instructions::kSatfinite)};
    if (s.operands == 3) {
        if (from != instructions::Kind::F32 || s.bytes[1] != 4 || s.bytes[2] != 4 ||
            s.bytes[0] != instructions::bytesOf(to))
            return {};
        if (!isHalfPair(to) && !isEightBitPair(to)) return {};
        if (const instructions::Handler fast = fastHandler(s)) return {fast, 0, 0};
        return {generalPair, 0, encode(plan)};
    }
    if (s.operands != 2) return {};
    if ((isEightBitPair(to) && from == instructions::Kind::F16x2) ||
        (to == instructions::Kind::F16x2 && isEightBitPair(from))) {
        if (!s.widths(instructions::bytesOf(to), instructions::bytesOf(from))) return {};
        return {pairToPair, 0, encode(plan)};
    }
    if (to == instructions::Kind::TF32) {
        if (from != instructions::Kind::F32 || !s.widths(4, 4)) return {};
        return {general, 4, encode(plan)};
    }
    if (!isScalarHalf(to) || s.bytes[0] < 2 || s.bytes[0] > 4) return {};
    const bool known = from == instructions::Kind::F32 || from == instructions::Kind::F64 ||
                       isScalarHalf(from) || instructions::isInteger(from);
    if (!known || s.bytes[1] < instructions::bytesOf(from) || s.bytes[1] > 8) return {};
    if (const instructions::Handler fast = fastHandler(s)) return {fast, 0, 0};
    return {general, s.bytes[1], encode(plan)};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
