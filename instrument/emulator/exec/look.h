// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/program/program.h"

#include <optional>

namespace dormer::emulator::exec {

/// One round of a loop in which lanes look for what others are to write. What a look in vain counted is taken
/// back, so that a wait counts as the one look that ends it, however long it took and whoever ran meanwhile.
/// Nobody else of the worker counts between begin() and what follows.
class Look {
public:
    void begin(WarpState& warp, const program::PollLoop& loop, std::uint32_t mask);
    /// Whether the same lanes of the same path are at a look that has begun.
    [[nodiscard]] bool isOf(const WarpState& warp, const program::PollLoop& loop, std::uint32_t mask) const;
    /// They came round without having changed anything: the next round will do the same until others do.
    [[nodiscard]] bool wasInVain(const WarpState& warp) const;
    /// They came round, and all that they found will be found anew: this look decides on nothing.
    [[nodiscard]] bool wasNotTheLast(const WarpState& warp) const;
    /// Takes back what was counted since it began.
    void undo(WarpState& warp) const;
    void end(WarpState& warp);
    /// The path that looks is no longer on the stack of `paths`: it has arrived where it meets others.
    [[nodiscard]] bool isLeft(const WarpState& warp) const { return began() && warp.paths.size() < m_paths; }
    [[nodiscard]] bool began() const { return m_loop != nullptr; }

private:
    const program::PollLoop* m_loop = nullptr;
    std::uint32_t m_mask = 0, m_wroteBefore = 0;
    std::size_t m_paths = 0, m_calls = 0;
    std::vector<std::byte> m_values; ///< of loop.carried
    std::vector<counts::InstructionCounts> m_instructions;
    std::vector<std::uint64_t> m_blocks; ///< warps and lanes
    std::optional<hierarchy::MemoryHierarchy::BlockPort::Mark> m_mark;
    std::uint64_t m_steps = 0;
    counts::WarpTrace::Mark m_trace;
};

} // namespace dormer::emulator::exec
