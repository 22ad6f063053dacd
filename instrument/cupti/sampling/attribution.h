// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sampling/clock_offset.h"

#include <map>
#include <optional>
#include <string>

namespace dormer::instrument::cupti::sampling {

/// Shares what samples counted out among the launches that ran meanwhile, and adds it up by signature.
///
/// A sample within one launch is that launch's. One that several launches fall into, one after the other or
/// side by side, is shared out in proportion to the time of each and the rate at which its signature does it:
/// rates are found by expectation maximization, which starts from what the signatures did alone and keeps
/// every count (L. Shepp and Y. Vardi, Maximum Likelihood Reconstruction for Emission Tomography, 1982).
class Attribution {
public:
    /// A counter over all samples of a signature so far.
    struct Total {
        double value = 0;     ///< of a sum: counted in covered time; of a mean: times nanoseconds
        double coveredNs = 0; ///< launches' time that samples cover
        double launches = 0;  ///< how many launches that makes
        double shared = 0;    ///< part of `value` out of samples that hold more than one launch
        // Of launches that a burst covers from start to end: their number, and sums over their values x and
        // durations d.
        double whole = 0, x = 0, d = 0, xx = 0, xd = 0, dd = 0;

        [[nodiscard]] double perNs() const { return coveredNs > 0 ? value / coveredNs : 0; }
        /// Standard error of perNs() as a share of it: how much the launches differ, and how much of the
        /// value was shared out instead of seen alone. Absent without a value.
        [[nodiscard]] std::optional<double> uncertainty() const;
    };
    /// A launch that samples cover from start to end, with what its counters said.
    struct Whole {
        std::size_t kernel = 0; ///< index into the kernels given
        std::vector<std::pair<std::string, double>> values;
    };

    /// `kernels`: all that ran during the burst, in order of start, with their signatures; copies and fills
    /// among them, so that their traffic is not laid at a kernel's door. Returns launches of at least
    /// kWholeIntervals samples.
    std::vector<Whole> add(const Burst& burst, const SampleGroup& group,
                           std::span<const KernelInterval> kernels, std::int64_t offsetNs);

    /// By counter.
    using Totals = std::map<std::string, Total, std::less<>>;
    /// By signature.
    [[nodiscard]] const std::map<std::uint32_t, Totals>& totals() const { return m_totals; }

    static constexpr double kWholeIntervals = 10;

private:
    struct Piece;
    struct Pieces;
    void addCounter(const Pieces& pieces, const Burst& burst, std::size_t column, const SampleGroup& group,
                    std::span<const KernelInterval> kernels, std::vector<Whole>& wholes);

    std::map<std::uint32_t, Totals> m_totals;
};

} // namespace dormer::instrument::cupti::sampling
