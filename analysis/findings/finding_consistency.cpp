// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"

#include "analysis/device/architecture.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"

#include <fmt/format.h>

namespace dormer::findings {

namespace {

constexpr double kAboveMeasured = 1.03;
/// Counters of one launch come from several replay passes; rounding of percentages alone stays below this.
constexpr double kRounding = 1e-6;

std::string_view rateMetric(device::Resource resource) {
    switch (resource) {
    case device::Resource::Dram:
        return "dram_bytes_per_second";
    case device::Resource::L2:
        return "l2_bytes_per_second";
    case device::Resource::L1:
        return "l1_bytes_per_second";
    case device::Resource::Shared:
        return "shared_bytes_per_second";
    case device::Resource::Fp32:
        return "flops_fp32_per_second";
    case device::Resource::Fp64:
        return "flops_fp64_per_second";
    case device::Resource::Fp16:
        return "flops_fp16_per_second";
    case device::Resource::Tensor:
        return "tensor_ops_per_second";
    case device::Resource::Integer:
        return "integer_ops_per_second";
    case device::Resource::IssueSlots:
        return "warp_instructions_per_second";
    }
    return "";
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
        const auto rate = c.value(rateMetric(resource));
        for (const session::MeasuredCeiling& measured : session.measuredCeilings()) {
            if (!rate || measured.device != device->id || measured.resource != device::toString(resource) ||
                !(*rate > kAboveMeasured * measured.perSecond))
                continue;
            c.add(FindingKind::AboveMeasuredCeiling,
                  fmt::format("{} is at {} of its measured ceiling", device::title(resource),
                              metrics::forPeople(*rate / measured.perSecond, metrics::Unit::Ratio)),
                  std::nullopt);
        }
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
