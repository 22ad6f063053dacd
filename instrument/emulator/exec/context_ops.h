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
/// %clock, %clock64, %globaltimer: time of this machine, in nanoseconds times two (about the clock of a GPU)
/// and in nanoseconds. imm is the number of bits the value is shifted right.
void readClock32(instructions::Warp& warp, const instructions::Inst& in);
void readClock64(instructions::Warp& warp, const instructions::Inst& in);
void readTimer32(instructions::Warp& warp, const instructions::Inst& in);
void readTimer64(instructions::Warp& warp, const instructions::Inst& in);

} // namespace dormer::emulator::exec
