// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"

namespace dormer::compare {

/// Launches of one side that are one kernel: equal name, workload, configuration and NVTX path.
struct KernelLaunches {
    std::string fullName; ///< demangled
    std::string shortName;
    std::string label; ///< what people read: the workload or the name that tells it from others
    std::string workload;
    std::string nvtx;
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    std::vector<session::LaunchIndex> launches; ///< in launch order
};

/// In order of first launch.
[[nodiscard]] std::vector<KernelLaunches> kernelsOf(const diagnosis::Diagnosis& diagnosis);

/// How a kernel was found again, from certain to guessed.
enum class MatchedBy { Name, ShortName, Configuration, Renamed };
[[nodiscard]] std::string_view toString(MatchedBy by);

struct Match {
    std::size_t base = 0, fresh = 0; ///< indices into both sides
    MatchedBy by = MatchedBy::Name;
};

/// Pairs of the kernels of both sides. In turn, among those that have no partner yet:
///   Name           equal full name, workload, NVTX path, grid, block and dynamic shared memory
///   ShortName      the same with the short name: template arguments or parameters changed
///   Configuration  short name, workload and NVTX path are equal, grid or block are not, and there is one of
///   it a
///                  side
///   Renamed        equal workload, NVTX path, grid and block, and there is one of it a side
/// Of several alike the first goes with the first, if both sides have as many.
[[nodiscard]] std::vector<Match> matchKernels(const std::vector<KernelLaunches>& base,
                                              const std::vector<KernelLaunches>& fresh);

} // namespace dormer::compare
