// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/measured.h"
#include "analysis/findings/finding_checks.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::findings {

namespace {

/// Every block tells L2 that it has arrived and asks it until all have: two trips to L2 of about 600 cycles
/// each at least (docs/emulator-time-model.md). Where it was measured of the device, that counts.
constexpr double kLeastBarrierNs = 700;
/// Barriers that take less of a launch are not what it waits for.
constexpr double kWorthwhile = 0.1;

/// Arrivals of blocks at grid-wide barriers: cooperative groups' own function is inlined, so the compiler's
/// line information names it.
double arrivals(std::span<const session::LineCounts> lines) {
    double sum = 0;
    for (const session::LineCounts& line : lines)
        if ((line.op == session::MemoryOperation::Atomic || line.op == session::MemoryOperation::Reduction) &&
            line.function.find("sync_grids") != std::string::npos)
            sum += static_cast<double>(line.executions.value_or(0));
    return sum;
}

} // namespace

void checkGridBarriers(const FindingContext& c) {
    const auto blocks = c.value("grid_blocks");
    const auto duration = c.value("duration_ns");
    if (!blocks || !duration || !(*blocks > 0)) return;
    const session::Device* device = c.metrics.session().deviceOf(c.launch);
    const double perSecond =
        device != nullptr ? device::measuredRate(c.metrics.session(), device->id, "grid_barriers") : 0;
    const double leastNs = perSecond > 0 ? 1e9 / perSecond : kLeastBarrierNs;
    const double barriers = arrivals(c.lines) / *blocks;
    if (barriers < 1 || barriers * leastNs < kWorthwhile * *duration) return;
    c.add(FindingKind::GridBarriers,
          fmt::format("{} grid-wide barrier{}, one every {}: each time all {} blocks wait for the slowest",
                      metrics::forPeople(barriers, metrics::Unit::Count), barriers < 1.5 ? "" : "s",
                      metrics::forPeople(*duration / barriers, metrics::Unit::Nanoseconds),
                      metrics::forPeople(blocks, metrics::Unit::Count)),
          std::nullopt);
}

void yieldToBarriers(std::vector<Finding>& found) {
    const std::string_view barriers =
        findingCatalogue()[static_cast<std::size_t>(FindingKind::GridBarriers)].code;
    if (std::ranges::find(found, barriers, &Finding::code) == found.end()) return;
    // Lanes that ask for the others alone are what diverges; the rest of the time goes to waiting, too.
    std::erase_if(found, [](const Finding& each) { return each.code == "divergence"; });
    for (Finding& each : found)
        each.gainNs.reset();
}

} // namespace dormer::findings
