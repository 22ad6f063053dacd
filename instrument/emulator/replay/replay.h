// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/counts/block_trace.h"
#include "instrument/emulator/counts/counts.h"
#include "instrument/emulator/counts/warp_stalls.h"
#include "instrument/emulator/program/program.h"

#include <memory>
#include <vector>

/// Plays what some blocks did on one SM again, with clocks.
namespace dormer::emulator::replay {

struct Launch {
    std::uint64_t blocks = 0;
    std::uint32_t blocksPerSm = 1;     ///< resident at most
    std::uint64_t sharedBytesOfSm = 0; ///< of the resident blocks
    std::uint64_t credit = 0;          ///< instructions that may be played beyond their usual share
};

/// What a launch of a kernel and configuration took on its SM, as far as it was played.
struct Pace {
    double cycles = 0, steps = 0; ///< of the whole launch
    double share = 0;             ///< of the steps: played
};
/// What playing launches further than usual may cost a program: some 16 million instructions take a second.
/// It comes back slowly.
class Credit {
public:
    [[nodiscard]] std::uint64_t left() const;
    void spent(std::uint64_t played, std::uint64_t executed);

private:
    static constexpr std::uint64_t kMost = 16'000'000;
    std::uint64_t m_left = kMost;
};

/// SMs whose blocks should be traced: the first that gets blocks, one in the middle and the last.
[[nodiscard]] std::vector<std::uint32_t> tracedSms(const Launch& launch, std::uint32_t smCount);
/// Blocks of each that should be traced, and instructions of each of their warps.
[[nodiscard]] std::uint64_t tracedBlocks(const Launch& launch, std::uint32_t smCount);
[[nodiscard]] std::uint64_t tracedSteps(const Launch& launch, std::uint32_t smCount,
                                        std::uint64_t warpsPerBlock);

/// `traces` by block; `stepsOfSm`: instructions that the warps on each SM executed; `pace`: of launches like
/// this that were played further, or gets this one's; `stalls`: gets what the warps did meanwhile, unless it
/// is null.
[[nodiscard]] counts::Replayed replay(const program::Program& program, const device::Chip& chip,
                                      const Launch& launch,
                                      const std::vector<std::unique_ptr<counts::BlockTrace>>& traces,
                                      const std::vector<std::uint64_t>& stepsOfSm,
                                      const counts::Traffic& traffic, Pace& pace,
                                      counts::StallShares* stalls = nullptr);

} // namespace dormer::emulator::replay
