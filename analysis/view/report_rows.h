// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"

namespace dormer::view {

/// One line of every kernel table: a group of launches, judged by its representative.
struct ReportRow {
    std::string label;
    std::string qualifier;         ///< "grid 1056, block 256" when other rows have the same label, else empty
    session::LaunchIndex launch{}; ///< the group's representative
    std::vector<session::LaunchIndex> launches;
    double totalNs = 0;
    double share = 0; ///< of the GPU time of all groups, 0..1
    /// Both are absent where no launch was timed: one that failed, or that a filter passed over.
    [[nodiscard]] std::optional<double> timeNs() const {
        return totalNs > 0 ? std::optional(totalNs) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> shareOfTime() const {
        return totalNs > 0 ? std::optional(share) : std::nullopt;
    }
    verdict::Verdict verdict;
    std::vector<findings::Finding> findings;
    std::optional<double> dramUtilization; ///< of the DRAM ceiling; above 1 is possible and kept
    std::optional<double> l2HitRate;
    std::optional<double> sectorsPerRequest, idealSectorsPerRequest; ///< of the worse of loads and stores
    std::optional<double> conflictWays;                              ///< shared wavefronts / ideal
    std::optional<double> occupancy;
    std::optional<double> gainNs;  ///< of the whole group, by its largest finding
    std::optional<double> speedup; ///< old time / new time, by the same finding
};

struct ReportRows {
    std::vector<ReportRow> rows; ///< longest total time first
    std::size_t groups = 0;      ///< before the limit
    double totalNs = 0;          ///< of all groups, shown or not
    std::size_t launches = 0;
};

/// Judges the `limit` groups that took the most time.
[[nodiscard]] ReportRows reportRows(const diagnosis::Diagnosis& diagnosis, std::size_t limit);

/// Sectors beyond this multiple of the ideal are marked as something to be gained (the threshold of the
/// finding, docs/metrics.md).
[[nodiscard]] bool wastesSectors(const ReportRow& row);
[[nodiscard]] bool hasConflicts(const ReportRow& row);

/// Label with its qualifier: "transpose/tiled (grid 128 x 128, block 32 x 8)".
[[nodiscard]] std::string fullLabel(const ReportRow& row);
/// "32 / 4", or a dash.
[[nodiscard]] std::string sectorsText(const ReportRow& row);
/// "32-way", "none", or a dash where there is no shared memory traffic.
[[nodiscard]] std::string conflictsText(const ReportRow& row);
/// "−1.7 ms", or nothing.
[[nodiscard]] std::string gainText(const ReportRow& row);

} // namespace dormer::view
