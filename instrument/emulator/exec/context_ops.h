// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"

/// Handlers of the few instructions that need to know the running warp, but neither memory nor arithmetic.
namespace dormer::emulator::exec {

void doNothing(instructions::Warp& warp, const instructions::Inst& in);
/// Before an instruction that waits for the lanes its member mask (a; absent: all) names: goes on when all
/// that have not exited execute it. Throws AwaitsMembers while some can still come.
void awaitMembers(instructions::Warp& warp, const instructions::Inst& in);
/// Orders this warp's accesses before it against those of other blocks.
void fence(instructions::Warp& warp, const instructions::Inst& in);
/// dst = place of the running function's local variables + imm; 8 or 4 bytes per lane.
void localAddress64(instructions::Warp& warp, const instructions::Inst& in);
void localAddress32(instructions::Warp& warp, const instructions::Inst& in);
/// What the system keeps of each block's shared memory, at its begin, for kernels that ask where it lies:
/// groups larger than a warp meet there. 1 KiB on compute capability 8.0 and later; zero when the block
/// starts.
inline constexpr std::uint32_t kReservedSharedBytes = 1024;
/// Does nothing: as its first instruction it tells that a kernel is one of those.
void usesReservedShared(instructions::Warp& warp, const instructions::Inst& in);
/// What alloca gives is taken from the end of the running function's frame: imm of the handlers is the place
/// of its GrowingStack there.
struct GrowingStack {
    static constexpr std::uint32_t kBytes = 32 << 10; ///< that a function has for it, behind this
    std::uint64_t end = 0;                            ///< where the last room begins, in local memory
    std::uint64_t begin = 0;                          ///< no room begins before
};
/// Where the function begins: it has taken nothing.
void beginStack(instructions::Warp& warp, const instructions::Inst& in);
/// alloca: dst = place in local memory of a bytes, aligned to moreCount; 8 or 4 bytes per lane. Throws
/// FaultSignal when there is no room.
void growStack64(instructions::Warp& warp, const instructions::Inst& in);
void growStack32(instructions::Warp& warp, const instructions::Inst& in);
/// stacksave: dst = where the last room begins; stackrestore: gives back all since that was a.
void saveStack64(instructions::Warp& warp, const instructions::Inst& in);
void saveStack32(instructions::Warp& warp, const instructions::Inst& in);
void restoreStack64(instructions::Warp& warp, const instructions::Inst& in);
void restoreStack32(instructions::Warp& warp, const instructions::Inst& in);
/// dst = a + imm, 8 bytes per lane: conversion between generic addresses and those of a window. The source
/// may have 4 bytes.
void addToAddress64(instructions::Warp& warp, const instructions::Inst& in);
void addToAddress32To64(instructions::Warp& warp, const instructions::Inst& in);
void addToAddress64To32(instructions::Warp& warp, const instructions::Inst& in);
/// dst = the same place as a, in the shared memory of the cluster's block of rank b: mapa. imm is the window
/// of generic addresses, 0 for those of shared memory.
void mapToBlock64(instructions::Warp& warp, const instructions::Inst& in);
void mapToBlock32(instructions::Warp& warp, const instructions::Inst& in);
/// dst = the rank of the block whose shared memory a is in: getctarank. b is the own one's.
void rankOf64(instructions::Warp& warp, const instructions::Inst& in);
void rankOf32(instructions::Warp& warp, const instructions::Inst& in);
/// dst (predicate) = a lies in the window that begins at imm; for imm 0: in none of the windows (global).
void isInWindow(instructions::Warp& warp, const instructions::Inst& in);
/// dst (predicate) = a lies in the kernel's parameters, or in one of the ranges whose begins and ends are
/// `more`.
void isParameter(instructions::Warp& warp, const instructions::Inst& in);
void isInRanges(instructions::Warp& warp, const instructions::Inst& in);
/// dst (predicate) = a (4 bytes per lane) is not 0.
void isSet(instructions::Warp& warp, const instructions::Inst& in);
/// %clock, %clock64, %globaltimer: time of this machine, in nanoseconds times two (about the clock of a GPU)
/// and in nanoseconds. imm is the number of bits the value is shifted right.
void readClock32(instructions::Warp& warp, const instructions::Inst& in);
void readClock64(instructions::Warp& warp, const instructions::Inst& in);
void readTimer32(instructions::Warp& warp, const instructions::Inst& in);
void readTimer64(instructions::Warp& warp, const instructions::Inst& in);

} // namespace dormer::emulator::exec
