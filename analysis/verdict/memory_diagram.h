// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

#include <string>
#include <vector>

/// How a launch's bytes travel: SM, shared memory, L1, L2, DRAM. What report and app draw.
namespace dormer::verdict {

enum class MemoryStation { Sm, Shared, L1, L2, Dram };

struct StationFacts {
    MemoryStation station{};
    std::string name;                  ///< "L1", "DRAM"
    std::optional<double> hitRate;     ///< 0..1, of what can hit
    std::optional<double> utilization; ///< 0..1 of its peak; for the SM of its issue slots
    std::string hint;                  ///< definition, for hovering
};

/// What goes one way between two stations.
struct MemoryFlow {
    MemoryStation from{}, to{};
    std::string what;            ///< "loads", "stores", "atomics", "local"
    std::optional<double> bytes; ///< absent: not collected, with the reason in `hint`
    std::optional<double>
        requests;                ///< warp instructions, or sectors between caches; absent where not counted
    std::optional<double> ideal; ///< bytes without waste, where that can be told
    std::string_view noun;       ///< of `requests`: "requests", "sectors"; empty where it has none
    std::string hint;            ///< definition, for hovering
};

struct MemoryDiagram {
    std::vector<StationFacts> stations; ///< Sm, Shared, L1, L2, Dram
    std::vector<MemoryFlow> flows;      ///< both directions of each pair, those that a launch can have
    double mostBytes = 0;               ///< of any flow: the widest arrow
};

/// From the metrics of one launch and its verdict.
[[nodiscard]] MemoryDiagram memoryDiagram(const metrics::MetricEvaluator& metrics,
                                          session::LaunchIndex launch, const Verdict& verdict);

} // namespace dormer::verdict
