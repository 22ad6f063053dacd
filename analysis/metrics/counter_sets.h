// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace dormer::metrics {

/// A hardware counter under the one name Dormer uses for it everywhere.
struct CounterName {
    std::string_view name;        ///< canonical name, CUPTI's on most chips
    std::string_view alternative; ///< CUPTI's name on the chips that lack the first; empty when there is none
    bool optional = false;        ///< chips may lack it because they lack the thing itself: no note is due
};

/// A named choice of counters. More counters cost more passes over each launch.
struct CounterSet {
    std::string_view name;
    std::string_view answers; ///< what one learns from it
    std::span<const CounterName> counters;
    int passBound;      ///< most passes on Turing and newer
    int passBoundVolta; ///< GV100 has fewer counter slots
};

/// All sets, from the cheapest: live, roofline, memory, tensor.
[[nodiscard]] std::span<const CounterSet> counterSets();
[[nodiscard]] std::optional<CounterSet> findCounterSet(std::string_view name);
/// Another name of a counter on some chips; empty when it has one name everywhere.
[[nodiscard]] std::string_view alternativeCounterName(std::string_view name);
inline constexpr std::string_view kDefaultCounterSet = "memory";

} // namespace dormer::metrics
