// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"

#include <string>
#include <vector>

/// Kernels whose warps wait in one state most of the time, each beside a twin that has the same results
/// without the wait; a file for each state.
namespace dormer::kernels::stalls {

Group chaseGroup();   ///< chase_dependent, chase_interleaved: long scoreboard
Group barrierGroup(); ///< barrier_uneven, barrier_even: barrier
Group sharedGroup();  ///< shared_narrow, shared_blocked: MIO throttle
Group fmaGroup();     ///< fma_dependent, fma_independent: wait
Group codeGroup();    ///< code_unrolled, code_looped: no instruction
Group globalGroup();  ///< global_narrow, global_wide: LG throttle

/// Blocks of the default sizes that shall be alone on their SM: an H100 has 132 of them.
inline constexpr unsigned kLoneBlocks = 128;
/// A warp for each of an SM's four schedulers: nobody fills the gaps that one of them leaves.
inline constexpr unsigned kLoneBlock = 128;

inline std::vector<std::string> parameters(std::size_t size, unsigned block) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(block)};
}

} // namespace dormer::kernels::stalls
