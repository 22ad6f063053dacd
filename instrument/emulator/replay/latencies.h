// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Cycles that playing a trace needs besides what chips and instructions say of themselves. Sources:
/// docs/emulator-time-model.md.
namespace dormer::emulator::replay {

/// Until the next instruction of a warp behind a branch that is taken, and one that is not.
inline constexpr double kTakenBranch = 14, kBranch = 4;
/// What a warp is seen to do meanwhile: the branch's own latency, then until its target is known; the rest is
/// for fetching.
inline constexpr double kBranchWait = 5, kBranchTarget = 6;
/// From a block's start to its first instruction, from the last arrival at a barrier to the next instruction.
inline constexpr double kBlockStart = 150, kBarrier = 30;
/// A constant that no instruction has as its operand: one address, and each further one of the lanes.
inline constexpr double kConstantLoad = 30, kConstantPass = 2;
/// A texture's filter behind the caches; 4 lanes a cycle.
inline constexpr double kTextureExtra = 60, kTextureBusy = 8;
/// Loads from DRAM while others do the same, by the latency of one alone.
inline constexpr double kDramBusy = 1.1;
/// 128 bytes of code that no warp of the SM came to before.
inline constexpr double kCodeLine = 20;
/// Code that an SM keeps, in such lines, and the cycles for one that it had and has no more.
inline constexpr double kCodeLines = 1024, kCodeAgain = 45;
/// Cycles of work that the load/store unit takes before it makes warps wait.
inline constexpr double kQueue = 24;
/// Lines of one request that L1 looks up in a cycle.
inline constexpr double kLinesPerCycle = 1;
/// Sectors a cycle that one SM exchanges with L2: 64 bytes.
inline constexpr double kPortSectors = 2;
/// A call into the driver's library on the device: printf, malloc, free.
inline constexpr double kExternalCall = 2000;

} // namespace dormer::emulator::replay
