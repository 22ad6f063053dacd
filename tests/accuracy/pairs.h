// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <string>
#include <vector>

/// Judges the emulator against recordings of a GPU: what must be equal, and what must be close.
namespace dormer::accuracy {

/// One kernel of a workload in both sessions.
struct KernelPair {
    std::string label; ///< "transpose/tiled", with the kernel's name where a workload runs several
    std::string workload;
    std::string kernel; ///< short name
    std::vector<session::LaunchIndex> recorded;
    session::LaunchIndex emulated{};
};

struct Pairs {
    std::vector<KernelPair> kernels; ///< in order of the recording
    std::vector<std::string>
        unpaired; ///< kernels of the same workloads that only one side ran, or with another grid
};

[[nodiscard]] Pairs pairKernels(const session::Session& recorded, const session::Session& emulated);

} // namespace dormer::accuracy
