// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/hierarchy/access.h"
#include "instrument/emulator/instructions/instruction.h"

#include <cstdint>

/// Copies that one thread starts and the memory system does: cp.async.bulk, with and without a tensor map.
/// They are done at once, so that waiting for them later is trivially right. Each lane in Warp::exec makes
/// one.
///
/// Inst::a is the address where the data go (of tensors: in shared memory) with the low half of imm as its
/// offset, kWideAddress tells its width. The upper half of imm is the reduction (reductionBits), if there is
/// one. Inst::b is where they come from, or the tensor map; c the number of bytes (4 bytes per lane; with a
/// tensor map absent); d the mbarrier object (4 bytes per lane); dst2 the mask of the cluster's blocks that
/// get a copy (2 bytes per lane), absent: one. Inst::more holds a tensor's coordinates.
namespace dormer::emulator::bulk {

void copyToShared(instructions::Warp& warp, const instructions::Inst& in);      ///< from global memory
void copyBetweenBlocks(instructions::Warp& warp, const instructions::Inst& in); ///< of a cluster
void copyToGlobal(instructions::Warp& warp, const instructions::Inst& in);
void reduceBetweenBlocks(instructions::Warp& warp, const instructions::Inst& in);
void reduceToGlobal(instructions::Warp& warp, const instructions::Inst& in);
void tensorToShared(instructions::Warp& warp, const instructions::Inst& in);
void tensorToGlobal(instructions::Warp& warp, const instructions::Inst& in);
void reduceTensorToGlobal(instructions::Warp& warp, const instructions::Inst& in);

/// What the copies have in common.
[[nodiscard]] std::uint64_t addressOf(const exec::WarpState& w, const instructions::Inst& in, unsigned lane);
/// Such a copy is no access of the lane's: it goes to L2 past L1. Once for each; and for each row of bytes.
void countRequest(exec::WarpState& w, const instructions::Inst& in);
void countBytes(exec::WarpState& w, const instructions::Inst& in, std::uint64_t address, std::uint64_t bytes,
                hierarchy::AccessKind kind);
/// Throws FaultSignal when the bytes are not all in one allocation, or not aligned to `width`.
void checkBytes(exec::WarpState& w, const instructions::Inst& in, unsigned lane, std::uint64_t address,
                std::uint64_t bytes, unsigned width, const char* verb);
/// Blocks that get a copy: their ranks plus one, as addresses of the cluster have them; 0: the own one.
template <typename Body>
void forEachTarget(const exec::WarpState& w, const instructions::Inst& in, unsigned lane, const Body& body) {
    if (!in.dst2.present()) return body(std::uint64_t{0});
    for (std::uint32_t rest = w.lanes<std::uint16_t>(in.dst2)[lane], rank = 1; rest != 0; rest >>= 1, ++rank)
        if ((rest & 1) != 0) body(std::uint64_t{rank});
}

} // namespace dormer::emulator::bulk
