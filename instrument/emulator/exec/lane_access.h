// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/address_check.h"
#include "instrument/emulator/exec/memory.h"
#include "instrument/emulator/exec/warp.h"

namespace dormer::emulator {

/// One request to memory by instructions that are too rare or too odd for code of their own per type.
struct LaneAccess {
    Window window = Window::Global; ///< Global, Shared or Generic
    std::uint32_t mask = 0;
    unsigned width = 4; ///< bytes a lane, 1 to 16
    bool store = false;
    bool bypassL1 = false;
};

/// Checks and counts the request, and sets hosts[i] to lane i's place in host memory. Throws FaultSignal.
void resolveLanes(WarpState& w, const Inst& in, const LaneAccess& access, const std::uint64_t* addresses,
                  std::byte** hosts);

} // namespace dormer::emulator
