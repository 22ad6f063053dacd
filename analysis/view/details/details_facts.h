// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <span>

namespace dormer::view::details {

/// Something that is known of a launch.
struct Fact {
    std::string label;     ///< "registers/thread"; empty where the value says it all
    std::string value;     ///< "16"
    std::string tooltip{}; ///< plain text; may be empty
};

/// What the details say of one launch beside its verdict and findings.
struct DetailsFacts {
    std::string time{}; ///< "61.2 µs on the GPU", "12 µs predicted, 9 µs to 16 µs in nine of ten"
    std::vector<Fact> configuration;   ///< grid, block, registers, ..., how it was measured
    std::vector<Fact> metrics{};       ///< those that have a value
    std::string missing{};             ///< names of metrics without one, whose inputs were not collected
    std::vector<Fact> counters;        ///< every counter the launch has, by name, base units
    std::vector<std::string> measured; ///< a sentence each: origin, passes, cache control, clocks
};
[[nodiscard]] DetailsFacts detailsFacts(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch);

/// "grid 65536 · block 256 · registers/thread 16 · stream 7 · measured in 5 passes"
[[nodiscard]] std::string inOneLine(std::span<const Fact> facts);

} // namespace dormer::view::details
