// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/gains/time_needs.h"

#include <initializer_list>

namespace dormer::gains {

/// What a launch would win if one fault were gone: its work without the fault goes through the time model
/// (time_needs.h), and what the model says it saves is taken off the time that was measured. Time that the
/// model can't explain stays, except where said otherwise. docs/diagnosis.md compares with real speed-ups.
///
/// All results are ns of one launch, 1 or more and below its duration. Absent where there is nothing to win,
/// where the launch is shorter than kTooShortNs or has no verdict, or a counter is missing.
class GainModel {
public:
    GainModel(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
              const verdict::Verdict& verdict);

    /// Global accesses without so many wasted sectors: L1, L2 and its lookups shrink with them, DRAM to the
    /// bytes that were requested. Unexplained time goes with the sectors, as an SM waits for a limited
    /// number, but not more of it than the wasted ones take on their way from L2: what waits for latency
    /// waits equally long for fewer. `part`: wasted sectors of all that the launch wastes, 0..1. What DRAM
    /// read needlessly, and what scatter costs lookups, is saved for that part.
    [[nodiscard]] std::optional<double> withoutSectors(double wasted, double part = 1) const;
    /// Shared memory without so many wavefronts.
    [[nodiscard]] std::optional<double> withoutWavefronts(double excess) const;
    /// No local memory: its sectors leave L1 and L2, DRAM keeps the bytes that were requested.
    [[nodiscard]] std::optional<double> withoutLocalMemory() const;
    /// Atomics added up near the SM first. Only where lanes met at one address: L2 then took more passes than
    /// there were sectors.
    [[nodiscard]] std::optional<double> withoutAtomicContention() const;
    /// Reads that came over the bus come from DRAM: only where L2 missed what DRAM did not deliver.
    [[nodiscard]] std::optional<double> fromDeviceMemory() const;
    /// Values that all lanes read from one address come from shared memory, four at a time: half a wavefront
    /// instead of a request. `broadcasts`: such requests.
    [[nodiscard]] std::optional<double> withSharedBroadcasts(double broadcasts) const;

    /// As many more warps as fit and the grid has: for kernels that use nothing for 30 % and whose warps live
    /// long enough to wait for memory; time then goes with warps, down to what the model needs.
    [[nodiscard]] std::optional<double> withMoreWarps() const;
    /// The same for slots that stay empty although warps would fit.
    [[nodiscard]] std::optional<double> withFilledSlots() const;
    /// A last wave that is as full as the others: wins the share of the unexplained time that stood empty.
    [[nodiscard]] std::optional<double> withFullLastWave(double emptyShare) const;
    /// A share of the time disappears; what is left can't get shorter than resources other than `shrinking`
    /// need at their ceilings, nor than an empty launch.
    [[nodiscard]] std::optional<double> without(double share,
                                                std::initializer_list<device::Resource> shrinking) const;

private:
    [[nodiscard]] double value(std::string_view metric) const;
    /// `unexplainedLeft`: share of the time not explained that stays; what goes is not more than
    /// `mostUnexplained` ns.
    [[nodiscard]] std::optional<double> whatIf(const TimeNeeds& before, const TimeNeeds& after,
                                               double unexplainedLeft = 1, double mostUnexplained = 0) const;
    /// Time that so many sectors take on their way from L2 to the SMs, in ns.
    [[nodiscard]] double sectorsNs(double sectors) const;
    [[nodiscard]] std::optional<double> won(double newNs) const;
    [[nodiscard]] std::optional<double> withWarps(double share) const;
    [[nodiscard]] double busiest() const;

    const metrics::MetricEvaluator& m_metrics;
    session::LaunchIndex m_launch;
    const verdict::Verdict& m_verdict;
    std::optional<TimeNeeds> m_needs; ///< absent: no estimate
    double m_durationNs = 0;
    double m_amplification = 1;
};

} // namespace dormer::gains
