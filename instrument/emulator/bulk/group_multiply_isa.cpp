// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/bulk/group_multiply_table.h"
#include "instrument/emulator/lanes/half_lanes.h"
#include "instrument/emulator/lanes/small_float.h"
#include "instrument/emulator/memory/tensor_map.h"

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>

/// Operands become plain matrices, the product is accumulated in the order of k, rounded at each step in
/// single precision (16-bit results at the end); hardware's inner sums are wider and truncated in ways that
/// no document gives, so results with roundings differ from it in the last bits.
namespace dormer::emulator::bulk {
inline namespace DORMER_ISA {

namespace {

using instructions::Kind;
using namespace lanes::DORMER_ISA; // widths of numbers, conversions

constexpr unsigned kRows = 16, kMostColumns = 256, kMostDepth = 32, kPieceBytes = 16;

/// How a matrix lies in shared memory (PTX ISA, "Matrix descriptor format").
struct Descriptor {
    std::uint64_t begin = 0, leading = 0, stride = 0; ///< bytes
    unsigned span = 0;                                ///< of the swizzle; 0: none

    static Descriptor of(std::uint64_t bits, unsigned lane) {
        constexpr std::uint64_t kMask = 0x3FFF;
        constexpr unsigned kSpans[] = {0, 128, 64, 32};
        if ((bits >> 49 & 7) != 0)
            throw exec::FaultSignal{memory::Fault::Kind::Trap, lane, 0,
                                    "wgmma by a matrix descriptor with a base offset: the emulator lacks it"};
        return {(bits & kMask) << 4, (bits >> 16 & kMask) << 4, (bits >> 32 & kMask) << 4,
                kSpans[bits >> 62]};
    }
};

/// 16 bytes of shared memory.
const std::byte* pieceAt(exec::WarpState& w, const instructions::Inst& in, const Descriptor& from,
                         std::uint64_t place) {
    place = memory::swizzled(place, from.span);
    if (place + kPieceBytes > w.sharedBytes)
        throw exec::FaultSignal{memory::Fault::Kind::IllegalAddress,
                                static_cast<unsigned>(std::countr_zero(w.exec)), place,
                                "a matrix of wgmma reaches beyond the block's shared memory"};
    if (w.watch != nullptr)
        accesses::watchLane(w, in, static_cast<unsigned>(std::countr_zero(w.exec)), place, kPieceBytes,
                            exec::SharedWatch::Access::Read);
    return w.shared + place;
}

/// Values of the 8-bit formats, by their bits.
const std::array<float, 256>& floatsOf(Kind kind) {
    const auto make = [](Kind of) {
        std::array<float, 256> all = {};
        for (unsigned bits = 0; bits < all.size(); ++bits)
            all[bits] = float(decodeSmall(formatOf(of), bits));
        return all;
    };
    static const std::array<float, 256> kE4M3 = make(Kind::E4M3), kE5M2 = make(Kind::E5M2);
    return kind == Kind::E4M3 ? kE4M3 : kE5M2;
}

/// The elements in `bytes` bytes, at most 16.
template <typename Value>
void convert(Kind kind, const std::byte* from, unsigned bytes, Value* to) {
    alignas(64) std::byte raw[kPieceBytes] = {};
    std::memcpy(raw, from, bytes);
    if constexpr (std::is_same_v<Value, s32>) {
        for (unsigned i = 0; i < bytes; ++i)
            to[i] = kind == Kind::S8 ? s32(s8(raw[i])) : s32(u8(raw[i]));
    } else {
        alignas(64) float values[kPieceBytes];
        switch (kind) {
        case Kind::F16:
            Binary16::widen<8>(reinterpret_cast<const u16*>(raw), values);
            break;
        case Kind::BF16:
            Bfloat16::widen<8>(reinterpret_cast<const u16*>(raw), values);
            break;
        case Kind::TF32:
            for (unsigned i = 0; i < 4; ++i) // the low 13 bits don't take part
                values[i] = bitsAs<float>(reinterpret_cast<const u32*>(raw)[i] & 0xFFFFE000);
            break;
        default: {
            const std::array<float, 256>& all = floatsOf(kind);
            for (unsigned i = 0; i < kPieceBytes; ++i)
                values[i] = all[u8(raw[i])];
        }
        }
        for (unsigned i = 0; i < bytes / instructions::bytesOf(kind); ++i)
            to[i] = values[i];
    }
}

/// Reads `count` rows (of B: columns) from `first` on, and hands each value on: `put(row, k, value)`.
template <typename Value, typename Put>
void readShared(exec::WarpState& w, const instructions::Inst& in, const Descriptor& from, Kind kind,
                bool transposed, unsigned first, unsigned count, const Put& put) {
    const unsigned elements = kPieceBytes / instructions::bytesOf(kind);
    Value values[kPieceBytes];
    if (!transposed) { // neighbours along k: 8 rows of a pitch, then the next 8
        const unsigned pitch = from.span == 0 ? kPieceBytes : from.span;
        const std::uint64_t next = from.span == 0 ? from.leading : kPieceBytes;
        for (unsigned row = 0; row < count; ++row)
            for (unsigned piece = 0; piece < 2; ++piece) {
                const unsigned r = first + row;
                const std::uint64_t place = from.begin + std::uint64_t{r / 8} * from.stride +
                                            std::uint64_t{r % 8} * pitch + piece * next;
                convert(kind, pieceAt(w, in, from, place), kPieceBytes, values);
                for (unsigned i = 0; i < elements; ++i)
                    put(row, piece * elements + i, values[i]);
            }
        return;
    }
    // Neighbours along the rows, 8 in a piece; only 16-bit types are transposed, so there are 16 k.
    const unsigned perSpan = from.span == 0 ? 1 : from.span / kPieceBytes;
    for (unsigned k = 0; k < 16; ++k)
        for (unsigned piece = 0; piece < count / 8; ++piece) {
            const unsigned p = first / 8 + piece;
            const std::uint64_t place =
                from.span == 0
                    ? from.begin + p * from.stride + std::uint64_t{k % 8} * kPieceBytes + k / 8 * from.leading
                    : from.begin + std::uint64_t{p % perSpan} * kPieceBytes + p / perSpan * from.leading +
                          std::uint64_t{k % 8} * from.span + k / 8 * from.stride;
            convert(kind, pieceAt(w, in, from, place), kPieceBytes, values);
            for (unsigned i = 0; i < 8; ++i)
                put(piece * 8 + i, k, values[i]);
        }
}

/// A's four registers: rows 8 apart, then the second half of k.
template <typename Value, typename Put>
void readRegisters(const exec::WarpState& w, const instructions::Ref* registers, Kind kind, const Put& put) {
    const unsigned parts = 4 / instructions::bytesOf(kind);
    for (unsigned reg = 0; reg < 4; ++reg)
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane) {
            Value values[kPieceBytes];
            convert(kind, reinterpret_cast<const std::byte*>(w.lanes<u32>(registers[reg]) + lane), 4, values);
            for (unsigned part = 0; part < parts; ++part)
                put(lane / 4 + 8 * (reg % 2), lane % 4 * parts + part + reg / 2 * 4 * parts, values[part]);
        }
}

/// Where the i-th value of a lane's results is.
struct Spot {
    unsigned row, column;
};
Spot spotOf(unsigned lane, unsigned i) {
    return {lane / 4 + 8 * (i / 2 % 2), i / 4 * 8 + lane % 4 * 2 + i % 2};
}

template <typename Value>
Value added(Value sum, Value a, Value b, [[maybe_unused]] bool saturates) {
    if constexpr (std::is_same_v<Value, float>) {
        return __builtin_fmaf(a, b, sum);
    } else {
        const s64 exact = s64{sum} + s64{a} * b;
        if (saturates) return exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : s32(exact);
        return s32(exact);
    }
}

template <typename Value>
struct Scratch {
    alignas(64) Value a[kRows * kMostDepth], b[kMostDepth * kMostColumns], sums[kRows * kMostColumns];
};

template <typename Value>
void multiply(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    const auto shape = std::bit_cast<GroupShape>(in.imm);
    const auto lane = static_cast<unsigned>(std::countr_zero(w.exec));
    const unsigned columns = shape.columns, depth = shape.depth(), registers = shape.registers();
    // On the heap: what is thread_local itself every thread of the program pays for, with its stack.
    thread_local const auto scratch = std::make_unique<Scratch<Value>>();
    auto& [a, b, sums] = *scratch;
    const auto sign = [](bool negates, Value value) { return negates ? -value : value; };
    const auto putA = [&](unsigned row, unsigned k, Value value) {
        a[row * depth + k] = sign(shape.has(GroupShape::kNegatesA), value);
    };
    const auto putB = [&](unsigned column, unsigned k, Value value) {
        b[k * columns + column] = sign(shape.has(GroupShape::kNegatesB), value);
    };
    if (shape.has(GroupShape::kRegistersA))
        readRegisters<Value>(w, in.more + registers, shape.a, putA);
    else
        readShared<Value>(w, in, Descriptor::of(w.lanes<std::uint64_t>(in.a)[lane], lane), shape.a,
                          shape.has(GroupShape::kTransposesA), w.index % 4 * kRows, kRows, putA);
    readShared<Value>(w, in, Descriptor::of(w.lanes<std::uint64_t>(in.b)[lane], lane), shape.b,
                      shape.has(GroupShape::kTransposesB), 0, columns, putB);

    const bool adds = !in.c.present() || (w.predicate(in.c) >> lane & 1) != 0;
    const bool halves = shape.d == Kind::F16;
    if (!adds) {
        std::memset(sums, 0, sizeof sums);
    } else {
        for (unsigned reg = 0; reg < registers; ++reg)
            for (unsigned l = 0; l < instructions::kLanes; ++l)
                for (unsigned part = 0; part < (halves ? 2u : 1u); ++part) {
                    const Spot at = spotOf(l, halves ? 2 * reg + part : reg);
                    Value& sum = sums[at.row * columns + at.column];
                    if constexpr (std::is_same_v<Value, float>)
                        sum = halves ? _cvtsh_ss(w.lanes<u16>(in.more[reg])[2 * l + part])
                                     : w.lanes<float>(in.more[reg])[l];
                    else
                        sum = w.lanes<s32>(in.more[reg])[l];
                }
    }
    const bool saturates = shape.has(GroupShape::kSaturates);
    for (unsigned row = 0; row < kRows; ++row)
        for (unsigned k = 0; k < depth; ++k) {
            const Value factor = a[row * depth + k];
#pragma GCC ivdep
            for (unsigned j = 0; j < columns; ++j)
                sums[row * columns + j] =
                    added(sums[row * columns + j], factor, b[k * columns + j], saturates);
        }
    for (unsigned reg = 0; reg < registers; ++reg) {
        if (!in.more[reg].present()) continue;
        for (unsigned l = 0; l < instructions::kLanes; ++l) {
            if ((w.exec >> l & 1) == 0) continue;
            for (unsigned part = 0; part < (halves ? 2u : 1u); ++part) {
                const Spot at = spotOf(l, halves ? 2 * reg + part : reg);
                const Value sum = sums[at.row * columns + at.column];
                if constexpr (std::is_same_v<Value, float>) {
                    if (halves)
                        w.lanes<u16>(in.more[reg])[2 * l + part] = _cvtss_sh(sum, _MM_FROUND_TO_NEAREST_INT);
                    else
                        w.lanes<float>(in.more[reg])[l] = canonical(sum);
                } else {
                    w.lanes<s32>(in.more[reg])[l] = sum;
                }
            }
        }
    }
}

} // namespace

instructions::Handler groupMultiplyHandler(const GroupShape& shape) {
    return shape.d == Kind::S32 ? multiply<s32> : multiply<float>;
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::bulk
