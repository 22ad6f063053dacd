// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/state_catalogue.h"

#include <algorithm>
#include <array>

namespace dormer::stalls {

namespace {

constexpr std::array kStates = {
    StateText{"barrier", "barrier", "waits for other warps of its block at a barrier"},
    StateText{"branch_resolving", "branch resolving", "waits for the target of a branch"},
    StateText{"dispatch_stall", "dispatch stall", "has an instruction that the dispatcher holds back"},
    StateText{"drain", "drain", "has ended, and waits for its stores to reach memory"},
    StateText{"gmma", "warpgroup MMA", "waits for a warpgroup's matrix multiplication"},
    StateText{"imc_miss", "constant cache miss", "waits for a constant, or a kernel argument, to arrive"},
    StateText{"lg_throttle", "LG throttle", "waits until the queue for local and global memory has room"},
    StateText{"long_scoreboard", "long scoreboard", "waits for data of global, local or texture memory"},
    StateText{"math_pipe_throttle", "math pipe throttle", "waits until its arithmetic pipe is free"},
    StateText{"membar", "membar", "waits for a memory fence"},
    StateText{"mio_throttle", "MIO throttle",
              "waits until the queue of shared memory, special functions and shuffles has room"},
    StateText{"misc", "misc", "is stalled for another reason"},
    StateText{"no_instructions", "no instruction", "waits for its next instruction to be fetched"},
    StateText{"not_selected", "not selected", "could issue, but another warp was chosen"},
    StateText{"selected", "selected", "issues an instruction"},
    StateText{"short_scoreboard", "short scoreboard",
              "waits for data of shared memory, a special function or a shuffle"},
    StateText{"sleeping", "sleeping", "sleeps (__nanosleep)"},
    StateText{"tex_throttle", "TEX throttle", "waits until the queue of the texture unit has room"},
    StateText{"wait", "wait", "waits for the fixed latency of its instruction before"},
    StateText{"warpgroup_arrive", "warpgroup arrive", "waits for the other warps of its warpgroup"},
};
static_assert(std::ranges::is_sorted(kStates, {}, &StateText::state));

} // namespace

const StateText* findState(std::string_view state) {
    const auto* at = std::ranges::lower_bound(kStates, state, {}, &StateText::state);
    return at != kStates.end() && at->state == state ? at : nullptr;
}

std::string_view stateName(std::string_view state) {
    const StateText* text = findState(state);
    return text != nullptr ? text->name : state;
}

bool issues(std::string_view state) {
    return state == "selected";
}

bool isEligible(std::string_view state) {
    return issues(state) || state == "not_selected";
}

} // namespace dormer::stalls
