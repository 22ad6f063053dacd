// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/state_catalogue.h"

#include <algorithm>
#include <array>

namespace dormer::stalls {

namespace {

constexpr std::array kStates = {
    StateText{
        "barrier", "barrier", "waits for other warps of its block at a barrier",
        "Give the warps of a block equal work before the barrier; use smaller blocks, or barriers of fewer "
        "threads."},
    StateText{"branch_resolving", "branch resolving", "waits for the target of a branch",
              "Replace short branches by predicates or selections; unroll loops."},
    StateText{"dispatch_stall", "dispatch stall", "has an instruction that the dispatcher holds back",
              "Conflicts for register banks or ports: nothing that source code decides directly."},
    StateText{"drain", "drain", "has ended, and waits for its stores to reach memory",
              "Store less, coalesced, and not all of it at the end of the kernel."},
    StateText{"gmma", "warpgroup MMA", "waits for a warpgroup's matrix multiplication",
              "Have more of them in flight: wait for all but the last group (wgmma.wait_group N)."},
    StateText{"imc_miss", "constant cache miss", "waits for a constant, or a kernel argument, to arrive",
              "Use fewer constants, and the same one in all lanes; long kernels read arguments anew."},
    StateText{
        "lg_throttle", "LG throttle", "waits until the queue for local and global memory has room",
        "Issue fewer memory instructions: wider loads (float4), coalesced access, no spilled registers."},
    StateText{
        "long_scoreboard", "long scoreboard", "waits for data of global, local or texture memory",
        "Have more loads in flight before their first use (unroll, prefetch, cp.async), more warps, better "
        "locality, or fewer sectors per request."},
    StateText{"math_pipe_throttle", "math pipe throttle", "waits until its arithmetic pipe is free",
              "The pipe is busy: use cheaper operations, another precision, or tensor cores."},
    StateText{"membar", "membar", "waits for a memory fence",
              "Fence less often and at the narrowest scope: __threadfence_block() where that suffices."},
    StateText{"mio_throttle", "MIO throttle",
              "waits until the queue of shared memory, special functions and shuffles has room",
              "Issue fewer of them: wider accesses of shared memory (float4), results kept in registers."},
    StateText{"misc", "misc", "is stalled for another reason", "Rare; there is nothing to do about it."},
    StateText{"no_instructions", "no instruction", "waits for its next instruction to be fetched",
              "The code runs out of the instruction cache: unroll and inline less, and avoid jumps."},
    StateText{"not_selected", "not selected", "could issue, but another warp was chosen", ""},
    StateText{"selected", "selected", "issues an instruction", ""},
    StateText{"short_scoreboard", "short scoreboard",
              "waits for data of shared memory, a special function or a shuffle",
              "Avoid bank conflicts, have more of them in flight, or keep values in registers."},
    StateText{"sleeping", "sleeping", "sleeps (__nanosleep)",
              "Sleep for a shorter time, or wait at a barrier."},
    StateText{"tex_throttle", "TEX throttle", "waits until the queue of the texture unit has room",
              "Fetch less, wider or coalesced; read without textures where filtering is not needed."},
    StateText{"wait", "wait", "waits for the fixed latency of its instruction before",
              "Have independent instructions between (more work a thread), or more warps."},
    StateText{"warpgroup_arrive", "warpgroup arrive", "waits for the other warps of its warpgroup",
              "Give the four warps of a warpgroup the same work."},
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
