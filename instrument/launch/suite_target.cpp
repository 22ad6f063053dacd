// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/suite_target.h"

namespace dormer::instrument::launch {

Result<Target> suiteTarget(const SuiteRun& run, const stream::CollectOptions& options,
                           const ChosenDevice& device, const Installation& installation) {
    Target target;
    target.program = installation.workloads;
    target.options = options;
    if (const auto used = useDevice(target, device, installation); !used)
        return std::unexpected(used.error());
    const bool emulated = device.chip != nullptr;
    auto& arguments = target.arguments;
    arguments = run.workloads;
    arguments.insert(arguments.end(), {"--device", std::to_string(device.id)});
    if (run.size) arguments.insert(arguments.end(), {"--size", std::to_string(*run.size)});
    const std::string sizes = !run.sizes.empty() ? run.sizes : emulated ? "emulator" : "gpu";
    arguments.insert(arguments.end(), {"--sizes", sizes});
    // The emulator's numbers are the same at each launch, so one is enough.
    const auto repeat = run.repeat || !emulated ? run.repeat : std::optional<std::int64_t>(1);
    if (repeat) arguments.insert(arguments.end(), {"--repeat", std::to_string(*repeat)});
    return target;
}

} // namespace dormer::instrument::launch
