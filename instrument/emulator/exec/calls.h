// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/code/program.h"
#include "instrument/emulator/exec/warp.h"

namespace dormer::emulator {

/// Starts a function for `lanes`: a frame of its own, arguments copied. The callee's path is on top
/// afterwards. Throws FaultSignal when the stack is full.
void enterCall(WarpState& warp, std::uint32_t call, std::uint32_t function, std::uint32_t lanes);
/// Every lane has returned: copies results and takes the frame away.
void returnFromCall(WarpState& warp);
/// Function the first of `lanes` calls, and in `same` the lanes that call it too. Throws FaultSignal for an
/// address that is no function's.
[[nodiscard]] std::uint32_t indirectTarget(const WarpState& warp, const CallOperands& call,
                                           std::uint32_t lanes, std::uint32_t& same);
/// vprintf, malloc, free, __assertfail for the lanes in Warp::exec.
void callExternal(WarpState& warp, const CallOperands& call);
/// True for the functions callExternal() knows.
[[nodiscard]] bool isExternal(std::string_view name);

} // namespace dormer::emulator
