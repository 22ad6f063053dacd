// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the sources compiled per vector width: addresses, checks and counting of memory accesses.

#include "analysis/access_pattern.h"
#include "instrument/emulator/exec/address_check.h"
#include "instrument/emulator/exec/memory.h"
#include "instrument/emulator/exec/warp.h"

#include <bit>
#include <cstring>

namespace dormer::emulator::inline DORMER_ISA {

using Addresses = std::uint64_t[kLanes];

/// Lane i's address plus the instruction's offset.
inline void readAddresses(const WarpState& w, const Inst& in, std::uint64_t* __restrict out) {
    if ((in.flags & kWideAddress) != 0) {
        const auto* base = w.lanes<std::uint64_t>(in.a);
        for (unsigned i = 0; i < kLanes; ++i)
            out[i] = base[i] + in.imm;
    } else {
        // Offsets in 32-bit spaces wrap around at 32 bits.
        const auto* base = w.lanes<std::uint32_t>(in.a);
        const auto offset = static_cast<std::uint32_t>(in.imm);
        for (unsigned i = 0; i < kLanes; ++i)
            out[i] = static_cast<std::uint32_t>(base[i] + offset);
    }
}

/// Lanes of `mask` outside [begin, begin + limit) or not aligned: zero when there are none.
inline std::uint64_t misfits(const std::uint64_t* __restrict addresses, std::uint32_t mask,
                             std::uint64_t begin, std::uint64_t limit, std::uint64_t alignMask) {
    std::uint64_t bad = 0;
    if (mask == kAllLanes) {
        for (unsigned i = 0; i < kLanes; ++i)
            bad |= static_cast<std::uint64_t>(addresses[i] - begin >= limit) | (addresses[i] & alignMask);
    } else {
        for (unsigned i = 0; i < kLanes; ++i) {
            const std::uint64_t on = (mask >> i) & 1;
            bad |= on & static_cast<std::uint64_t>((addresses[i] - begin >= limit) |
                                                   ((addresses[i] & alignMask) != 0));
        }
    }
    return bad;
}

/// Lane i's address is lane 0's plus i * step, in all lanes.
inline bool isContiguous(const std::uint64_t* __restrict addresses, std::uint32_t mask, std::uint64_t step) {
    if (mask != kAllLanes) return false;
    std::uint64_t differs = 0;
    const std::uint64_t first = addresses[0];
    for (unsigned i = 0; i < kLanes; ++i)
        differs |= addresses[i] ^ (first + i * step);
    return differs == 0;
}

/// Counts one request to global memory and passes it to the caches.
inline void countGlobal(WarpState& w, const Inst& in, const std::uint64_t* addresses, std::uint32_t mask,
                        unsigned width, AccessKind kind, bool contiguous) {
    InstructionCounts& counts = w.counts->instructions[in.index];
    const unsigned lanes = static_cast<unsigned>(std::popcount(mask));
    LineAccess lines[analysis::kMaxLines];
    unsigned lineCount = 0, sectors = 0;
    if (contiguous) {
        const std::uint64_t begin = addresses[0], end = begin + std::uint64_t{kLanes} * width; // exclusive
        const std::uint64_t lastLine = (end - 1) / 128;
        for (std::uint64_t line = begin / 128; line <= lastLine; ++line) {
            const unsigned from = line * 128 < begin ? static_cast<unsigned>((begin % 128) / 32) : 0;
            const unsigned to = line == lastLine ? static_cast<unsigned>(((end - 1) % 128) / 32) : 3;
            lines[lineCount++] = {line, ((2u << to) - 1) & ~((1u << from) - 1), 0};
            sectors += to - from + 1;
        }
    } else {
        const analysis::Coalesced result = analysis::coalesce(addresses, mask, width, lines);
        lineCount = result.lines;
        sectors = result.sectors;
    }
    ++counts.executions;
    counts.threads += lanes;
    counts.sectors += sectors;
    counts.sectorsIdeal += analysis::idealSectors(lanes, width);
    counts.lines += lineCount;
    w.port->access(AccessSpace::Global, kind, lines, lineCount, lanes * width);
}

inline void countShared(WarpState& w, const Inst& in, const std::uint32_t* offsets, std::uint32_t mask,
                        unsigned width) {
    InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    counts.wavefronts += analysis::sharedWavefronts(offsets, mask, width);
    counts.wavefrontsIdeal += analysis::idealWavefronts(lanes, width);
}

/// What only counts how often it ran.
inline void countExecution(WarpState& w, const Inst& in, std::uint32_t mask) {
    InstructionCounts& counts = w.counts->instructions[in.index];
    ++counts.executions;
    counts.threads += static_cast<unsigned>(std::popcount(mask));
}

} // namespace dormer::emulator::inline DORMER_ISA
