// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/device_choice.h"

namespace dormer::instrument::launch {

/// What the built-in suite is to run.
struct SuiteRun {
    std::vector<std::string> workloads; ///< paths; none = all
    std::optional<std::int64_t> size;   ///< elements per workload; absent = its own
    std::optional<std::int64_t> repeat; ///< launches of each; absent = the suite's own, 1 on the emulator
    std::string sizes{};                ///< "gpu" or "emulator": whose defaults; empty = the device's
};

/// The suite as a target on a device. Errors of useDevice().
[[nodiscard]] Result<Target> suiteTarget(const SuiteRun& run, const stream::CollectOptions& options,
                                         const ChosenDevice& device, const Installation& installation);

} // namespace dormer::instrument::launch
