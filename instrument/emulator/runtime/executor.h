// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/engine/engine.h"

#include <map>
#include <memory>
#include <string>

/// The CUDA runtime's interface over the engine: what programs link as libcudart.
namespace dormer::emulator::runtime {

/// What the numbers of a counted launch come to.
struct LaunchReport {
    double durationNs = 0; ///< predicted
    std::map<std::string, double> counters;
    double durationFactor = 0; ///< session::Launch::durationFactor
};

/// What the runtime needs of the engine and its time model, so that a fake can stand in for them in tests.
class Executor {
public:
    virtual ~Executor() = default;
    [[nodiscard]] virtual Result<engine::Module*> load(std::string_view ptx,
                                                       std::vector<program::CubinKernel> cubin) = 0;
    [[nodiscard]] virtual Result<const program::Kernel*> kernel(engine::Module& module,
                                                                std::string_view mangledName) = 0;
    [[nodiscard]] virtual std::optional<engine::Engine::VariablePlace> variable(engine::Module& module,
                                                                                std::string_view name) = 0;
    [[nodiscard]] virtual std::unique_ptr<engine::Running> begin(const program::Kernel& kernel,
                                                                 const engine::LaunchRequest& request) = 0;
    /// Predicted duration of a launch that was counted, and the counters of the set ("none": none).
    [[nodiscard]] virtual LaunchReport report(const program::Kernel& kernel,
                                              const engine::LaunchRequest& request,
                                              const engine::LaunchOutcome& outcome,
                                              std::string_view counterSet) const = 0;
    /// Names of a set's counters that report() can give.
    [[nodiscard]] virtual std::vector<std::string> countersOf(std::string_view counterSet) const = 0;
};

/// `threads` 0: as many as the machine has. Chip and memory must outlive it.
[[nodiscard]] std::unique_ptr<Executor> makeExecutor(const device::Chip& chip, memory::DeviceMemory& memory,
                                                     unsigned threads);

} // namespace dormer::emulator::runtime
