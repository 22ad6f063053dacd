// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/gains/gain.h"

#include "analysis/access/access_pattern.h"
#include "analysis/verdict/atomics.h"

#include <algorithm>
#include <cmath>

namespace dormer::gains {

namespace {

/// DRAM fetches at least two sectors where one is requested.
constexpr double kDramSectors = 2;
/// Sectors for one lookup of L2 in coalesced workloads of the recorded suite: median.
constexpr double kSectorsPerLookup = 2.9;
/// A launch that uses nothing for this share waits; how much more warps would win is not known above it.
constexpr double kIdle = 0.3;
/// Passes of a 16-byte load of one address, over the four values it brings (recorded on the H100).
constexpr double kBroadcastWavefronts = 0.5;
/// Durations are recorded in whole ns: less is nothing.
constexpr double kLeastNs = 1;

double ratio(double part, double whole) {
    return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 1;
}

} // namespace

GainModel::GainModel(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                     const verdict::Verdict& verdict)
    : m_metrics(metrics), m_launch(launch), m_verdict(verdict), m_durationNs(value("duration_ns")) {
    const bool judged = verdict.bound != verdict::Bound::Unknown && m_durationNs >= verdict::kTooShortNs;
    if (judged) m_needs = timeNeeds(metrics, launch, verdict);
    if (const session::Device* device = metrics.session().deviceOf(launch))
        m_amplification = verdict::l2Amplification(*device);
}

double GainModel::value(std::string_view metric) const {
    return m_metrics.value(m_launch, metric).value_or(0);
}

std::optional<double> GainModel::won(double newNs) const {
    const double gain = m_durationNs - newNs;
    return gain >= kLeastNs && newNs > 0 ? std::optional(gain) : std::nullopt;
}

std::optional<double> GainModel::whatIf(const TimeNeeds& before, const TimeNeeds& after,
                                        double unexplainedLeft, double mostUnexplained) const {
    const double now = modelledNs(before), then = modelledNs(after);
    // The model may see more than was: then its times are right up to a factor.
    if (now >= m_durationNs) return won(m_durationNs * then / now);
    const double unexplained = m_durationNs - now;
    return won(then + unexplained - std::min(unexplained * (1 - unexplainedLeft), mostUnexplained));
}

std::optional<double> GainModel::withoutSectors(double wasted, double part) const {
    const double sectors = value("global_load_sectors") + value("global_store_sectors");
    const auto loadBytes = m_metrics.value(m_launch, "global_load_bytes_requested");
    const auto storeBytes = m_metrics.value(m_launch, "global_store_bytes_requested");
    if (!m_needs || !(wasted > 0) || !(sectors > 0) || !loadBytes || !storeBytes) return std::nullopt;
    const double left = ratio(sectors - wasted, sectors);
    TimeNeeds after = *m_needs;
    after.l1BytesNs *= left;

    // L1 may have caught the waste: L2 keeps no more than its share of what is left.
    const double others = value("l2_atomic_sectors") + value("local_sectors") * m_amplification;
    const double l2Left =
        ratio((m_amplification * (sectors - wasted) + others) * access::kSectorBytes, value("l2_bytes"));
    after.l2BytesNs *= l2Left;
    const double perLookup = value("l2_sectors_per_lookup");
    const double scattered = perLookup > 0 ? std::max(0.0, 1 - perLookup / kSectorsPerLookup) : 0;
    after.l2LookupsNs *= l2Left * (1 - scattered * part);

    const double read = value("dram_bytes_read"), written = value("dram_bytes_write");
    // The rest of what was read beside wasted sectors is wasted, too.
    const double mostWasted = (kDramSectors * sectors - (sectors - wasted)) * access::kSectorBytes;
    const double overRead = std::min(
        mostWasted, std::max(0.0, read - *loadBytes - value("local_sectors") * access::kSectorBytes));
    const double overWritten = std::min(
        mostWasted, std::max(0.0, written - *storeBytes - value("local_sectors") * access::kSectorBytes));
    after.dramNs *= ratio(read + written - (overRead + overWritten) * part, read + written);
    return whatIf(*m_needs, after, 1 - (1 - left) * memoryShare(*m_needs), sectorsNs(wasted));
}

double GainModel::sectorsNs(double sectors) const {
    const session::Device* device = m_metrics.session().deviceOf(m_launch);
    const double clock = m_metrics.value(m_launch, "sm_clock_hz").value_or(device->smClockMaxHz);
    const double ports = device->smCount * m_verdict.workingSms * kL2PortBytes * clock;
    const double l2 = value("l2_peak_bytes_per_second") * m_needs->l2Reach;
    const double narrowest = l2 > 0 ? std::min(ports, l2 / m_amplification) : ports;
    return narrowest > 0 ? sectors * access::kSectorBytes / narrowest * 1e9 : 0;
}

std::optional<double> GainModel::withoutWavefronts(double excess) const {
    const double all = value("shared_wavefronts");
    if (!m_needs || !(excess > 0) || !(all > 0)) return std::nullopt;
    TimeNeeds after = *m_needs;
    after.sharedNs *= ratio(all - excess, all);
    return whatIf(*m_needs, after);
}

std::optional<double> GainModel::withoutLocalMemory() const {
    const double local = value("local_sectors");
    const double global = value("global_load_sectors") + value("global_store_sectors");
    const auto loadBytes = m_metrics.value(m_launch, "global_load_bytes_requested");
    const auto storeBytes = m_metrics.value(m_launch, "global_store_bytes_requested");
    if (!m_needs || !(local > 0) || !loadBytes || !storeBytes) return std::nullopt;
    const double left = ratio(global, global + local);
    TimeNeeds after = *m_needs;
    after.l1BytesNs *= left;
    const double l2Left = ratio(
        (m_amplification * global + value("l2_atomic_sectors")) * access::kSectorBytes, value("l2_bytes"));
    after.l2BytesNs *= l2Left;
    after.l2LookupsNs *= l2Left;
    after.dramNs *=
        ratio(std::max(*loadBytes + *storeBytes, value("dram_bytes") - local * access::kSectorBytes),
              value("dram_bytes"));
    return whatIf(*m_needs, after, 1 - (1 - left) * memoryShare(*m_needs), sectorsNs(local));
}

std::optional<double> GainModel::withoutAtomicContention() const {
    const auto wait = verdict::atomicWaitNs(m_metrics, m_launch);
    if (!m_needs || !wait) return std::nullopt;
    TimeNeeds before = *m_needs;
    // How many addresses shared the passes is not counted: one is the most they can cost.
    before.atomicsNs = *wait;
    TimeNeeds after = *m_needs;
    const double left = 1 - value("l2_atomic_share");
    after.l2BytesNs *= left;
    after.l2LookupsNs *= left;
    return whatIf(before, after, 1 - atomicsShare(before), m_durationNs);
}

std::optional<double> GainModel::fromDeviceMemory() const {
    const auto foreign = foreignBytes(m_metrics, m_launch);
    const auto more = dramNs(m_metrics, m_launch, foreign.value_or(0));
    if (!m_needs || !foreign || !more) return std::nullopt;
    TimeNeeds after = *m_needs;
    after.dramNs += *more;
    // The bus explains what nothing on the chip does.
    return won(modelledNs(after));
}

std::optional<double> GainModel::withSharedBroadcasts(double broadcasts) const {
    const double requests = value("global_load_requests") + value("global_store_requests");
    if (!m_needs || !(broadcasts > 0) || !(requests > 0)) return std::nullopt;
    TimeNeeds after = *m_needs;
    const double moved = ratio(broadcasts, requests);
    after.l1RequestsNs *= 1 - moved;
    after.l1BytesNs *= 1 - moved;
    after.sharedNs += m_needs->l1RequestsNs * moved * kBroadcastWavefronts;
    return whatIf(*m_needs, after);
}

double GainModel::busiest() const {
    double most = 0;
    for (const auto& each : m_verdict.utilization)
        most = std::max(most, each.value_or(0));
    return most;
}

std::optional<double> GainModel::withWarps(double share) const {
    const auto achieved = m_metrics.value(m_launch, "achieved_occupancy");
    const double waves = value("waves"), clock = value("sm_clock_hz");
    if (!m_needs || !achieved || waves < 1 || !(clock > 0) || busiest() >= kIdle) return std::nullopt;
    // Warps that end before memory could have answered don't wait: blocks can't be started any faster.
    const double theoretical = value("theoretical_occupancy");
    const double warpNs = *achieved / (theoretical > 0 ? theoretical : 1) * m_durationNs / waves;
    if (warpNs < kTripCycles / clock * 1e9) return std::nullopt;
    return won(std::max(m_durationNs * share, modelledNs(*m_needs)));
}

std::optional<double> GainModel::withMoreWarps() const {
    // No more than the whole grid has can be resident at once.
    const double ofGrid = value("waves") * value("theoretical_occupancy");
    return withWarps(value("achieved_occupancy") / std::min(kUsualOccupancy, ofGrid));
}

std::optional<double> GainModel::withFilledSlots() const {
    const double theoretical = value("theoretical_occupancy");
    if (!(theoretical > 0)) return std::nullopt;
    return withWarps(value("achieved_occupancy") / (kUsualOccupancy * theoretical));
}

std::optional<double> GainModel::withFullLastWave(double emptyShare) const {
    if (m_durationNs < verdict::kTooShortNs) return std::nullopt;
    // Fewer blocks share what binds a full wave, so its part of the last wave is shorter already.
    double unexplained = m_durationNs;
    if (m_needs) {
        TimeNeeds needs = *m_needs;
        needs.atomicsNs = verdict::atomicWaitNs(m_metrics, m_launch).value_or(0);
        unexplained = std::max(0.0, m_durationNs - modelledNs(needs));
    }
    const auto achieved = m_metrics.value(m_launch, "achieved_occupancy");
    const auto theoretical = m_metrics.value(m_launch, "theoretical_occupancy");
    double share = emptyShare;
    if (achieved && theoretical && *theoretical > 0)
        share = std::min(share, std::max(0.0, 1 - *achieved / (kUsualOccupancy * *theoretical)));
    return won(m_durationNs - unexplained * share);
}

std::optional<double> GainModel::without(double share,
                                         std::initializer_list<device::Resource> shrinking) const {
    if (!(m_durationNs > 0)) return std::nullopt;
    double left = 1 - share;
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        if (std::ranges::find(shrinking, resource) != shrinking.end()) continue;
        left = std::max(left, m_verdict.ofDevice(resource).value_or(0));
    }
    return won(std::max(m_durationNs * left, modelledNs(TimeNeeds{})));
}

} // namespace dormer::gains
