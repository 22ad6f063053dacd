// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/kernel_table.h"

namespace dormer::view {

/// A group of launches as reports show it: a line of the kernel table and what a card says of it.
struct KernelRow {
    std::string label;
    std::string qualifier;         ///< KernelTable::qualifierOf
    session::LaunchIndex launch{}; ///< the group's representative
    std::vector<session::LaunchIndex> launches;
    double totalNs = 0;
    double share = 0; ///< of the GPU time of all groups, 0..1
    verdict::Verdict verdict;
    std::vector<diagnosis::GroupFinding> findings;
    std::string differ{};            ///< how its launches differ; empty where they are alike
    std::optional<double> gainNs{};  ///< of the whole group, by its largest finding
    std::optional<double> speedup{}; ///< old time / new time, by the same finding
    std::vector<Cell> cells{};       ///< by KernelColumn
    [[nodiscard]] const Cell& cell(KernelColumn column) const { return cells[raw(column)]; }
};

/// Groups with one verdict.
struct BoundTally {
    verdict::Bound bound = verdict::Bound::Unknown;
    std::size_t groups = 0;
    double totalNs = 0;
};

struct KernelRows {
    std::vector<Column> columns{};    ///< by KernelColumn
    std::vector<KernelRow> rows{};    ///< longest total time first
    std::size_t groups = 0;           ///< before the limit
    std::vector<BoundTally> bounds{}; ///< of all groups, shown or not
    double totalNs = 0;               ///< of all groups, shown or not
    std::size_t launches = 0;
};

/// The `limit` groups that took the most time.
[[nodiscard]] KernelRows kernelRows(const diagnosis::Diagnosis& diagnosis, std::size_t limit);

/// "transpose/tiled (grid 128 x 128, block 32 x 8)"
[[nodiscard]] std::string fullLabel(const KernelRow& row);

} // namespace dormer::view
