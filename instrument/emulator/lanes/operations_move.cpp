// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/lane_loop.h"

/// mov, with packing and unpacking of vectors; 128-bit values are two arrays of 64-bit halves.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

template <typename T>
instructions::Handler copy() {
    return unary<T, T>([](T a) { return a; });
}

void copy128(instructions::Warp& w, const instructions::Inst& in) {
    for (unsigned half = 0; half < 2; ++half)
        store(w.exec, w.lanes<u64>(in.dst) + half * instructions::kLanes,
              w.lanes<u64>(in.a) + half * instructions::kLanes);
}

/// Bit 0 of imm is the immediate's value.
void setPredicate(instructions::Warp& w, const instructions::Inst& in) {
    storePredicate(w, in.dst, in.imm != 0 ? instructions::kAllLanes : 0);
}
void copyPredicate(instructions::Warp& w, const instructions::Inst& in) {
    storePredicate(w, in.dst, w.predicate(in.a));
}

/// mov.b32 d, {a, b}: the first part is the lowest. `Stored` is the array's type: 8-bit parts lie in 16 bits.
template <typename Whole, typename Part, typename Stored, unsigned N>
void pack(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) Whole whole[instructions::kLanes] = {};
    for (unsigned part = 0; part < N; ++part) {
        const Stored* from = w.lanes<Stored>(in.more[1 + part]);
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            whole[i] |= Whole(Whole(Part(from[i])) << part * sizeof(Part) * 8);
    }
    store(w.exec, w.lanes<Whole>(in.more[0]), whole);
}
template <typename Whole, typename Part, typename Stored, unsigned N>
void unpack(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) Whole whole[instructions::kLanes];
    const Whole* source = w.lanes<Whole>(in.more[N]);
#pragma GCC ivdep
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        whole[i] = source[i];
    for (unsigned part = 0; part < N; ++part) {
        if (!in.more[part].present()) continue;
        eachLane(
            w.exec, w.lanes<Stored>(in.more[part]),
            [part](Whole v) { return Stored(Part(v >> part * sizeof(Part) * 8)); }, whole);
    }
}

void pack128(instructions::Warp& w, const instructions::Inst& in) {
    for (unsigned half = 0; half < 2; ++half)
        store(w.exec, w.lanes<u64>(in.more[0]) + half * instructions::kLanes,
              w.lanes<u64>(in.more[1 + half]));
}
void unpack128(instructions::Warp& w, const instructions::Inst& in) {
    for (unsigned half = 0; half < 2; ++half)
        if (in.more[half].present())
            store(w.exec, w.lanes<u64>(in.more[half]),
                  w.lanes<u64>(in.more[2]) + half * instructions::kLanes);
}

template <typename Whole, typename Part, typename Stored, unsigned N>
instructions::Handler packing(bool packs) {
    return packs ? pack<Whole, Part, Stored, N> : unpack<Whole, Part, Stored, N>;
}

instructions::Handler findVector(unsigned bytes, unsigned parts, bool packs) {
    switch (bytes * 16 + parts) {
    case 2 * 16 + 2:
        return packing<u16, u8, u16, 2>(packs);
    case 4 * 16 + 2:
        return packing<u32, u16, u16, 2>(packs);
    case 4 * 16 + 4:
        return packing<u32, u8, u16, 4>(packs);
    case 8 * 16 + 2:
        return packing<u64, u32, u32, 2>(packs);
    case 8 * 16 + 4:
        return packing<u64, u16, u16, 4>(packs);
    case 16 * 16 + 2:
        return packs ? pack128 : unpack128;
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findMove(const instructions::Spec& s) {
    if (s.typeCount != 1 || !s.only(0) || s.rounding != instructions::Rounding::None || s.operands != 2)
        return {};
    const unsigned bytes = instructions::bytesOf(s.type());
    if (s.type() == instructions::Kind::Pred) {
        if (!s.predicate[0]) return {};
        if (s.immediate[1]) return {setPredicate, 0, u64(s.bits[1] != 0)};
        return {s.predicate[1] ? copyPredicate : nullptr, 0, 0};
    }
    if (s.dstParts != 0 || s.srcParts != 0) {
        if (s.dstParts != 0 && s.srcParts != 0) return {};
        return {findVector(bytes, s.dstParts + s.srcParts, s.srcParts != 0), 0, 0};
    }
    if (!s.widths(bytes, bytes)) return {};
    switch (bytes) {
    case 2:
        return {copy<u16>(), 0, 0};
    case 4:
        return {copy<u32>(), 0, 0};
    case 8:
        return {copy<u64>(), 0, 0};
    case 16:
        return {copy128, 0, 0};
    default:
        return {};
    }
}

} // namespace dormer::emulator::lanes::DORMER_ISA
