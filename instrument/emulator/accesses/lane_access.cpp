// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/lane_access.h"

#include "analysis/access/access_pattern.h"
#include "instrument/emulator/accesses/remembered.h"
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/program/program.h"

#include <bit>

namespace dormer::emulator::accesses {

namespace {

void resolveShared(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
                   const std::uint64_t* offsets, std::uint32_t mask, std::byte** hosts) {
    std::uint32_t words[instructions::kLanes] = {};
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        if (offsets[i] % access.width != 0 || offsets[i] + access.width > w.sharedBytes)
            failShared(w, offsets, mask, {access.store ? "store" : "load", access.width});
        words[i] = static_cast<std::uint32_t>(offsets[i]);
        hosts[i] = w.shared + offsets[i];
    }
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

/// Whether all lanes lie where the instruction was last found to be right. The width may have been another
/// one then, which is why the access has to end as much before the range's end.
bool withinRange(const exec::AllocationRange& range, const std::uint64_t* addresses, std::uint32_t mask,
                 unsigned width) {
    const std::uint64_t ends = width - 1; // widths are powers of two
    std::uint64_t wrong = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        const std::uint64_t at = addresses[i] - range.begin;
        const bool misfits = at >= range.bytes || at + ends >= range.bytes || (addresses[i] & ends) != 0;
        wrong |= std::uint64_t{misfits} << i;
    }
    return (wrong & mask) == 0;
}

void resolveGlobal(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
                   const std::uint64_t* addresses, std::uint32_t mask, std::byte** hosts) {
    if (!withinRange(w.counts->ranges[in.index], addresses, mask, access.width))
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

} // namespace

void resolveLanes(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
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
    if (shared != 0) resolveShared(w, in, access, offsets, shared, hosts);
    if ((access.mask & ~shared) != 0) resolveGlobal(w, in, access, addresses, access.mask & ~shared, hosts);
}

} // namespace dormer::emulator::accesses
