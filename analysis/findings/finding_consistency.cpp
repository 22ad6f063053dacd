// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"

#include "analysis/device/architecture.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"
#include "analysis/verdict/measured.h"

#include <fmt/format.h>

namespace dormer::findings {

namespace {

constexpr double kAboveMeasured = 1.03;
/// Counters of one launch come from several replay passes; rounding of percentages alone stays below this.
constexpr double kRounding = 1e-6;

/// Below this a duration's microsecond of uncertainty is a twentieth of it.
constexpr double kShortNs = 20000;

/// Why a launch can pass a roof that the benchmark could not.
std::string_view likelyCause(const FindingContext& c, device::Resource resource) {
    if (c.value("duration_ns").value_or(0) < kShortNs)
        return "the launch is so short that a microsecond of its duration explains it";
    if (device::isPerSm(resource) && !c.value("sm_clock_hz"))
        return "the SM clock during the launch was not collected, and may have been higher than the roof's";
    if (resource == device::Resource::Dram || resource == device::Resource::L2)
        return "its bytes were counted in another run than the one that was timed, with other data in L2";
    return "its work was counted in another run than the one that was timed, or the roof was measured while "
           "the GPU was in use (dormer ceilings --again)";
}

void checkDuration(const FindingContext& c) {
    const session::Launch& launch = c.metrics.session().launch(c.launch);
    if (!launch.durationNs || metrics::plausibleDurationNs(launch)) return;
    c.add(FindingKind::ImpossibleDuration,
          fmt::format("a duration of {:g} ns is impossible", *launch.durationNs), std::nullopt);
}

void checkCeilings(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    const session::Device* device = session.deviceOf(c.launch);
    if (device == nullptr) return;
    const verdict::MeasuredShares measuredShares = verdict::measuredShares(c.metrics, c.launch);
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        const auto u = c.utilization(resource);
        if (u && *u > device::upperBoundFactor(device::architectureOf(*device), resource) * (1 + kRounding)) {
            c.add(FindingKind::AboveCeiling,
                  fmt::format("{} is at {} of its theoretical ceiling", device::title(resource),
                              metrics::forPeople(u, metrics::Unit::Ratio)),
                  std::nullopt);
            continue;
        }
        const auto& measured = measuredShares[static_cast<std::size_t>(resource)];
        const double share = measured.value_or(0) * (device::isPerSm(resource) ? c.verdict.workingSms : 1);
        if (share > kAboveMeasured * device::upperBoundFactor(device::architectureOf(*device), resource))
            c.add(FindingKind::AboveMeasuredCeiling,
                  fmt::format("{} is at {} of its measured ceiling; {}", device::title(resource),
                              metrics::forPeople(share, metrics::Unit::Ratio), likelyCause(c, resource)),
                  std::nullopt);
    }
}

void checkRanges(const FindingContext& c) {
    struct Range {
        std::string_view metric;
        double most;
    };
    static constexpr Range kRanges[] = {{"l2_hit_rate", 1},
                                        {"l1_hit_rate", 1},
                                        {"achieved_occupancy", 1},
                                        {"issue_utilization", 1},
                                        {"threads_per_warp", 32},
                                        {"global_load_sectors_per_request", 32},
                                        {"global_store_sectors_per_request", 32}};
    for (const Range& range : kRanges) {
        const auto value = c.value(range.metric);
        if (!value || (*value <= range.most * (1 + kRounding) && *value >= 0)) continue;
        c.add(FindingKind::OutOfRange,
              fmt::format("{} is {:.4g}; its range is 0 to {:g}", range.metric, *value, range.most),
              std::nullopt);
    }
}

/// Requested counters without a value. A mean over nothing (".ratio") rightly has none.
void checkMissing(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    const session::Launch& launch = session.launch(c.launch);
    if (!launch.counted || launch.process >= session.processes().size()) return;
    std::size_t missing = 0;
    std::string first;
    const auto& requested = session.processes()[launch.process].counters;
    for (const std::string& name : requested) {
        if (name.ends_with(".ratio") || session.counter(c.launch, name)) continue;
        if (++missing <= 3) first += (first.empty() ? "" : ", ") + name;
    }
    if (missing == 0) return;
    c.add(FindingKind::MissingCounters,
          fmt::format("{} of {} requested counters: {}{}", missing, requested.size(), first,
                      missing > 3 ? ", ..." : ""),
          std::nullopt);
}

} // namespace

void checkConsistency(const FindingContext& c) {
    checkDuration(c);
    checkCeilings(c);
    checkRanges(c);
    checkMissing(c);
}

} // namespace dormer::findings
