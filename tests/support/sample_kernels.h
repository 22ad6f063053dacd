// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"

#include <span>

namespace dormer::tests {

/// What one kernel of the sample session does in one launch, from which all its counters follow.
struct SampleKernel {
    const char* workload;
    const char* name;
    std::uint32_t registers;
    std::uint64_t staticSharedBytes;
    session::Dim3 grid;
    session::Dim3 block;
    std::uint32_t blocksPerSm;
    double durationNs;
    int launches; ///< in sampleSession

    double dramReadBytes = 0, dramWriteBytes = 0;
    double loadRequests = 0, loadSectors = 0, loadBytes = 0;    ///< global; bytes as requested by the threads
    double storeRequests = 0, storeSectors = 0, storeBytes = 0; ///< global
    double redInstructions = 0, redSectors = 0;                 ///< global reductions
    double sharedLoads = 0, sharedLoadWavefronts = 0;           ///< warp instructions, 4 bytes per lane
    double sharedStores = 0, sharedStoreWavefronts = 0;
    double sharedAtomics = 0;

    double fadd = 0, fmul = 0, ffma = 0, dadd = 0, dmul = 0, dfma = 0; ///< threads
    double integer = 0;                                                ///< threads
    double warpInstructions = 0;
    double warpsActivePercent = 0; ///< of 64 per SM
};

[[nodiscard]] std::span<const SampleKernel> sampleKernels();

/// Every counter of the set "memory" for a launch of `kernel` done `scale` times over in `durationNs`.
[[nodiscard]] std::map<std::string, double> countersOf(const SampleKernel& kernel, double scale,
                                                       double durationNs);

} // namespace dormer::tests
