// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/program/program.h"

#include <cstddef>
#include <cstdint>

/// mbarrier objects in shared memory.
///
/// The 64-bit object is opaque to programs. Here: bits 0-19 arrivals still missing in this phase, 20-39
/// arrivals of a phase, 40-61 bytes still to come (two's complement), 63 the phase's parity. The state that
/// an arrival returns is the object before it.
namespace dormer::emulator::accesses {

enum class BarrierOp : std::uint8_t {
    Init,
    Arrive, ///< b: count (absent = 1)
    ArriveDrop,
    ArriveExpectTx, ///< b: bytes
    ExpectTx,
    CompleteTx,
    TestState,  ///< dst: predicate; b: state (8 bytes per lane)
    TestParity, ///< dst: predicate; b: parity
    PendingCount,
    Nothing, ///< inval
};
/// Inst::a is the address (kWideAddress, kGenericAddress as for atomics), imm its offset, dst the state or
/// predicate.
[[nodiscard]] instructions::Handler findBarrierOperation(BarrierOp op);

/// A place in shared memory, by a generic address or one of its own.
[[nodiscard]] inline std::uint64_t sharedPlace(std::uint64_t address) {
    return address - program::kSharedWindow < program::kWindowBytes ? address - program::kSharedWindow
                                                                    : address;
}
/// Host memory of `width` bytes at a place of the own block's shared memory or, by the addresses that mapa
/// gives, of another's of its cluster. Throws FaultSignal.
[[nodiscard]] std::byte* sharedHost(exec::WarpState& w, std::uint64_t place, unsigned lane, unsigned width,
                                    unsigned alignment);
/// complete_tx: bytes that the mbarrier object at this place waits for have come.
void completeBytes(exec::WarpState& w, const instructions::Inst& in, unsigned lane, std::uint64_t place,
                   std::uint32_t bytes);

} // namespace dormer::emulator::accesses
