// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"

#include "analysis/device/occupancy.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::findings {

namespace {

constexpr double kLowOccupancy = 0.5;
constexpr double kOccupancyGap = 0.1;
/// A last wave that leaves fewer of all slots empty is not worth a word.
constexpr double kTailShare = 0.1;
/// So few SMs without a block do not make a grid too small.
constexpr double kFewIdleSms = 0.05;
/// A single wave this full, with a block on nearly every SM, leaves little to save.
constexpr double kNearlyFull = 0.9;
/// From this share of a ceiling on, more warps or fuller waves save little.
constexpr double kHighThroughput = 0.8;

bool saturated(const FindingContext& c) {
    double most = 0;
    for (int i = 0; i < device::kResourceCount; ++i)
        most = std::max(most, c.verdict.ofDevice(static_cast<device::Resource>(i)).value_or(0));
    return std::max(most, c.verdict.practicalL2.value_or(0)) >= kHighThroughput;
}

/// One of many launches in a row that are hardly longer than empty ones (launch-overhead).
bool isAmongShortLaunches(const FindingContext& c) {
    constexpr std::size_t kAround = 100, kMany = 100;
    const std::span<const session::Launch> launches = c.metrics.session().launches();
    const auto at = static_cast<std::size_t>(c.launch);
    const std::size_t begin = at - std::min(at, kAround), end = std::min(launches.size(), at + kAround + 1);
    std::size_t count = 0;
    for (const session::Launch& each : launches.subspan(begin, end - begin))
        count += each.durationNs && *each.durationNs < verdict::kTooShortNs ? 1 : 0;
    return count >= kMany && c.value("duration_ns").value_or(verdict::kTooShortNs) < verdict::kTooShortNs;
}

FindingKind kindFor(device::OccupancyLimiter limiter) {
    switch (limiter) {
    case device::OccupancyLimiter::Registers:
        return FindingKind::OccupancyByRegisters;
    case device::OccupancyLimiter::SharedMemory:
        return FindingKind::OccupancyBySharedMemory;
    case device::OccupancyLimiter::Warps:
        return FindingKind::OccupancyByBlockSize;
    case device::OccupancyLimiter::Blocks:
        return FindingKind::OccupancyByBlocks;
    case device::OccupancyLimiter::TooLarge:
        return FindingKind::OccupancyTooLarge;
    }
    return FindingKind::Occupancy;
}

} // namespace

void checkGrid(const FindingContext& c) {
    const auto waves = c.value("waves");
    const auto blocks = c.value("grid_blocks");
    const session::Device* device = c.metrics.session().deviceOf(c.launch);
    const auto duration = c.value("duration_ns");
    if (!waves || !blocks || device == nullptr || saturated(c)) return;
    if (*waves < 1) {
        if (isAmongShortLaunches(c)) return; // what they cost is launching: more blocks don't help
        const double idle = 1 - *blocks / device->smCount;
        if (idle < kFewIdleSms && *waves >= kNearlyFull) return;
        // With a block for every SM the grid may still be small, but what more blocks would save is unknown.
        std::optional<double> gain;
        const bool tooSmall = idle >= kFewIdleSms;
        if (tooSmall && duration && *duration >= verdict::kTooShortNs) gain = c.gain().without(idle, {});
        const double idleSms = device->smCount - *blocks;
        c.add(tooSmall ? FindingKind::SmallGrid : FindingKind::PartialWave,
              fmt::format("{} block{} on {} SMs: {} of a full wave{}",
                          metrics::forPeople(blocks, metrics::Unit::Count), *blocks == 1 ? "" : "s",
                          device->smCount, metrics::forPeople(waves, metrics::Unit::Ratio),
                          idleSms > 0 ? fmt::format(", {:.0f} SM{} idle", idleSms, idleSms == 1 ? "" : "s")
                                      : ""),
              gain);
        return;
    }
    const double whole = std::floor(*waves);
    // Equal blocks make every wave equally long; the last one could be filled for the same time.
    const double share = verdict::emptyShareOfWaves(*waves);
    if (share < kTailShare) return;
    c.add(FindingKind::TailEffect,
          fmt::format("{:.2f} waves: {:.0f} full, then a last one that is {} full", *waves, whole,
                      metrics::forPeople(*waves - whole, metrics::Unit::Ratio)),
          c.gain().withFullLastWave(share));
}

void checkOccupancy(const FindingContext& c) {
    const auto theoretical = c.value("theoretical_occupancy");
    const auto achieved = c.value("achieved_occupancy");
    const auto waves = c.value("waves");
    const session::Session& session = c.metrics.session();
    const session::Device* device = session.deviceOf(c.launch);
    if (!theoretical || device == nullptr || saturated(c)) return;
    // More blocks per SM help only a grid that has them.
    const bool fills = waves.value_or(1) >= 1;
    if (*theoretical < kLowOccupancy && fills) {
        const session::Launch& launch = session.launch(c.launch);
        const auto rules = device::theoreticalOccupancy(*device, session.kernelOf(c.launch), launch.block,
                                                        launch.dynamicSharedBytes);
        const bool known = rules && rules->blocksPerSm == c.value("blocks_per_sm").value_or(-1);
        const double resident = c.value("blocks_per_sm").value_or(0);
        const FindingKind kind = known ? kindFor(rules->limiter) : FindingKind::Occupancy;
        c.add(kind,
              fmt::format("theoretical occupancy is {} ({} block{} per SM{})",
                          metrics::forPeople(theoretical, metrics::Unit::Ratio), resident,
                          resident == 1 ? "" : "s",
                          known ? fmt::format(", limited by {}", device::toString(rules->limiter)) : ""),
              // With fewer registers a thread spills or has less in flight: what that costs is not known.
              kind == FindingKind::OccupancyByRegisters ? std::nullopt : c.gain().withMoreWarps());
    }
    // A grid that never fills the device explains the gap; so does a launch that is over at once.
    const bool judged = c.value("duration_ns").value_or(0) >= verdict::kTooShortNs && waves.value_or(0) >= 1;
    if (achieved && judged && *theoretical - *achieved > kOccupancyGap) {
        c.add(FindingKind::OccupancyGap,
              fmt::format("achieved occupancy is {}, theoretical {}",
                          metrics::forPeople(achieved, metrics::Unit::Ratio),
                          metrics::forPeople(theoretical, metrics::Unit::Ratio)),
              c.gain().withFilledSlots());
    }
}

} // namespace dormer::findings
