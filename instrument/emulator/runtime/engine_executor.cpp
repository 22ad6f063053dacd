// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/program/program.h"
#include "instrument/emulator/runtime/executor.h"
#include "instrument/emulator/timing/certainty.h"
#include "instrument/emulator/timing/predict.h"
#include "instrument/emulator/timing/synthesize.h"

#include <algorithm>

namespace dormer::emulator::runtime {

namespace {

/// What emulating cost, beside the counters of the hardware it plays: warp instructions of the PTX and the
/// time.
constexpr const char* kPtxInstructions = "emulator__ptx_inst_executed.sum";
constexpr const char* kWallTime = "emulator__wall_time_ns.sum";

/// Whether it prints or allocates; assertions call only where they fail.
bool callsDriver(const program::Program& kernel) {
    return std::ranges::any_of(kernel.calls, [](const program::CallOperands& call) {
        return !call.external.empty() && call.external != "__assertfail";
    });
}

/// The real thing: engine and time model.
class EngineExecutor final : public Executor {
public:
    EngineExecutor(const device::Chip& chip, memory::DeviceMemory& memory, unsigned threads)
        : m_engine(chip, memory, threads) {}

    Result<engine::Module*> load(std::string_view ptx, std::vector<program::CubinKernel> cubin) override {
        return m_engine.load(ptx, std::move(cubin));
    }
    Result<const program::Kernel*> kernel(engine::Module& module, std::string_view mangledName) override {
        return m_engine.kernel(module, mangledName);
    }
    std::optional<engine::Engine::VariablePlace> variable(engine::Module& module,
                                                          std::string_view name) override {
        return m_engine.variable(module, name);
    }
    std::unique_ptr<engine::Running> begin(const program::Kernel& kernel,
                                           const engine::LaunchRequest& request) override {
        return m_engine.begin(kernel, request);
    }
    LaunchReport report(const program::Kernel& kernel, const engine::LaunchRequest& request,
                        const engine::LaunchOutcome& outcome, std::string_view counterSet) const override {
        const program::KernelFacts& facts = kernel.facts();
        const timing::LaunchShape shape{request.grid, request.block, request.dynamicSharedBytes,
                                        facts.registersPerThread, facts.staticSharedBytes};
        const timing::Prediction prediction =
            timing::predict(m_engine.chip(), shape, outcome.counts, outcome.traffic, outcome.replayed);
        LaunchReport report{
            prediction.durationNs,
            {},
            timing::durationFactor(m_engine.chip(), prediction.durationNs,
                                   callsDriver(static_cast<const program::Program&>(kernel)))};
        if (const auto set = metrics::findCounterSet(counterSet)) {
            report.counters = timing::synthesizeCounters(*set, m_engine.chip(), outcome.counts,
                                                         outcome.traffic, prediction);
            report.counters[kPtxInstructions] = static_cast<double>(outcome.counts.ptxInstructions);
            report.counters[kWallTime] = static_cast<double>(outcome.wall.count());
        }
        return report;
    }
    std::vector<std::string> countersOf(std::string_view counterSet) const override {
        const auto set = metrics::findCounterSet(counterSet);
        if (!set) return {};
        // What a launch that did something gets: which counters there are does not depend on their values.
        counts::LaunchCounts counts;
        counts.warps = counts.threads = counts.blocks = 1;
        counts.ptxInstructions = counts.ptxThreadInstructions = counts.ptxThreadInstructionsOn = 1;
        counts.instructions = 1;
        counts.warpsByWork.fill(1);
        // Matrix instructions bring counters that were not requested.
        counts.warpsByWork[static_cast<std::size_t>(instructions::Work::Tensor)] = 0;
        counts.threadsByWork.fill(1);
        for (auto& space : counts.memory)
            for (counts::MemoryCounts& memory : space)
                memory = {1, 1, 1, 1, 1, 1, 1, 1, 1};
        const counts::Traffic traffic{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        const timing::Prediction prediction =
            timing::predict(m_engine.chip(), {{1, 1, 1}, {32, 1, 1}, 0, 32, 0}, counts, traffic);
        std::vector<std::string> names{kPtxInstructions, kWallTime};
        for (const auto& [name, value] :
             timing::synthesizeCounters(*set, m_engine.chip(), counts, traffic, prediction))
            names.push_back(name);
        return names;
    }

private:
    engine::Engine m_engine;
};

} // namespace

std::unique_ptr<Executor> makeExecutor(const device::Chip& chip, memory::DeviceMemory& memory,
                                       unsigned threads) {
    return std::make_unique<EngineExecutor>(chip, memory, threads);
}

} // namespace dormer::emulator::runtime
