// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/engine/sm_clock.h"

#include "instrument/emulator/timing/parameters.h"

#include <algorithm>
#include <cmath>

namespace dormer::emulator::engine {

std::vector<exec::CodeCycles> cyclesOfCode(const program::Program& program, const device::Chip& chip,
                                           double warpsPerScheduler) {
    const double l2 =
        chip.l2FarCycles > 0 ? (chip.l2HitCycles + chip.l2FarCycles) / 2 : chip.l2HitCycles; // either half
    std::vector<double> issued(program.blocks.size());
    for (const program::InstructionFacts& facts : program.instructions)
        issued[facts.block] += facts.instructions;
    std::vector<exec::CodeCycles> cycles;
    cycles.reserve(program.blocks.size());
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        const program::BlockChain& chain = program.chains[b];
        const double latency = chain.cycles + chain.globalLoads * chip.l1HitCycles +
                               chain.sharedLoads * chip.sharedCycles + chain.atomics * l2 +
                               chain.barriers * timing::kBarrierCycles;
        cycles.push_back(
            {static_cast<std::uint32_t>(std::lround(std::max(latency, issued[b] * warpsPerScheduler))),
             static_cast<std::uint32_t>(std::lround(chain.globalLoads * (l2 - chip.l1HitCycles)))});
    }
    return cycles;
}

} // namespace dormer::emulator::engine
