// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/view/table.h"

namespace dormer::compare {

/// What became of a kernel since an earlier run of its program.
struct KernelChange {
    std::size_t baseGroup = 0, freshGroup = 0; ///< of Diagnosis::groups()
    session::LaunchIndex base{};               ///< the launch that stood for it
    Change change = Change::Unsure;
    std::optional<double> ratio; ///< of the time of a launch, new / old; absent where not timed
    std::string times;           ///< "1.99 ms → 0.24 ms per launch, −88.0 %"; empty where not timed
    std::string why;             ///< of Unsure, as KernelComparison::why
    std::string was, is;         ///< headlines of the verdicts
    std::vector<std::string>
        fixed; ///< titles of recommendations that are no more, with what they were to save
    std::vector<std::string> appeared; ///< titles of those that are new
    /// Why recommendations can't be compared: "collected without counts per line now"; else empty.
    std::string notCompared;
    [[nodiscard]] bool verdictChanged() const { return was != is; }
};

/// A run against an earlier one of the same program.
struct RunChanges {
    std::vector<KernelChange> kernels;    ///< the largest change of time first
    std::vector<std::string> warnings;    ///< what stands against comparing times
    std::vector<std::string> gone, added; ///< labels of kernels that only one of the runs has
    std::string headline;                 ///< "1 kernel faster, 0 slower · 2.30 ms → 0.45 ms (−80.4 %)"
    std::vector<std::optional<std::size_t>> byGroup; ///< index into kernels, by group of the new run

    [[nodiscard]] const KernelChange* ofGroup(std::size_t freshGroup) const;
};
[[nodiscard]] RunChanges runChanges(const diagnosis::Diagnosis& base, const diagnosis::Diagnosis& fresh);

/// A line of what people read about changes.
struct ChangeLine {
    enum class Kind { Plain, Fixed, New };
    Kind kind = Kind::Plain;
    std::string text; ///< "Fixed: Uncoalesced global access (est. savings were 1.7 ms)"
};
/// Of one kernel: its time, its verdict where that is another, what is fixed and what is new.
[[nodiscard]] std::vector<ChangeLine> changeLines(const KernelChange& change);
/// Of the whole run: its time, what is fixed and new by kernel, kernels that came or went, and what stands
/// against comparing.
[[nodiscard]] std::vector<ChangeLine> changeLines(const RunChanges& changes,
                                                  const diagnosis::Diagnosis& fresh);

/// "−88.0 %", as the cell of a column; a dash for a kernel that the base has not.
[[nodiscard]] view::Cell changeCell(const RunChanges& changes, std::size_t freshGroup);
/// The column's head.
[[nodiscard]] const view::Column& changeColumn();
/// "+5.0 %", "−88.0 %"
[[nodiscard]] std::string changeText(double ratio);

} // namespace dormer::compare
