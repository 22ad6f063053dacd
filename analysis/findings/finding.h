// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

namespace dormer::findings {

/// A source line, or an instruction without line information, that a finding is about.
struct FindingPlace {
    std::string file;       ///< as in LineCounts; empty without line information
    std::uint32_t line = 0; ///< 0 without line information
    std::uint64_t pc = 0;   ///< of its first instruction
    std::string place;      ///< "transpose.cu:54", "pc 0x110": for people, without folders
    std::string chain;      ///< how it got there when it was inlined: "load.h:12 < main.cu:40"; else empty
    std::string what;       ///< "load: 32 sectors/request (ideal 4), stride of 8 elements"
    std::string change;     ///< what to change at this line; empty when the finding's advice says it all
    double share = 0;       ///< of what the whole finding wastes, 0..1
};

/// Something wrong with a launch: where, what it costs and what to do. Made by makeFinding.
struct Finding {
    std::string code;             ///< "uncoalesced-global-access"
    std::string title;            ///< "Uncoalesced global access"
    std::string rule;             ///< corresponding rule of Nsight Compute; empty without one
    std::string evidence;         ///< one sentence with the numbers
    std::string advice;           ///< what to change
    std::optional<double> gainNs; ///< estimated savings of this launch; absent without a reliable estimate
    /// Lines it comes from, the worst first. Empty when counts per line were not collected or it has no line.
    std::vector<FindingPlace> places{};
};

/// Findings of one launch from its counters and counts per line, largest savings first. Thresholds are those
/// of docs/verdicts.md. `lines`: counts per instruction of this launch, or of one of the same signature where
/// it has none (Diagnosis::lines); empty without.
[[nodiscard]] std::vector<Finding> findings(const metrics::MetricEvaluator& metrics,
                                            session::LaunchIndex launch, const verdict::Verdict& verdict,
                                            std::span<const session::LineCounts> lines);

} // namespace dormer::findings
