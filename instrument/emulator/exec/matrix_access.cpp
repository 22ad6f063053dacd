// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/matrix_access.h"

#include "instrument/emulator/exec/lane_access.h"

#include <cstring>

namespace dormer::emulator {

namespace {

const MatrixAccess& accessOf(const Inst& in) {
    return *reinterpret_cast<const MatrixAccess*>(in.imm);
}

std::uint64_t laneAddress(const WarpState& w, const Inst& in, unsigned lane) {
    const std::int64_t offset = accessOf(in).offset;
    const std::uint64_t base = (in.flags & kWideAddress) != 0 ? w.lanes<std::uint64_t>(in.a)[lane]
                                                              : w.lanes<std::uint32_t>(in.a)[lane];
    return base + static_cast<std::uint64_t>(offset);
}

/// Byte `part * elementBytes` of lane i's register. A register holds 4 bytes a lane, 8 for f64.
std::byte* partOf(WarpState& w, Ref ref, unsigned lane, unsigned part, unsigned elementBytes) {
    const unsigned registerBytes = elementBytes == 8 ? 8 : 4;
    return w.lanes<std::byte>(ref) + lane * registerBytes + part * elementBytes;
}

template <bool Store>
void fragment(Warp& warp, const Inst& in) {
    WarpState& w = stateOf(warp);
    const MatrixAccess& access = accessOf(in);
    const FragmentShape& shape = access.shape;
    const unsigned parts = fragmentParts(shape);
    const unsigned leading = shape.rowMajor ? shape.columns() : shape.rows();
    for (unsigned reg = 0; reg < in.moreCount; ++reg) {
        std::uint64_t addresses[4][kLanes];
        bool together = true; // the parts of a register are neighbours in memory, in every lane
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            const std::uint64_t stride = in.b.present() ? w.lanes<std::uint32_t>(in.b)[lane] : leading;
            for (unsigned part = 0; part < parts; ++part) {
                const FragmentElement at = fragmentElement(shape, lane, reg, part);
                const std::uint64_t index =
                    shape.rowMajor ? at.row * stride + at.column : at.column * stride + at.row;
                addresses[part][lane] = laneAddress(w, in, lane) + index * access.elementBytes;
                together =
                    together && addresses[part][lane] == addresses[0][lane] + part * access.elementBytes;
            }
            together = together && addresses[0][lane] % (parts * access.elementBytes) == 0;
        }
        for (unsigned part = 0; part < (together ? 1 : parts); ++part) {
            const unsigned width = access.elementBytes * (together ? parts : 1);
            std::byte* hosts[kLanes];
            resolveLanes(w, in, {access.window, w.exec, width, Store, false}, addresses[part], hosts);
            for (unsigned lane = 0; lane < kLanes; ++lane) {
                if (((w.exec >> lane) & 1) == 0) continue;
                std::byte* value = partOf(w, in.more[reg], lane, part, access.elementBytes);
                if constexpr (Store)
                    std::memcpy(hosts[lane], value, width);
                else
                    std::memcpy(value, hosts[lane], width);
            }
        }
    }
}

/// Rows of 16 bytes: lanes 8j to 8j + 7 hold the addresses of matrix j's.
template <bool Store>
void matrices(Warp& warp, const Inst& in) {
    WarpState& w = stateOf(warp);
    const MatrixAccess& access = accessOf(in);
    std::uint64_t addresses[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
        addresses[lane] = laneAddress(w, in, lane);
    const std::uint32_t rows = access.matrices == 4 ? kAllLanes : (1u << (8 * access.matrices)) - 1;
    std::byte* hosts[kLanes];
    resolveLanes(w, in, {access.window, rows, 16, Store, false}, addresses, hosts);
    for (unsigned matrix = 0; matrix < access.matrices; ++matrix) {
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            for (unsigned part = 0; part < 2; ++part) {
                const unsigned major = lane / 4, minor = 2 * (lane % 4) + part;
                const unsigned row = access.transposed ? minor : major,
                               column = access.transposed ? major : minor;
                std::byte* memory = hosts[8 * matrix + row] + std::size_t{2} * column;
                std::byte* value = partOf(w, in.more[matrix], lane, part, 2);
                if constexpr (Store)
                    std::memcpy(memory, value, 2);
                else
                    std::memcpy(value, memory, 2);
            }
        }
    }
}

} // namespace

void loadFragment(Warp& warp, const Inst& in) {
    fragment<false>(warp, in);
}
void storeFragment(Warp& warp, const Inst& in) {
    fragment<true>(warp, in);
}
void loadMatrices(Warp& warp, const Inst& in) {
    matrices<false>(warp, in);
}
void storeMatrices(Warp& warp, const Inst& in) {
    matrices<true>(warp, in);
}

} // namespace dormer::emulator
