// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the sources compiled per vector width: requests of instructions that make several.

#include "instrument/emulator/accesses/memory_isa.h"
#include "instrument/emulator/program/program.h"

#include <bit>

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

/// One request to memory by instructions that are too rare or too odd for code of their own per type.
struct LaneAccess {
    program::Window window = program::Window::Global; ///< Global, Shared or Generic
    std::uint32_t mask = 0;
    unsigned width = 4; ///< bytes per lane, 1 to 16
    bool store = false;
    bool bypassL1 = false;
    unsigned request = 0; ///< which of the instruction's
};

inline void resolveShared(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
                          const std::uint64_t* offsets, std::uint32_t mask, std::byte** hosts) {
    const std::uint64_t limit = w.sharedBytes >= access.width ? w.sharedBytes - access.width + 1 : 0;
    if (misfits(offsets, mask, 0, limit, access.width - 1) != 0)
        failShared(w, offsets, mask, {access.store ? "store" : "load", access.width});
    std::uint32_t words[instructions::kLanes];
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        words[i] = static_cast<std::uint32_t>(offsets[i]);
    if (mask == instructions::kAllLanes)
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            hosts[i] = hostAt(w.shared, offsets[i]);
    else
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
            hosts[std::countr_zero(rest)] = hostAt(w.shared, offsets[std::countr_zero(rest)]);
    using Watched = exec::SharedWatch::Access;
    if (w.watch != nullptr)
        watchShared(w, in, offsets, mask, access.width, access.store ? Watched::Write : Watched::Read);
    if (w.port == nullptr) return;
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    // The memo is of one width, as each of an instruction's requests is.
    exec::SharedMemo& memo = exec::memoOf(*w.counts, in.index, access.request).shared;
    const unsigned wavefronts = access.store ? wavefrontsRemembered<true>(memo, words, mask, access.width)
                                             : wavefrontsRemembered<false>(memo, words, mask, access.width);
    counts.wavefronts += wavefronts;
    counts.wavefrontsIdeal += access::idealWavefronts(lanes, access.width, wavefronts);
}

inline void resolveGlobal(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
                          const std::uint64_t* addresses, std::uint32_t mask, std::byte** hosts) {
    const exec::AllocationRange& range = w.counts->ranges[in.index];
    // The width may have been another one when the range was found: the end of each lane has to be in it,
    // too.
    const std::uint64_t ends = access.width - 1;
    const std::uint64_t limit = range.bytes > ends ? range.bytes - ends : 0;
    if (misfits(addresses, mask, range.begin, limit, ends) != 0)
        checkGlobal(w, in, addresses, mask, {access.store ? "store" : "load", access.width});
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        hosts[i] = reinterpret_cast<std::byte*>(addresses[i]);
    if (w.port == nullptr) return;
    access::LineAccess lines[access::kMaxLines];
    access::Coalesced result;
    result.lines = coalesceRemembered(exec::memoOf(*w.counts, in.index, access.request).global, addresses,
                                      mask, access.width, lines, result.sectors);
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    counts.sectors += result.sectors;
    counts.sectorsIdeal += access::idealSectors(lanes, access.width, result.sectors);
    counts.lines += result.lines;
    w.port->access(access.store      ? hierarchy::AccessKind::Store
                   : access.bypassL1 ? hierarchy::AccessKind::LoadGlobal
                                     : hierarchy::AccessKind::Load,
                   lines, result.lines, lanes * access.width);
}

/// Checks and counts the request, and sets hosts[i] to lane i's place in host memory, if it takes part.
/// Throws FaultSignal. `hosts` holds pointers of any kind before.
inline void resolveLanes(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
                         const std::uint64_t* addresses, std::byte** hosts) {
    if (access.window == program::Window::Shared) {
        resolveShared(w, in, access, addresses, access.mask, hosts);
        return;
    }
    std::uint64_t offsets[instructions::kLanes] = {};
    std::uint32_t shared = 0;
    if (access.window == program::Window::Generic) {
        for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(rest));
            offsets[i] = addresses[i] - program::kSharedWindow;
            if (offsets[i] < program::kWindowBytes) shared |= 1u << i;
        }
    }
    if ((access.mask & ~shared) != 0) resolveGlobal(w, in, access, addresses, access.mask & ~shared, hosts);
    if (shared != 0) resolveShared(w, in, access, offsets, shared, hosts);
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
