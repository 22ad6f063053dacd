// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/lane_access.h"

#include "analysis/access_pattern.h"
#include "instrument/emulator/code/program.h"

#include <bit>

namespace dormer::emulator {

namespace {

void resolveShared(WarpState& w, const Inst& in, const LaneAccess& access, const std::uint64_t* offsets,
                   std::uint32_t mask, std::byte** hosts) {
    std::uint32_t words[kLanes] = {};
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        if (offsets[i] % access.width != 0 || offsets[i] + access.width > w.sharedBytes)
            failShared(w, offsets, mask, {access.store ? "store" : "load", access.width});
        words[i] = static_cast<std::uint32_t>(offsets[i]);
        hosts[i] = w.shared + offsets[i];
    }
    if (w.port == nullptr) return;
    InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    const unsigned wavefronts = access.store ? analysis::sharedStoreWavefronts(words, mask, access.width)
                                             : analysis::sharedLoadWavefronts(words, mask, access.width);
    counts.wavefronts += wavefronts;
    counts.wavefrontsIdeal += analysis::idealWavefronts(lanes, access.width, wavefronts);
}

void resolveGlobal(WarpState& w, const Inst& in, const LaneAccess& access, const std::uint64_t* addresses,
                   std::uint32_t mask, std::byte** hosts) {
    checkGlobal(w, in, addresses, mask, {access.store ? "store" : "load", access.width});
    for (unsigned i = 0; i < kLanes; ++i)
        hosts[i] = reinterpret_cast<std::byte*>(addresses[i]);
    if (w.port == nullptr) return;
    LineAccess lines[analysis::kMaxLines];
    const analysis::Coalesced result = analysis::coalesce(addresses, mask, access.width, lines);
    InstructionCounts& counts = w.counts->instructions[in.index];
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    counts.sectors += result.sectors;
    counts.sectorsIdeal += analysis::idealSectors(lanes, access.width, result.sectors);
    counts.lines += result.lines;
    w.port->access(access.store      ? AccessKind::Store
                   : access.bypassL1 ? AccessKind::LoadGlobal
                                     : AccessKind::Load,
                   lines, result.lines, lanes * access.width);
}

} // namespace

void resolveLanes(WarpState& w, const Inst& in, const LaneAccess& access, const std::uint64_t* addresses,
                  std::byte** hosts) {
    if (access.window == Window::Shared) {
        resolveShared(w, in, access, addresses, access.mask, hosts);
        return;
    }
    std::uint64_t offsets[kLanes] = {};
    std::uint32_t shared = 0;
    if (access.window == Window::Generic) {
        for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(rest));
            offsets[i] = addresses[i] - kSharedWindow;
            if (offsets[i] < kWindowBytes) shared |= 1u << i;
        }
    }
    if (shared != 0) resolveShared(w, in, access, offsets, shared, hosts);
    if ((access.mask & ~shared) != 0) resolveGlobal(w, in, access, addresses, access.mask & ~shared, hosts);
}

} // namespace dormer::emulator
