// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/lane_access_isa.h"
#include "instrument/emulator/accesses/memory_tables.h"

#include <bit>
#include <cstring>
#include <utility>

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

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

/// Moves `width` bytes of each lane that executes between memory and `values`, which are `registerBytes`
/// apart.
template <bool Store, unsigned width>
void move(std::uint32_t exec, std::byte* const* hosts, std::byte* values, unsigned registerBytes) {
    const auto moveLane = [&](unsigned lane) {
        std::byte* const value = values + lane * registerBytes;
        if constexpr (Store)
            std::memcpy(hosts[lane], value, width);
        else
            std::memcpy(value, hosts[lane], width);
    };
    if (exec == instructions::kAllLanes) {
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
            moveLane(lane);
        return;
    }
    for (std::uint32_t rest = exec; rest != 0; rest &= rest - 1)
        moveLane(static_cast<unsigned>(std::countr_zero(rest)));
}

template <bool Store>
void move(std::uint32_t exec, unsigned width, std::byte* const* hosts, std::byte* values,
          unsigned registerBytes) {
    switch (width) {
    case 1:
        return move<Store, 1>(exec, hosts, values, registerBytes);
    case 2:
        return move<Store, 2>(exec, hosts, values, registerBytes);
    case 4:
        return move<Store, 4>(exec, hosts, values, registerBytes);
    default:
        return move<Store, 8>(exec, hosts, values, registerBytes);
    }
}

/// Addresses of the first of a register's `parts` elements.
template <unsigned parts>
void placeElements(const std::uint64_t* __restrict bases, const std::uint64_t* __restrict strides,
                   const std::uint8_t* __restrict across, const std::uint8_t* __restrict along,
                   unsigned bytes, std::uint64_t* __restrict addresses) {
    for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
        addresses[lane] = bases[lane] + std::uint64_t{across[lane * parts]} * strides[lane] +
                          std::uint64_t{along[lane * parts]} * bytes;
}

template <bool Store>
void fragment(instructions::Warp& warp, const instructions::Inst& in) {
    constexpr unsigned kLanes = instructions::kLanes;
    exec::WarpState& w = exec::stateOf(warp);
    const program::MatrixAccess& access = accessOf(in);
    const instructions::FragmentShape& shape = access.shape;
    const unsigned parts = instructions::fragmentParts(shape), bytes = access.elementBytes;
    const unsigned registerBytes = bytes == 8 ? 8 : 4; // of a lane
    // Along rows of memory elements are neighbours, from one row to the next a stride away.
    const std::uint8_t* along = access.places->column;
    const std::uint8_t* across = access.places->row;
    if (!shape.rowMajor) std::swap(along, across);
    std::uint64_t bases[kLanes], strides[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        bases[lane] = laneAddress(w, in, lane);
        const std::uint64_t leading = shape.rowMajor ? shape.columns() : shape.rows();
        strides[lane] = bytes * (in.b.present() ? w.lanes<std::uint32_t>(in.b)[lane] : leading);
    }
    // Parts of a register are neighbours along k in A and B, along n in the accumulators.
    const bool inRows = shape.matrix != instructions::FragmentMatrix::B;
    const bool partsAlong = inRows == shape.rowMajor;
    for (unsigned reg = 0; reg < in.moreCount;
         ++reg, along += std::size_t{kLanes} * parts, across += std::size_t{kLanes} * parts) {
        std::uint64_t addresses[kLanes];
        std::uint64_t unaligned = 0;
        switch (parts) {
        case 1:
            placeElements<1>(bases, strides, across, along, bytes, addresses);
            break;
        case 2:
            placeElements<2>(bases, strides, across, along, bytes, addresses);
            break;
        default:
            placeElements<4>(bases, strides, across, along, bytes, addresses);
            break;
        }
        for (unsigned lane = 0; lane < kLanes; ++lane)
            unaligned |= addresses[lane];
        const bool together = partsAlong && unaligned % (parts * bytes) == 0;
        const unsigned width = bytes * (together ? parts : 1);
        for (unsigned part = 0; part < (together ? 1 : parts); ++part) {
            std::byte* hosts[kLanes] = {};
            resolveLanes(w, in, {access.window, w.exec, width, Store, false, reg * parts + part}, addresses,
                         hosts);
            move<Store>(w.exec, width, hosts, w.lanes<std::byte>(in.more[reg]) + part * bytes, registerBytes);
            for (unsigned lane = 0; lane < kLanes; ++lane)
                addresses[lane] += partsAlong ? bytes : strides[lane];
        }
    }
}

/// Rows of 16 bytes: lanes 8j to 8j + 7 hold the addresses of matrix j's. A lane's register has two
/// neighbours of a row, or of a column where transposed.
template <bool Store>
void matrices(instructions::Warp& warp, const instructions::Inst& in) {
    constexpr unsigned kRows = 8, kRowBytes = 16;
    exec::WarpState& w = exec::stateOf(warp);
    const program::MatrixAccess& access = accessOf(in);
    std::uint64_t addresses[instructions::kLanes];
    for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
        addresses[lane] = laneAddress(w, in, lane);
    const std::uint32_t rows =
        access.matrices == 4 ? instructions::kAllLanes : (1u << (kRows * access.matrices)) - 1;
    std::byte* hosts[instructions::kLanes] = {};
    resolveLanes(w, in, {access.window, rows, kRowBytes, Store, false}, addresses, hosts);
    for (unsigned matrix = 0; matrix < access.matrices; ++matrix) {
        std::byte* const* const memory = hosts + kRows * matrix;
        auto* const values = w.lanes<std::uint16_t>(in.more[matrix]);
        std::uint16_t turned[kRows][kRows], row[kRows];
        if (!access.transposed) {
            for (unsigned r = 0; r < kRows; ++r) {
                if constexpr (Store)
                    std::memcpy(memory[r], values + r * kRows, kRowBytes);
                else
                    std::memcpy(values + r * kRows, memory[r], kRowBytes);
            }
        } else if constexpr (Store) {
            for (unsigned r = 0; r < kRows; ++r) {
                for (unsigned c = 0; c < kRows; ++c)
                    row[c] = values[c * kRows + r];
                std::memcpy(memory[r], row, kRowBytes);
            }
        } else {
            for (unsigned r = 0; r < kRows; ++r) {
                std::memcpy(row, memory[r], kRowBytes);
                for (unsigned c = 0; c < kRows; ++c)
                    turned[c][r] = row[c];
            }
            std::memcpy(values, turned, sizeof turned);
        }
    }
}

void transpose(instructions::Warp& warp, const instructions::Inst& in) {
    constexpr unsigned kRows = 8;
    const auto* const from = warp.lanes<std::uint16_t>(in.a);
    std::uint16_t turned[kRows][kRows];
    for (unsigned r = 0; r < kRows; ++r)
        for (unsigned c = 0; c < kRows; ++c)
            turned[c][r] = from[r * kRows + c];
    std::memcpy(warp.lanes<std::uint16_t>(in.dst), turned, sizeof turned);
}

} // namespace

instructions::Handler matrixAccess(MatrixAccessKind kind) {
    switch (kind) {
    case MatrixAccessKind::LoadFragment:
        return fragment<false>;
    case MatrixAccessKind::StoreFragment:
        return fragment<true>;
    case MatrixAccessKind::LoadMatrices:
        return matrices<false>;
    case MatrixAccessKind::StoreMatrices:
        return matrices<true>;
    case MatrixAccessKind::Transpose:
        break;
    }
    return transpose;
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
