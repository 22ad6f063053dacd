// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/memory_isa.h"
#include "instrument/emulator/accesses/memory_tables.h"

#include <algorithm>

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

namespace {

/// cp.async: moreCount bytes per lane from global to shared memory, the part beyond the source size zero. The
/// copy is done at once: waiting for it later is then trivially right.
void copy(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    const unsigned width = in.moreCount;
    alignas(64) Addresses to, from;
    const auto* shared64 = (in.flags & kWideAddress) != 0 ? w.lanes<std::uint64_t>(in.a) : nullptr;
    const auto* shared32 = (in.flags & kWideAddress) == 0 ? w.lanes<std::uint32_t>(in.a) : nullptr;
    const auto offset = static_cast<std::uint32_t>(in.imm);
    const auto* global = w.lanes<std::uint64_t>(in.b);
    const auto globalOffset = static_cast<std::int64_t>(static_cast<std::int32_t>(in.imm >> 32));
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        to[i] = static_cast<std::uint32_t>((shared64 != nullptr ? shared64[i] : shared32[i]) + offset);
        from[i] = global[i] + static_cast<std::uint64_t>(globalOffset);
    }
    const std::uint64_t limit = w.sharedBytes >= width ? w.sharedBytes - width + 1 : 0;
    if (misfits(to, w.exec, 0, limit, width - 1) != 0)
        failShared(w, to, w.exec, {"asynchronous copy", width});
    const auto* size = in.c.present() ? w.lanes<std::uint32_t>(in.c) : nullptr;
    std::uint32_t reads = w.exec; // lanes that read anything
    for (unsigned i = 0; size != nullptr && i < instructions::kLanes; ++i)
        if (size[i] == 0) reads &= ~(1u << i);
    if (reads != 0) {
        const exec::AllocationRange& range = w.counts->ranges[in.index];
        if (misfits(from, reads, range.begin, range.bytes, width - 1) != 0)
            checkGlobal(w, in, from, reads, {"load", width});
    }
    if (w.watch != nullptr) watchShared(w, in, to, w.exec, width, exec::SharedWatch::Access::Write);
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        const unsigned bytes = size != nullptr ? std::min(size[i], width) : width;
        std::byte* host = w.shared + to[i];
        std::memcpy(host, reinterpret_cast<const std::byte*>(from[i]), bytes);
        std::memset(host + bytes, 0, width - bytes);
    }
    if (w.port == nullptr || reads == 0) return;
    countGlobal(w, in, from, reads, width,
                (in.flags & kBypassL1) != 0 ? hierarchy::AccessKind::LoadGlobal : hierarchy::AccessKind::Load,
                false);
}

} // namespace

instructions::Handler asyncCopy() {
    return copy;
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
