// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/hierarchy/access.h"
#include "instrument/emulator/instructions/instruction.h"

#include <cstdint>
#include <vector>

/// What an instruction's last pattern of addresses came to. Loops repeat a pattern with all lanes moved by
/// the same distance, and comparing distances is quicker than finding lines and banks again.
namespace dormer::emulator::exec {

/// Bank conflicts do not change when all lanes move by whole words, so distances from the first lane say all.
struct SharedMemo {
    std::uint32_t mask = 0; ///< 0: nothing is remembered
    std::uint32_t wavefronts = 0;
    alignas(64) std::uint32_t distances[instructions::kLanes];
};

/// Sectors depend on the distances and on where in its line the first lane is.
struct GlobalMemo {
    std::uint32_t mask = 0;
    std::uint32_t offsetInLine = 0;
    std::uint32_t lineCount = 0, sectors = 0;
    alignas(64) std::uint64_t distances[instructions::kLanes];
    alignas(64) access::LineAccess lines[instructions::kLanes]; ///< line: counted from the first lane's
};

/// Of one instruction: most have only one of the two.
struct PatternMemo {
    SharedMemo shared;
    GlobalMemo global;
    std::vector<PatternMemo> others; ///< of its further requests
};

} // namespace dormer::emulator::exec
