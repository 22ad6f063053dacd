// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"

#include <cstdint>
#include <string_view>

/// mbarrier objects in shared memory, and the bulk copies that report to them.
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

/// cp.async.bulk from global to shared memory: a is the shared address, b the global one (8 bytes per lane),
/// c the number of bytes, d the barrier (4 bytes per lane). Each lane in Warp::exec makes a copy.
void bulkCopyToShared(instructions::Warp& warp, const instructions::Inst& in);
/// The other way: a is the global address, b the shared one, c the bytes.
void bulkCopyToGlobal(instructions::Warp& warp, const instructions::Inst& in);

} // namespace dormer::emulator::accesses
