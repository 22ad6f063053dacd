// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/flow/control_flow.h"
#include "instrument/emulator/instructions/instruction.h"

#include <vector>

namespace dormer::emulator::code {

/// Where the registers of a function lie in a warp's frame.
struct RegisterFrame {
    std::vector<instructions::Ref> places; ///< by register; absent for those that are never used
    std::uint32_t bytes = 0;
    std::uint32_t widest32 = 0; ///< most 32-bit registers' worth live at once: an estimate of hardware's need
    std::vector<std::vector<std::uint64_t>> liveIn; ///< by block: a bit per register that holds a value there

    [[nodiscard]] bool isLiveAt(std::uint32_t block, std::uint32_t reg) const {
        return ((liveIn[block][reg / 64] >> (reg % 64)) & 1) != 0;
    }
};

/// Bytes a register takes per lane: 2, 4, 8 or 16; 0 for a predicate.
[[nodiscard]] std::uint8_t registerBytes(ptx::Type type);

/// Gives registers whose values are never needed at the same time the same place, so that a warp's frame
/// stays in the caches: PTX never uses a register twice, and large kernels have thousands. `same[r]` is the
/// register that stands for r (itself, as a rule); `folded[r]` says that r needs no place at all.
[[nodiscard]] RegisterFrame placeRegisters(const ptx::Function& function,
                                           const std::vector<flow::BasicBlock>& blocks,
                                           const std::vector<bool>& folded);

} // namespace dormer::emulator::code
