// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/atomics.h"

#include "analysis/device/measured.h"

#include <algorithm>

namespace dormer::verdict {

namespace {

/// Passes for a sector from which on lanes met at an address.
constexpr double kContended = 1.05;

} // namespace

double l2Amplification(const session::Device& device) {
    const bool twoHalves = (device.computeCapabilityMajor == 8 || device.computeCapabilityMajor == 9) &&
                           device.computeCapabilityMinor == 0;
    return twoHalves ? 1.5 : 1;
}

std::optional<double> atomicWaitNs(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    static const metrics::Metric& kSectors = *metrics::findMetric("atomic_sectors");
    static const metrics::Metric& kPasses = *metrics::findMetric("l2_atomic_sectors");
    static const metrics::Metric& kClock = *metrics::findMetric("l2_clock_hz");
    static const metrics::Metric& kDuration = *metrics::findMetric("duration_ns");
    const session::Device* device = metrics.session().deviceOf(launch);
    const auto sectors = metrics.value(launch, kSectors), moved = metrics.value(launch, kPasses);
    const auto clock = metrics.value(launch, kClock), duration = metrics.value(launch, kDuration);
    if (device == nullptr || !sectors || !moved || !clock || !duration || !(*sectors > 0) || !(*clock > 0))
        return std::nullopt;
    const double passes = *moved / l2Amplification(*device);
    if (passes < kContended * *sectors) return std::nullopt;
    const double measured = device::measuredRate(metrics.session(), device->id, "atomics_one");
    const double passSeconds = measured > 0 ? 1 / measured : kAtomicPassClocks / *clock;
    return std::min(passes * passSeconds * 1e9, *duration);
}

} // namespace dormer::verdict
