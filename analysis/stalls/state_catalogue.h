// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What the warps of a kernel wait for, from samples of them.
namespace dormer::stalls {

/// A state that a warp can be sampled in. Sources: CUDA Toolkit, Nsight Compute Kernel Profiling Guide, "Warp
/// Stall Reasons".
struct StateText {
    std::string_view state;   ///< as session::WarpState has it: "long_scoreboard"
    std::string_view name;    ///< for people: "long scoreboard"
    std::string_view meaning; ///< what such a warp does: "waits for data from L2, DRAM or local memory"
};

/// Null for a state this version does not know: it is shown under its own name.
[[nodiscard]] const StateText* findState(std::string_view state);
/// "long scoreboard"; of an unknown state its own name.
[[nodiscard]] std::string_view stateName(std::string_view state);
/// True where the warp issues an instruction.
[[nodiscard]] bool issues(std::string_view state);
/// True where the warp issued, or could have: it is not stalled.
[[nodiscard]] bool isEligible(std::string_view state);

} // namespace dormer::stalls
