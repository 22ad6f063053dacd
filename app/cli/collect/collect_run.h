// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/collect/collect_arguments.h"
#include "app/cli/collect/run_output.h"
#include "instrument/launch/target.h"

#include <functional>

namespace dormer::cli {

/// Everything that must hold before the target starts.
struct CollectPlan {
    instrument::launch::Target target;
    std::size_t workloads = 0; ///< of the built-in suite; 0 for a program of someone else's
    std::string intro;
    DeviceChoice choice;
    bool probed = false; ///< the device was asked before the start
    std::optional<store::SessionWriter> writer;
};

/// Puts the device into the plan's target: collector or emulator, ordinal or chip. ErrorKind::Device when
/// what it needs is not built here.
[[nodiscard]] Result<void> setDevice(CollectPlan& plan, const ChosenDevice& device,
                                     const CollectArguments& arguments,
                                     const instrument::launch::Installation& installation);
/// "NVIDIA H100 80GB HBM3 (gpu:0)", "NVIDIA H100 80GB HBM3 (emulated)".
[[nodiscard]] std::string deviceText(const ChosenDevice& device);
/// The session file of -o, if any; last, so that nothing is replaced when the run can't be.
[[nodiscard]] Result<void> openOutput(CollectPlan& plan, const CollectArguments& arguments);

/// Runs the target, shows and keeps what it sends; `conclude` turns a run that went well into an exit code.
[[nodiscard]] int collect(CollectPlan plan, const CollectArguments& arguments,
                          const std::function<int(const RunOutput&)>& conclude);

} // namespace dormer::cli
