// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/program/program.h"

namespace dormer::emulator::exec {

/// Starts a function for `lanes`: a frame of its own, arguments copied. The callee's path is on top
/// afterwards. `block` ends with the call. Throws FaultSignal when the stack is full.
void enterCall(WarpState& warp, std::uint32_t block, std::uint32_t function, std::uint32_t lanes);
/// Every lane has returned: copies results and takes the frame away.
void returnFromCall(WarpState& warp);
/// Takes the lanes that are in the running function back to its call, which they repeat when it is their
/// turn, so that those that have returned can go on. False where that would be noticed: they changed memory
/// in it, or wait there.
[[nodiscard]] bool takeBackCall(WarpState& warp);
/// Function the first of `lanes` calls, and in `same` the lanes that call it too. Throws FaultSignal for an
/// address that is no function's.
[[nodiscard]] std::uint32_t indirectTarget(const WarpState& warp, const program::CallOperands& call,
                                           std::uint32_t lanes, std::uint32_t& same);
/// vprintf, malloc, free, __assertfail for the lanes in Warp::exec.
void callExternal(WarpState& warp, const program::CallOperands& call);
/// True for the functions callExternal() knows.
[[nodiscard]] bool isExternal(std::string_view name);

} // namespace dormer::emulator::exec
