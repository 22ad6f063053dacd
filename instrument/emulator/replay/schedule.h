// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace dormer::emulator::replay {

/// An instruction for the scheduler: what must come before it, and how long its own result takes.
struct Scheduled {
    struct Edge {
        std::uint32_t before = 0; ///< an earlier instruction of the list
        bool forResult = true;    ///< waits for its result, not just for its issue
    };
    double issue = 1, latency = 4;
    std::vector<Edge> edges;
};

/// List scheduling, as assemblers do it for machines that issue in order: of the instructions whose operands
/// are there, the one with the longest way to the block's end goes first.
[[nodiscard]] std::vector<std::uint32_t> schedule(const std::vector<Scheduled>& instructions);

} // namespace dormer::emulator::replay
