// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/view/table.h"

namespace dormer::view {

inline constexpr std::string_view kRecommendationsTitle = "Recommendations, by estimated time saved";
/// Stands where there are none.
inline constexpr std::string_view kNoRecommendations =
    "No recommendations: nothing stands out in the collected counters.";

/// Why there are none: of a run that failed or was not counted nothing can be concluded; else
/// kNoRecommendations.
[[nodiscard]] std::string noRecommendations(const session::Session& session);

/// One item of the to-do list in words.
struct Recommendation {
    std::string title;    ///< "Uncoalesced global access"
    std::string kernel;   ///< "vector_sum/uncoalesced"; of transfers their workload or NVTX range
    std::string place{};  ///< the line that wastes most, "vector_sum.cu:41"; empty without one
    std::string savings;  ///< over all launches, "−3.85 ms"; a dash where no estimate is reliable
    std::string share{};  ///< of the session's time, "6.3 %"; empty without savings
    std::string evidence; ///< of that line, else of the finding
    std::string advice;   ///< at that line, else of the finding; a sentence
    std::string key;      ///< stays the same for the same finding of the same kernel
    diagnosis::ToDo item;
};

/// Largest savings first; all in one unit. Kernels that share a label are told apart by their configuration.
[[nodiscard]] std::vector<Recommendation> recommendations(const diagnosis::Diagnosis& diagnosis);

/// How many of the list stand open: those with estimated savings, or all where none has any. The others are
/// folded below them.
[[nodiscard]] std::size_t openCount(const std::vector<Recommendation>& list);
/// "7 findings without estimated savings: 3 Tail effect, Divergent warps": those folded, by title; empty
/// where there are none.
[[nodiscard]] std::string foldedText(const std::vector<Recommendation>& list);

/// Columns "#", "finding", "kernel", "line", "est. savings", "share"; one row per recommendation, with its
/// key.
[[nodiscard]] Table recommendationTable(const std::vector<Recommendation>& list);

/// Why recommendations name no lines and how to get them; empty when the session has lines, can't have them,
/// or nothing was recommended that has a line.
[[nodiscard]] std::string whyNoPlaces(const session::Session& session,
                                      const std::vector<Recommendation>& list);

} // namespace dormer::view
