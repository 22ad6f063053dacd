// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the sources compiled per vector width: addresses, checks and counting of memory accesses.

#include "analysis/access/access_pattern.h"
#include "instrument/emulator/accesses/address_check.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/accesses/remembered.h"
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/exec/warp.h"

#include <bit>
#include <cstring>

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

using Addresses = std::uint64_t[instructions::kLanes];

/// A place in host memory. In integers, since lanes that are off hold any offset, and theirs is never used.
inline std::byte* hostAt(std::byte* base, std::uint64_t offset) {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uint64_t>(base) + offset);
}

/// Lane i's address plus the instruction's offset.
inline void readAddresses(const exec::WarpState& w, const instructions::Inst& in,
                          std::uint64_t* __restrict out) {
    if ((in.flags & kWideAddress) != 0) {
        const auto* base = w.lanes<std::uint64_t>(in.a);
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            out[i] = base[i] + in.imm;
    } else {
        // Offsets in 32-bit spaces wrap around at 32 bits.
        const auto* base = w.lanes<std::uint32_t>(in.a);
        const auto offset = static_cast<std::uint32_t>(in.imm);
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            out[i] = static_cast<std::uint32_t>(base[i] + offset);
    }
}

/// Lanes of `mask` outside [begin, begin + limit) or not aligned: zero when there are none.
inline std::uint64_t misfits(const std::uint64_t* __restrict addresses, std::uint32_t mask,
                             std::uint64_t begin, std::uint64_t limit, std::uint64_t alignMask) {
    std::uint64_t bad = 0;
    if (mask == instructions::kAllLanes) {
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            bad |= static_cast<std::uint64_t>(addresses[i] - begin >= limit) | (addresses[i] & alignMask);
    } else {
        for (unsigned i = 0; i < instructions::kLanes; ++i) {
            const std::uint64_t on = (mask >> i) & 1;
            bad |= on & static_cast<std::uint64_t>((addresses[i] - begin >= limit) |
                                                   ((addresses[i] & alignMask) != 0));
        }
    }
    return bad;
}

/// Lane i's address is lane 0's plus i * step, in all lanes.
inline bool isContiguous(const std::uint64_t* __restrict addresses, std::uint32_t mask, std::uint64_t step) {
    if (mask != instructions::kAllLanes) return false;
    std::uint64_t differs = 0;
    const std::uint64_t first = addresses[0];
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        differs |= addresses[i] ^ (first + i * step);
    return differs == 0;
}

/// Requests through generic addresses to shared memory rank below all others, as the instruction counts as
/// one of global memory if any of them goes there.
constexpr std::uint32_t kNotShared = 1U << 31;

/// Keeps where the request went if it wasted more than those before it: `excess` sectors or wavefronts.
inline void sampleLanes(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                        std::uint32_t mask, unsigned lanes, unsigned excess, std::uint32_t space) {
    if (w.counts->worst.empty()) return;
    exec::WorstRequest& worst = w.counts->worst[in.index];
    const std::uint32_t rank = space | (excess << 6) | lanes;
    if (rank < worst.rank || (rank == worst.rank && w.block->number >= worst.block)) return;
    exec::keepWorst(worst, rank, w.block->number, mask, addresses);
}

/// Counts one request to global memory and passes it to the caches.
inline void countGlobal(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                        std::uint32_t mask, unsigned width, hierarchy::AccessKind kind, bool contiguous) {
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const unsigned lanes = static_cast<unsigned>(std::popcount(mask));
    access::LineAccess lines[access::kMaxLines];
    unsigned lineCount = 0, sectors = 0;
    if (contiguous) {
        const std::uint64_t begin = addresses[0],
                            end = begin + std::uint64_t{instructions::kLanes} * width; // exclusive
        const std::uint64_t lastLine = (end - 1) / 128;
        for (std::uint64_t line = begin / 128; line <= lastLine; ++line) {
            const unsigned from = line * 128 < begin ? static_cast<unsigned>((begin % 128) / 32) : 0;
            const unsigned to = line == lastLine ? static_cast<unsigned>(((end - 1) % 128) / 32) : 3;
            lines[lineCount++] = {line, ((2u << to) - 1) & ~((1u << from) - 1), 0};
            sectors += to - from + 1;
        }
    } else {
        lineCount = coalesceRemembered(exec::memoOf(*w.counts, in.index).global, addresses, mask, width,
                                       lines, sectors);
    }
    ++counts.executions;
    counts.threads += lanes;
    counts.sectors += sectors;
    const unsigned ideal = access::idealSectors(lanes, width, sectors);
    counts.sectorsIdeal += ideal;
    counts.lines += lineCount;
    sampleLanes(w, in, addresses, mask, lanes, sectors - ideal, kNotShared);
    w.port->access(kind, lines, lineCount, lanes * width);
}

/// Counts one request to shared memory that took so many wavefronts.
inline void countShared(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                        std::uint32_t mask, unsigned width, unsigned wavefronts) {
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    counts.wavefronts += wavefronts;
    const unsigned ideal = access::idealWavefronts(lanes, width, wavefronts);
    counts.wavefrontsIdeal += ideal;
    sampleLanes(w, in, addresses, mask, lanes, wavefronts - ideal, 0);
}

/// Counts one request to constant memory: a pass for each address that its lanes have.
inline void countConstant(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                          std::uint32_t mask) {
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    unsigned passes = 0;
    for (std::uint32_t left = mask; left != 0; ++passes) {
        const std::uint64_t address = addresses[std::countr_zero(left)];
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
            if (addresses[std::countr_zero(rest)] == address) left &= ~(1U << std::countr_zero(rest));
    }
    ++counts.executions;
    counts.threads += lanes;
    counts.wavefronts += passes;
    counts.wavefrontsIdeal += passes > 0 ? 1 : 0;
    sampleLanes(w, in, addresses, mask, lanes, passes > 0 ? passes - 1 : 0, 0);
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
