// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/accesses/address_check.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/exec/warp.h"

namespace dormer::emulator::accesses {

/// One request to memory by instructions that are too rare or too odd for code of their own per type.
struct LaneAccess {
    program::Window window = program::Window::Global; ///< Global, Shared or Generic
    std::uint32_t mask = 0;
    unsigned width = 4; ///< bytes per lane, 1 to 16
    bool store = false;
    bool bypassL1 = false;
    unsigned request = 0; ///< which of the instruction's
};

/// Checks and counts the request, and sets hosts[i] to lane i's place in host memory. Throws FaultSignal.
void resolveLanes(exec::WarpState& w, const instructions::Inst& in, const LaneAccess& access,
                  const std::uint64_t* addresses, std::byte** hosts);

} // namespace dormer::emulator::accesses
