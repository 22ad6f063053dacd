// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dormer::emulator::counts {

/// What a warp does at some time, in Nsight Compute's words (analysis/stalls/state_catalogue).
enum class Stall : std::uint8_t {
    Barrier,
    BranchResolving,
    Drain,
    Gmma,
    LgThrottle,
    LongScoreboard,
    MathPipeThrottle,
    Membar,
    MioThrottle,
    Misc,
    NoInstructions,
    NotSelected,
    Selected,
    ShortScoreboard,
    Sleeping,
    TexThrottle,
    Wait,
};

inline constexpr std::array<std::string_view, 17> kStallNames{"barrier",
                                                              "branch_resolving",
                                                              "drain",
                                                              "gmma",
                                                              "lg_throttle",
                                                              "long_scoreboard",
                                                              "math_pipe_throttle",
                                                              "membar",
                                                              "mio_throttle",
                                                              "misc",
                                                              "no_instructions",
                                                              "not_selected",
                                                              "selected",
                                                              "short_scoreboard",
                                                              "sleeping",
                                                              "tex_throttle",
                                                              "wait"};

[[nodiscard]] constexpr std::string_view toString(Stall stall) {
    return kStallNames[static_cast<std::size_t>(stall)];
}

/// How much of what the warps of a launch did was one state at one instruction.
struct StallShare {
    std::uint32_t instruction = 0; ///< place in Program::instructions
    Stall state = Stall::Selected;
    double share = 0;     ///< of what its warps did, 0..1; 1 over all of a launch
    double notIssued = 0; ///< of `share`: while their scheduler issued nothing
};

/// By instruction and state; empty where no warp was watched.
using StallShares = std::vector<StallShare>;

} // namespace dormer::emulator::counts
