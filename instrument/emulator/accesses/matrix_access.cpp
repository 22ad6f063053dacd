// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/matrix_access.h"

#include "instrument/emulator/accesses/lane_access.h"

#include <cstring>

namespace dormer::emulator::accesses {

namespace {

const program::MatrixAccess& accessOf(const instructions::Inst& in) {
    return *reinterpret_cast<const program::MatrixAccess*>(in.imm);
}

std::uint64_t laneAddress(const exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    const std::int64_t offset = accessOf(in).offset;
    const std::uint64_t base = (in.flags & kWideAddress) != 0 ? w.lanes<std::uint64_t>(in.a)[lane]
                                                              : w.lanes<std::uint32_t>(in.a)[lane];
    return base + static_cast<std::uint64_t>(offset);
}

/// Byte `part * elementBytes` of lane i's register. A register holds 4 bytes per lane, 8 for f64.
std::byte* partOf(exec::WarpState& w, instructions::Ref ref, unsigned lane, unsigned part,
                  unsigned elementBytes) {
    const unsigned registerBytes = elementBytes == 8 ? 8 : 4;
    return w.lanes<std::byte>(ref) + lane * registerBytes + part * elementBytes;
}

template <bool Store>
void fragment(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    const program::MatrixAccess& access = accessOf(in);
    const instructions::FragmentShape& shape = access.shape;
    const unsigned parts = instructions::fragmentParts(shape);
    const unsigned leading = shape.rowMajor ? shape.columns() : shape.rows();
    for (unsigned reg = 0; reg < in.moreCount; ++reg) {
        std::uint64_t addresses[4][instructions::kLanes];
        bool together = true; // the parts of a register are neighbours in memory, in every lane
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane) {
            const std::uint64_t stride = in.b.present() ? w.lanes<std::uint32_t>(in.b)[lane] : leading;
            for (unsigned part = 0; part < parts; ++part) {
                const instructions::FragmentElement at =
                    instructions::fragmentElement(shape, lane, reg, part);
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
            std::byte* hosts[instructions::kLanes];
            resolveLanes(w, in, {access.window, w.exec, width, Store, false}, addresses[part], hosts);
            for (unsigned lane = 0; lane < instructions::kLanes; ++lane) {
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
void matrices(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    const program::MatrixAccess& access = accessOf(in);
    std::uint64_t addresses[instructions::kLanes];
    for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
        addresses[lane] = laneAddress(w, in, lane);
    const std::uint32_t rows =
        access.matrices == 4 ? instructions::kAllLanes : (1u << (8 * access.matrices)) - 1;
    std::byte* hosts[instructions::kLanes];
    resolveLanes(w, in, {access.window, rows, 16, Store, false}, addresses, hosts);
    for (unsigned matrix = 0; matrix < access.matrices; ++matrix) {
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane) {
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

void loadFragment(instructions::Warp& warp, const instructions::Inst& in) {
    fragment<false>(warp, in);
}
void storeFragment(instructions::Warp& warp, const instructions::Inst& in) {
    fragment<true>(warp, in);
}
void loadMatrices(instructions::Warp& warp, const instructions::Inst& in) {
    matrices<false>(warp, in);
}
void storeMatrices(instructions::Warp& warp, const instructions::Inst& in) {
    matrices<true>(warp, in);
}

} // namespace dormer::emulator::accesses
