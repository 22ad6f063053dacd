// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/shared_watch.h"
#include "instrument/emulator/exec/warp.h"

/// What accesses tell the watch of their block. Preconditions: WarpState::watch is set.
namespace dormer::emulator::accesses {

/// Lanes of `mask` access `width` bytes of shared memory each.
void watchShared(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* offsets,
                 std::uint32_t mask, unsigned width, exec::SharedWatch::Access how);
/// One lane does.
void watchLane(exec::WarpState& w, const instructions::Inst& in, unsigned lane, std::uint64_t offset,
               unsigned width, exec::SharedWatch::Access how);
/// Lanes of `mask` access `width` bytes of global memory each. Strong accesses order all that.
void watchGlobal(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                 std::uint32_t mask, unsigned width, exec::SharedWatch::Access how);

} // namespace dormer::emulator::accesses
