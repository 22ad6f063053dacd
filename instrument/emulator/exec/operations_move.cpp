// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/lane_loop.h"

/// mov, with packing and unpacking of vectors; 128-bit values are two arrays of 64-bit halves.
namespace dormer::emulator::DORMER_ISA {
namespace {

template <typename T>
Handler copy() {
    return unary<T, T>([](T a) { return a; });
}

void copy128(Warp& w, const Inst& in) {
    for (unsigned half = 0; half < 2; ++half)
        store(w.exec, w.lanes<u64>(in.dst) + half * kLanes, w.lanes<u64>(in.a) + half * kLanes);
}

/// Bit 0 of imm is the immediate's value.
void setPredicate(Warp& w, const Inst& in) {
    storePredicate(w, in.dst, in.imm != 0 ? kAllLanes : 0);
}
void copyPredicate(Warp& w, const Inst& in) {
    storePredicate(w, in.dst, w.predicate(in.a));
}

/// mov.b32 d, {a, b}: the first part is the lowest. `Stored` is the array's type: 8-bit parts lie in 16 bits.
template <typename Whole, typename Part, typename Stored, unsigned N>
void pack(Warp& w, const Inst& in) {
    alignas(64) Whole whole[kLanes] = {};
    for (unsigned part = 0; part < N; ++part) {
        const Stored* from = w.lanes<Stored>(in.more[1 + part]);
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            whole[i] |= Whole(Whole(Part(from[i])) << part * sizeof(Part) * 8);
    }
    store(w.exec, w.lanes<Whole>(in.more[0]), whole);
}
template <typename Whole, typename Part, typename Stored, unsigned N>
void unpack(Warp& w, const Inst& in) {
    alignas(64) Whole whole[kLanes];
    const Whole* source = w.lanes<Whole>(in.more[N]);
#pragma GCC ivdep
    for (unsigned i = 0; i < kLanes; ++i)
        whole[i] = source[i];
    for (unsigned part = 0; part < N; ++part) {
        if (!in.more[part].present()) continue;
        eachLane(
            w.exec, w.lanes<Stored>(in.more[part]),
            [part](Whole v) { return Stored(Part(v >> part * sizeof(Part) * 8)); }, whole);
    }
}

void pack128(Warp& w, const Inst& in) {
    for (unsigned half = 0; half < 2; ++half)
        store(w.exec, w.lanes<u64>(in.more[0]) + half * kLanes, w.lanes<u64>(in.more[1 + half]));
}
void unpack128(Warp& w, const Inst& in) {
    for (unsigned half = 0; half < 2; ++half)
        if (in.more[half].present())
            store(w.exec, w.lanes<u64>(in.more[half]), w.lanes<u64>(in.more[2]) + half * kLanes);
}

template <typename Whole, typename Part, typename Stored, unsigned N>
Handler packing(bool packs) {
    return packs ? pack<Whole, Part, Stored, N> : unpack<Whole, Part, Stored, N>;
}

Handler findVector(unsigned bytes, unsigned parts, bool packs) {
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

Found findMove(const Spec& s) {
    if (s.typeCount != 1 || !s.only(0) || s.rounding != Rounding::None || s.operands != 2) return {};
    const unsigned bytes = bytesOf(s.type());
    if (s.type() == Kind::Pred) {
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

} // namespace dormer::emulator::DORMER_ISA
