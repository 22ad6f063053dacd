// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/replay.h"

#include "instrument/emulator/replay/latencies.h"
#include "instrument/emulator/replay/sm_clock.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace dormer::emulator::replay {

namespace {

/// Waves of blocks that are traced, and instructions of all their warps together.
constexpr std::uint64_t kWaves = 4, kSteps = 400'000;
/// What is traced of a warp at least, if it does as much.
constexpr std::uint64_t kStepsOfWarp = 256;
/// A launch is played for no more than this share of its instructions, if they are more than kSteps / 8.
constexpr std::uint64_t kShare = 16;
/// Beyond that, of one launch, while there is credit: its pace may change as it goes on.
constexpr std::uint64_t kMostCredit = 2'000'000;

std::uint64_t usualSteps(std::uint64_t executed) {
    return std::max(kSteps / 8, executed / kShare);
}

std::uint64_t blocksOfFirstSm(const Launch& launch, std::uint32_t smCount) {
    return (launch.blocks + smCount - 1) / smCount;
}

double number(std::uint64_t value) {
    return static_cast<double>(value);
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

MemoryShare memoryOf(const device::Chip& chip, const Launch& launch, const counts::Traffic& traffic) {
    const double sms =
        number(std::min<std::uint64_t>(launch.blocks, static_cast<std::uint64_t>(chip.device.smCount)));
    const double clock = chip.device.smClockMaxHz;
    MemoryShare memory;
    memory.l1Lines = std::max<std::uint64_t>(device::l1Bytes(chip, launch.sharedBytesOfSm) / 128, 16);
    memory.l1Cycles = chip.l1HitCycles;
    memory.l2Cycles = chip.l2FarCycles > 0 ? (chip.l2HitCycles + chip.l2FarCycles) / 2 : chip.l2HitCycles;
    memory.dramCycles = chip.dramCycles * kDramBusy;
    memory.l2Sectors = std::min(kPortSectors, chip.l2BytesPerClock / 32 / sms);
    const double peak = 2 * chip.device.memoryClockMaxHz * chip.device.memoryBusBits / 8;
    memory.dramSectors = peak * chip.dramEfficiency / clock / 32 / sms;
    const double missed = number(traffic.l1LoadSectors - traffic.l1LoadSectorHits + traffic.bulkSectors);
    memory.dramReads = std::min(1.0, share(number(traffic.dramReadSectors), missed));
    const double written =
        number(traffic.dramWriteSectors + std::min(traffic.dirtySectorsLeft, traffic.dramWriteSectors));
    memory.dramWrites = share(written, number(traffic.l2Writes + traffic.l2Atomics + traffic.l2Reductions));
    return memory;
}

} // namespace

std::vector<std::uint32_t> tracedSms(const Launch& launch, std::uint32_t smCount) {
    const auto last = static_cast<std::uint32_t>(std::min<std::uint64_t>(launch.blocks, smCount)) - 1;
    std::vector<std::uint32_t> sms{0};
    for (const std::uint32_t sm : {last / 2, last})
        if (sm > sms.back()) sms.push_back(sm);
    return sms;
}

std::uint64_t Credit::left() const {
    return std::min(m_left, kMostCredit);
}

void Credit::spent(std::uint64_t played, std::uint64_t executed) {
    const std::uint64_t usual = usualSteps(executed);
    m_left -= std::min(m_left, played > usual ? played - usual : 0);
    m_left = std::min(kMost, m_left + executed / (4 * kShare));
}

std::uint64_t tracedBlocks(const Launch& launch, std::uint32_t smCount) {
    return std::min(kWaves * launch.blocksPerSm, blocksOfFirstSm(launch, smCount));
}

std::uint64_t tracedSteps(const Launch& launch, std::uint32_t smCount, std::uint64_t warpsPerBlock) {
    return std::max(kStepsOfWarp,
                    std::max(kSteps, launch.credit) / (tracedBlocks(launch, smCount) * warpsPerBlock));
}

counts::Replayed replay(const program::Program& program, const device::Chip& chip, const Launch& launch,
                        const std::vector<std::unique_ptr<counts::BlockTrace>>& traces,
                        const std::vector<std::uint64_t>& stepsOfSm, const counts::Traffic& traffic,
                        Pace& pace, counts::StallShares* stalls) {
    counts::Replayed result;
    const device::Architecture* architecture = device::architectureOf(chip.device);
    if (architecture == nullptr || traces.empty()) return result;
    // Of the traced SMs the one with the most to do stands for the busiest of all.
    std::uint32_t sm = traces.front()->sm;
    for (const auto& trace : traces)
        if (stepsOfSm[trace->sm] > stepsOfSm[sm]) sm = trace->sm;
    std::vector<const counts::BlockTrace*> blocks;
    std::uint64_t steps = 0;
    bool whole = true;
    for (const auto& trace : traces) {
        if (trace->sm != sm) continue;
        blocks.push_back(trace.get());
        for (const counts::WarpTrace& warp : trace->warps) {
            steps += warp.steps;
            whole = whole && warp.isWhole;
        }
    }
    if (steps == 0) return result;
    const std::uint64_t all = std::accumulate(stepsOfSm.begin(), stepsOfSm.end(), std::uint64_t{0});
    SmClock::Shape shape;
    shape.residentBlocks = launch.blocksPerSm;
    shape.sharedCycles = chip.sharedCycles;
    shape.lsuBytesPerClock = chip.lsuBytesPerClock;
    shape.stepLimit = std::max(usualSteps(all), launch.credit);
    TimedCode code(program, *architecture);
    std::optional<StallWatch> watch;
    if (stalls != nullptr)
        watch.emplace(program.instructions.size(), blocks.front()->warps.size() * shape.residentBlocks);
    const SmClock::Result played =
        SmClock(code, shape, memoryOf(chip, launch, traffic), watch ? &*watch : nullptr).play(blocks, steps);
    // What was not played goes on as the middle half of what was.
    const auto busiest = *std::ranges::max_element(stepsOfSm);
    const double own =
        whole && blocks.size() == (launch.blocks - sm + stepsOfSm.size() - 1) / stepsOfSm.size()
            ? number(steps)
            : number(stepsOfSm[sm]);
    const double rest =
        std::max(0.0, own * share(number(busiest), number(stepsOfSm[sm])) - number(played.steps));
    const double middle = played.middleSteps > 0 ? played.middleCycles / number(played.middleSteps)
                                                 : played.cycles / number(played.steps);
    result.cycles = played.cycles + rest * middle;
    result.steps = played.steps;
    const double total = number(played.steps) + rest, reached = number(played.steps) / total;
    // A launch that does about as much goes as that one did.
    constexpr double kAlike = 0.1;
    if (reached < pace.share && std::abs(total - pace.steps) < kAlike * pace.steps)
        result.cycles = pace.cycles * total / pace.steps;
    else
        pace = {result.cycles, total, reached};
    if (watch) *stalls = watch->shares(share(rest * middle, played.middleCycles));
    return result;
}

} // namespace dormer::emulator::replay
