// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/watch_access.h"

#include "instrument/emulator/accesses/memory.h"

namespace dormer::emulator::accesses {

using exec::SharedWatch;

void watchShared(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* offsets,
                 std::uint32_t mask, unsigned width, SharedWatch::Access how) {
    using Access = SharedWatch::Access;
    const bool strong = (in.flags & kStrong) != 0 || how == Access::Update;
    // An atomic whose result nobody uses tells its thread nothing of the others.
    const bool acquires = strong && how != Access::Write && (in.flags & kResultUnused) == 0;
    w.watch->access({w.index, in.index, mask, width, how, strong, acquires, strong && how != Access::Read},
                    offsets);
}

void watchLane(exec::WarpState& w, const instructions::Inst& in, unsigned lane, std::uint64_t offset,
               unsigned width, SharedWatch::Access how) {
    std::uint64_t offsets[instructions::kLanes] = {};
    offsets[lane] = offset;
    watchShared(w, in, offsets, 1u << lane, width, how);
}

void watchGlobal(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                 std::uint32_t mask, unsigned width, SharedWatch::Access how) {
    using Access = SharedWatch::Access;
    const bool strong = (in.flags & kStrong) != 0 || how == Access::Update;
    if (strong) w.watch->acquires(w.index, SharedWatch::kGlobalMemory);
    w.watch->accessGlobal({w.index, in.index, mask, width, how, strong, strong, strong}, addresses);
    if (strong) w.watch->releases(w.index, SharedWatch::kGlobalMemory);
}

} // namespace dormer::emulator::accesses
