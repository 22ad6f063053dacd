// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/todo.h"

#include <string_view>

namespace dormer::tests {

/// A workload with a fault and the one without it: what the fault's finding promised, and what came of it.
struct FaultPair {
    std::string workload, better;       ///< `better`: the end of the chain of Workload::better
    std::string sweep;                  ///< Workload::sweep of the faulty one, else its own name
    std::string code;                   ///< of the finding that predicts; empty when nothing is named
    double predicted = 1, real = 1;     ///< speed-ups
    [[nodiscard]] double error() const; ///< |predicted / real - 1|
};

/// A finding of a workload without a fault that promises more than it may.
struct FalseAlarm {
    std::string workload, code;
    double share = 0; ///< of the time of the workload
};

/// Pairs and false alarms of a recording of the suite.
struct Diagnosed {
    std::vector<FaultPair> pairs;   ///< in the suite's order; both workloads were measured
    std::vector<std::string> wrong; ///< workloads left out: wrong results are their fault, not their time
    std::vector<FalseAlarm> alarms;
};

/// Time of a run of a workload: that of its kernels; of copies, the calls; where kernels and copies or
/// migrations come together, from the first to the last. The finding that predicts is the one with the most
/// to win over all launches and copies of the workload, except those that the better workload is named for as
/// well, with at least nine tenths of the share to win: they are not what the pair differs in.
[[nodiscard]] Diagnosed diagnose(const session::Session& session, double mostAlarm = 0.05);

/// Points of a sweep against its fastest one, those whose largest finding is `code`.
[[nodiscard]] std::vector<FaultPair> againstBest(const session::Session& session, std::string_view sweep,
                                                 std::string_view code);

[[nodiscard]] double medianError(const std::vector<FaultPair>& pairs);
/// The same with every sweep counted once, by its own median.
[[nodiscard]] double medianErrorBySweep(const std::vector<FaultPair>& pairs);

} // namespace dormer::tests
