// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "instrument/emulator/timing/predict.h"

#include <string>
#include <vector>

namespace dormer::tests {

/// A kernel of the suite as an H100 ran it, and what the time model would be told of it: requests, sectors,
/// instructions and traffic as the GPU counted them, dependent waits read off the source.
struct RecordedKernel {
    std::string name; ///< workload, or kernel
    session::LaunchIndex launch{};
    emulator::timing::LaunchShape shape;
    emulator::counts::LaunchCounts counts;
    emulator::counts::Traffic traffic;
    double durationNs = 0; ///< median of the launches
};

[[nodiscard]] const session::Session& recordedH100();
[[nodiscard]] const std::vector<RecordedKernel>& recordedKernels();
/// Kernels of another program, by Nsight Compute on an H200: nothing was fitted to them.
[[nodiscard]] const std::vector<RecordedKernel>& recordedH200Kernels();

} // namespace dormer::tests
