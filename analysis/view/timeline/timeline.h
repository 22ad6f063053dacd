// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/timeline/idle_gaps.h"

#include <string>
#include <vector>

/// What ran when: launches, transfers and NVTX ranges in rows above each other, and what the device did
/// meanwhile. Decided here, painted by page and app.
namespace dormer::view::timeline {

enum class RowKind { Ranges, Activity, Idle, Kernels, Transfers };

/// A stretch of a row, in ns after Timeline::originNs.
struct Bar {
    std::int64_t beginNs = 0, endNs = 0;
    std::size_t index = 0; ///< into the session's launches, transfers or ranges; into Timeline::gaps
    int lane = 0;          ///< from the top, where bars of a row overlap
    bool operator==(const Bar&) const = default;
};

/// A step of a device's activity, likewise.
struct Step {
    std::int64_t beginNs = 0, endNs = 0;
    double share = 0; ///< of what fills the row
};

struct TimelineRow {
    RowKind kind = RowKind::Kernels;
    std::string title{};       ///< "stream 7", "DRAM read"
    std::string scope{};       ///< "GPU 0", "train.py 4711 on node1 · GPU 0"; rows of one follow one another
    std::vector<Bar> bars{};   ///< by begin
    std::vector<Step> steps{}; ///< of activity, by begin; between bursts of samples there are none
    std::string full{};        ///< what a share of 1 is: "3.35 TB/s", "132 SMs"
    int lanes = 1;
    std::int64_t longestNs = 0; ///< of its bars
};

struct Timeline {
    std::int64_t originNs = 0; ///< since the epoch
    std::int64_t lengthNs = 0;
    std::vector<TimelineRow> rows;
    std::vector<IdleGap> gaps;
    [[nodiscard]] bool empty() const { return rows.empty(); }
};

/// Empty where nothing has a place in time: an emulated program ran at the emulator's pace.
[[nodiscard]] Timeline timelineOf(const session::Session& session);

/// Bars of a row that overlap [fromNs, toNs), by index into `bars`; those under one place in the order of
/// their begin.
[[nodiscard]] std::vector<std::size_t> barsBetween(const TimelineRow& row, std::int64_t fromNs,
                                                   std::int64_t toNs);

} // namespace dormer::view::timeline
