// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/store/session_file.h"
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
    instrument::launch::DeviceChoice choice;
    bool probed = false;       ///< the device was asked before the start
    std::string whyEmulated{}; ///< the emulator was not requested: one line that says so
    std::optional<store::SessionWriter> writer;
};

/// Takes the device, told on stderr when it is not the one a person would expect.
void acceptDevice(CollectPlan& plan, const instrument::launch::ChosenDevice& device,
                  const CollectArguments& arguments);
/// The plan of a run on another machine.
[[nodiscard]] CollectPlan remotePlan(instrument::launch::Target target, const std::string& what,
                                     const CollectArguments& arguments);
/// A run that could not begin: told where the caller looks, on stderr or on the stream. Returns the exit
/// code.
[[nodiscard]] int failRun(const Error& error, const CollectArguments& arguments);
/// "NVIDIA H100 80GB HBM3 (gpu:0)", "NVIDIA H100 80GB HBM3 (emulated)".
[[nodiscard]] std::string deviceText(const instrument::launch::ChosenDevice& device);
/// The session file of -o, if any; last, so that nothing is replaced when the run can't be.
[[nodiscard]] Result<void> openOutput(CollectPlan& plan, const CollectArguments& arguments);

/// Runs the target, shows and keeps what it sends; `conclude` turns a run that went well into an exit code.
[[nodiscard]] int collect(CollectPlan plan, const CollectArguments& arguments,
                          const std::function<int(const RunOutput&)>& conclude);

} // namespace dormer::cli
