// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/measured.h"

#include "analysis/device/measured.h"

namespace dormer::verdict {

namespace {

/// Work or bytes of each resource, by Resource. Tensor work has a rate for each of its formats.
const std::array<const metrics::Metric*, device::kResourceCount>& amounts() {
    static const std::array all = {
        metrics::findMetric("dram_bytes"),  metrics::findMetric("l2_bytes"),
        metrics::findMetric("l1_bytes"),    metrics::findMetric("shared_bytes"),
        metrics::findMetric("flops_fp32"),  metrics::findMetric("flops_fp64"),
        metrics::findMetric("flops_fp16"),  metrics::findMetric("tensor_ops"),
        metrics::findMetric("integer_ops"), metrics::findMetric("warp_instructions_issued")};
    return all;
}

} // namespace

MeasuredShares measuredShares(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    MeasuredShares shares;
    const session::Session& session = metrics.session();
    const session::Device* device = session.deviceOf(launch);
    if (device == nullptr || session.measuredCeilings().empty()) return shares;
    static const metrics::Metric* const durations = metrics::findMetric("duration_ns");
    static const metrics::Metric* const smClocks = metrics::findMetric("sm_clock_hz");
    static const metrics::Metric* const waves = metrics::findMetric("waves");
    const auto duration = metrics.value(launch, *durations);
    if (!duration) return shares;
    device::Clocks clocks = device::maximumClocks(*device);
    if (const auto seen = metrics.value(launch, *smClocks)) clocks.smHz = clocks.tensorHz = *seen;
    const auto blocks = static_cast<double>(session.launch(launch).grid.count());
    const double workingSms = device::workingSmShare(*device, blocks, metrics.value(launch, *waves));
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        std::optional<double> seconds;
        if (resource == device::Resource::Tensor) {
            seconds = measuredTensorSeconds(metrics, launch, *device, clocks);
        } else if (const double peak = device::measuredPeakPerSecond(session, *device, resource, clocks);
                   peak > 0) {
            if (const auto amount = metrics.value(launch, *amounts()[static_cast<std::size_t>(i)]))
                seconds = *amount / peak;
        }
        const double working = device::isPerSm(resource) ? workingSms : 1;
        // No tensor bar for kernels that did no such work.
        if (seconds && (*seconds > 0 || resource != device::Resource::Tensor))
            shares[static_cast<std::size_t>(i)] = *seconds * 1e9 / (*duration * working);
    }
    return shares;
}

} // namespace dormer::verdict
