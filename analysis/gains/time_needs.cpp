// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/gains/time_needs.h"

#include "analysis/access/access_pattern.h"
#include "analysis/device/measured.h"
#include "analysis/verdict/atomics.h"
#include "analysis/verdict/measured.h"

#include <algorithm>
#include <cmath>

namespace dormer::gains {

namespace {

/// What the best workloads of samples/h100-suite.dormer reach of the ceilings: roofline/vector_add_fp64,
/// vector_sum/uncoalesced, shared/stride/32, roofline/fma_chain_fp64.
constexpr double kDramReach = 0.93;
constexpr double kL2Reach = 0.90;
constexpr double kNearReach = 0.95;
constexpr double kArithmeticReach = 0.95;
/// How badly the parts overlap (infinite: perfectly, 1: not at all), as in docs/emulator-time-model.md.
constexpr double kOverlap = 2.2;
/// A write lookup of L2 costs 1.6 read lookups (docs/emulator-time-model.md).
constexpr double kWriteLookups = 1.6;
constexpr double kLaunchNs = 1000;
/// Least cycles of a wave on a busy chip. Fitted to the durations of the workloads without a fault: it leaves
/// a median error of 8 %.
constexpr double kPathCycles = 1200;

/// DRAM delivers all that loads miss in L2, or, where it delivers less than this share, something else does.
constexpr double kForeign = 0.3;
/// Fewer bytes may be what starting a launch reads.
constexpr double kLeastForeign = 65536;

double part(double ns) {
    return std::pow(std::max(ns, 0.0), kOverlap);
}

} // namespace

double TimeNeeds::farNs() const {
    return std::max({dramNs / kDramReach, l2BytesNs / l2Reach, l2LookupsNs / kL2Reach, atomicsNs});
}

double TimeNeeds::nearNs() const {
    return (std::max(l1BytesNs, l1RequestsNs) + sharedNs) / kNearReach;
}

std::optional<TimeNeeds> timeNeeds(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                   const verdict::Verdict& verdict) {
    const auto duration = metrics.value(launch, "duration_ns");
    const session::Device* device = metrics.session().deviceOf(launch);
    if (!duration || device == nullptr) return std::nullopt;
    const auto value = [&](std::string_view metric) { return metrics.value(launch, metric).value_or(0); };
    const verdict::MeasuredShares measured = verdict::measuredShares(metrics, launch);
    // `reach` is what can be had of a ceiling; where the session has a measured roof, that is known instead.
    const auto at = [&](device::Resource resource, double reach) {
        const auto place = static_cast<std::size_t>(resource);
        return *duration *
               (measured[place] ? *measured[place] * reach : verdict.utilization[place].value_or(0));
    };
    TimeNeeds needs;
    needs.dramNs = at(device::Resource::Dram, kDramReach);
    needs.l1BytesNs = at(device::Resource::L1, kNearReach);
    needs.sharedNs = at(device::Resource::Shared, kNearReach);
    for (const device::Resource each :
         {device::Resource::Fp32, device::Resource::Fp64, device::Resource::Fp16, device::Resource::Tensor,
          device::Resource::Integer, device::Resource::IssueSlots})
        needs.arithmeticNs = std::max(needs.arithmeticNs, at(each, kArithmeticReach));

    // The verdict's L2 is the higher of bytes and lookups; they shrink differently.
    const double l2Peak = value("l2_peak_bytes_per_second");
    if (verdict.practicalL2 && l2Peak > 0 && *verdict.practicalL2 > 0)
        needs.l2Reach = value("l2_bytes") / l2Peak * 1e9 / *duration / *verdict.practicalL2;
    needs.l2BytesNs = l2Peak > 0 ? value("l2_bytes") / l2Peak * 1e9 : at(device::Resource::L2, needs.l2Reach);
    const double reads = metrics.session().counter(launch, "lts__t_sectors_op_read.sum").value_or(0);
    const double writes = metrics.session().counter(launch, "lts__t_sectors_op_write.sum").value_or(0);
    const double written = reads + writes > 0 ? writes / (reads + writes) : 0;
    needs.l2LookupsNs = value("l2_lookup_utilization") * *duration * (1 + (kWriteLookups - 1) * written);

    const double clock = metrics.value(launch, "sm_clock_hz").value_or(device->smClockMaxHz);
    if (clock > 0) {
        if (device->smCount > 0)
            needs.l1RequestsNs = (value("global_load_requests") + value("global_store_requests")) /
                                 (device->smCount * verdict.workingSms * clock) * 1e9;
        // A few SMs can't take in what L2 can deliver.
        if (device->smCount > 0)
            needs.l2BytesNs =
                std::max(needs.l2BytesNs, value("l2_bytes") / verdict::l2Amplification(*device) /
                                              (device->smCount * verdict.workingSms * kL2PortBytes * clock) *
                                              1e9 * needs.l2Reach);
        needs.pathNs = std::ceil(std::max(value("waves"), 1.0)) * kPathCycles / clock * 1e9;
    }
    return needs;
}

std::optional<double> dramNs(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                             double bytes) {
    const session::Session& session = metrics.session();
    const auto peak = device::ceilingDuring(session, launch, device::Resource::Dram);
    if (!peak) return std::nullopt;
    const double measured = device::measuredRate(session, session.deviceOf(launch)->id, "dram");
    return bytes * 1e9 / (measured > 0 ? measured / kDramReach : peak->perSecond);
}

double modelledNs(const TimeNeeds& needs) {
    const double sum = part(needs.farNs()) + part(needs.nearNs()) +
                       part(needs.arithmeticNs / kArithmeticReach) + part(needs.pathNs);
    return kLaunchNs + std::pow(sum, 1 / kOverlap);
}

double memoryShare(const TimeNeeds& needs) {
    const double memory = part(needs.farNs()) + part(needs.nearNs());
    const double all = memory + part(needs.arithmeticNs / kArithmeticReach);
    return all > 0 ? memory / all : 1;
}

double atomicsShare(const TimeNeeds& needs) {
    const double atomics = part(needs.atomicsNs);
    if (!(atomics > 0) || needs.atomicsNs < needs.farNs()) return 0;
    return atomics / (atomics + part(needs.nearNs()) + part(needs.arithmeticNs / kArithmeticReach) +
                      part(needs.pathNs));
}

std::optional<double> foreignBytes(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const auto missed = metrics.session().counter(launch, "lts__t_sectors_lookup_miss.sum");
    const auto read = metrics.value(launch, "dram_bytes_read");
    const auto loads = metrics.value(launch, "global_load_bytes_requested");
    const session::Device* device = metrics.session().deviceOf(launch);
    if (!missed || !read || !loads || device == nullptr) return std::nullopt;
    const double wanted =
        std::min(*loads, *missed * access::kSectorBytes / verdict::l2Amplification(*device));
    if (wanted < kLeastForeign || *read >= kForeign * wanted) return std::nullopt;
    return wanted - *read;
}

} // namespace dormer::gains
