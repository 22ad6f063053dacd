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
constexpr double kTailShare = 0.2;
/// A wave this full, with a block on every SM, leaves nothing to speak of, be it the only or the last one.
constexpr double kNearlyFull = 0.9;
/// From this share of a ceiling on, more warps or fuller waves win little.
constexpr double kHighThroughput = 0.8;

bool saturated(const FindingContext& c) {
    return c.verdict.highest().value_or(0) >= kHighThroughput;
}

std::string limiterAdvice(device::OccupancyLimiter limiter) {
    switch (limiter) {
    case device::OccupancyLimiter::Registers:
        return "Registers limit it: __launch_bounds__ or smaller loop bodies; a block size that packs better "
               "may do.";
    case device::OccupancyLimiter::SharedMemory:
        return "Shared memory limits it: smaller tiles, or more work a block.";
    case device::OccupancyLimiter::Warps:
        return "The block size limits it: choose one that divides the SM's threads.";
    case device::OccupancyLimiter::Blocks:
        return "The number of blocks limits it: use larger blocks.";
    case device::OccupancyLimiter::TooLarge:
        return "The block does not fit an SM at all: fewer threads or registers.";
    }
    return {};
}

} // namespace

void checkGrid(const FindingContext& c) {
    const auto waves = c.value("waves");
    const auto blocks = c.value("grid_blocks");
    const session::Device* device = c.metrics.session().deviceOf(c.launch);
    const auto duration = c.value("duration_ns");
    if (!waves || !blocks || device == nullptr || saturated(c)) return;
    if (*waves < 1) {
        const double idle = 1 - *blocks / device->smCount;
        if (idle <= 0 && *waves >= kNearlyFull) return;
        // With a block for every SM the grid may still be small, but what more blocks would win is unknown.
        std::optional<double> gain;
        if (idle > 0 && duration && *duration >= verdict::kTooShortNs) gain = c.gain().without(idle, {});
        const double idleSms = device->smCount - *blocks;
        c.out.push_back(
            {"small-grid", "Grid smaller than the device",
             fmt::format(
                 "{} block{} on {} SMs: {} of the room{}", metrics::forPeople(blocks, metrics::Unit::Count),
                 *blocks == 1 ? "" : "s", device->smCount, metrics::forPeople(waves, metrics::Unit::Ratio),
                 idleSms > 0 ? fmt::format(", {:.0f} SM{} idle", idleSms, idleSms == 1 ? "" : "s") : ""),
             "Launch more blocks: split the work finer, or give threads less each.", gain});
        return;
    }
    const double whole = std::floor(*waves);
    if (*waves == whole || *waves - whole >= kNearlyFull || 1 / (whole + 1) < kTailShare) return;
    // Equal blocks make every wave equally long; the last one could be filled for the same time.
    const double share = (whole + 1 - *waves) / (whole + 1);
    c.out.push_back(
        {"tail-effect", "Tail effect",
         fmt::format("{:.2f} waves: after {:.0f} full one{} a last one is {} full", *waves, whole,
                     whole == 1 ? "" : "s", metrics::forPeople(*waves - whole, metrics::Unit::Ratio)),
         "Choose a grid that fills whole waves, or a grid-stride loop over exactly one.",
         c.gain().withFullLastWave(share)});
}

void checkOccupancy(const FindingContext& c) {
    const auto theoretical = c.value("theoretical_occupancy");
    const auto achieved = c.value("achieved_occupancy");
    const auto waves = c.value("waves");
    const session::Session& session = c.metrics.session();
    const session::Device* device = session.deviceOf(c.launch);
    if (!theoretical || device == nullptr || saturated(c)) return;
    // More blocks an SM help only a grid that has them.
    const bool fills = waves.value_or(1) >= 1;
    if (*theoretical < kLowOccupancy && fills) {
        const session::Launch& launch = session.launch(c.launch);
        const auto rules = device::theoreticalOccupancy(*device, session.kernelOf(c.launch), launch.block,
                                                        launch.dynamicSharedBytes);
        const bool known = rules && rules->blocksPerSm == c.value("blocks_per_sm").value_or(-1);
        c.out.push_back(
            {"low-occupancy", "Low occupancy",
             fmt::format("at most {} of the warp slots can be filled ({} blocks an SM{})",
                         metrics::forPeople(theoretical, metrics::Unit::Ratio),
                         c.value("blocks_per_sm").value_or(0),
                         known ? fmt::format(", limited by {}", device::toString(rules->limiter)) : ""),
             known ? limiterAdvice(rules->limiter)
                   : "Fewer registers or less shared memory a block let more blocks share an SM.",
             // With fewer registers a thread spills or has less under way: what that costs is not known.
             known && rules->limiter == device::OccupancyLimiter::Registers ? std::nullopt
                                                                            : c.gain().withMoreWarps()});
    }
    // A grid that never fills the device explains the gap; so does a launch that is over at once.
    const bool judged = c.value("duration_ns").value_or(0) >= verdict::kTooShortNs && waves.value_or(0) >= 1;
    if (achieved && judged && *theoretical - *achieved > kOccupancyGap) {
        c.out.push_back({"occupancy-gap", "Fewer warps than could be",
                         fmt::format("{} of the warp slots were filled, {} could be",
                                     metrics::forPeople(achieved, metrics::Unit::Ratio),
                                     metrics::forPeople(theoretical, metrics::Unit::Ratio)),
                         "Blocks of unequal length or a short last wave leave SMs waiting: balance the work "
                         "of blocks and "
                         "warps.",
                         c.gain().withFilledSlots()});
    }
}

} // namespace dormer::findings
