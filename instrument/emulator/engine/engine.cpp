// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/engine/engine.h"

#include "analysis/base/demangle.h"
#include "analysis/device/occupancy.h"
#include "instrument/emulator/code/decode.h"
#include "instrument/emulator/engine/hazards.h"
#include "instrument/emulator/engine/launch_counts.h"
#include "instrument/emulator/engine/sm_clock.h"
#include "instrument/emulator/exec/run_grid.h"
#include "instrument/emulator/exec/values.h"
#include "instrument/emulator/memory/global_watch.h"
#include "instrument/emulator/memory/place.h"
#include "instrument/emulator/operations/operations.h"
#include "instrument/emulator/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace dormer::emulator::engine {

class Module {
public:
    Module(ptx::parser::LazyModule parsed, std::vector<program::CubinKernel> cubin)
        : text(std::move(parsed)), cubins(std::move(cubin)) {}

    ptx::parser::LazyModule text;
    std::vector<program::CubinKernel> cubins;
    std::unordered_map<std::string, Engine::VariablePlace> variables;
    std::map<std::string, std::unique_ptr<program::Program>, std::less<>> kernels;
};

struct Engine::Impl {
    Impl(const device::Chip& theChip, memory::DeviceMemory& theMemory, unsigned threads)
        : chip(theChip), memory(theMemory), grid(threads) {}

    const device::Chip& chip;
    memory::DeviceMemory& memory;
    exec::GridRunner grid;
    std::mutex loading;   ///< modules and their kernels
    std::mutex launching; ///< one launch at a time; guards what follows
    replay::Credit credit;
    using Configuration = std::tuple<const void*, session::Dim3, session::Dim3, std::uint64_t>;
    std::map<Configuration, replay::Pace> paces; ///< by kernel, grid, block and dynamic shared memory
    std::vector<std::unique_ptr<Module>> modules;
    std::uint64_t launches = 0;

    std::vector<std::uint64_t> workspaces; ///< of grid-wide barriers: addresses of those no launch has

    /// Cleared memory for the barrier of a launch; 0 when there is none left.
    std::uint64_t takeWorkspace() {
        constexpr std::size_t kBytes = 64;
        std::uint64_t address = 0;
        if (workspaces.empty()) {
            address = memory.allocate(kBytes, memory::Allocation::Kind::Internal).value_or(0);
        } else {
            address = workspaces.back();
            workspaces.pop_back();
        }
        if (address != 0) std::memset(reinterpret_cast<void*>(address), 0, kBytes);
        return address;
    }
    class Launch;
    [[nodiscard]] Result<void> placeVariables(Module& module);
    void applyCubin(const Module& module, const ptx::Function& function, program::Program& program) const;
};

Engine::Engine(const device::Chip& chip, memory::DeviceMemory& memory, unsigned threads)
    : m_impl(std::make_unique<Impl>(chip, memory, threads)) {}
Engine::~Engine() = default;

const device::Chip& Engine::chip() const {
    return m_impl->chip;
}

Result<Module*> Engine::load(std::string_view ptx, std::vector<program::CubinKernel> cubin) {
    const std::lock_guard lock(m_impl->loading);
    Result<ptx::parser::LazyModule> parsed = ptx::parser::LazyModule::parse(std::string(ptx));
    if (!parsed) return std::unexpected(parsed.error());
    auto module = std::make_unique<Module>(std::move(*parsed), std::move(cubin));
    if (const Result<void> placed = m_impl->placeVariables(*module); !placed)
        return std::unexpected(placed.error());
    return m_impl->modules.emplace_back(std::move(module)).get();
}

/// Gives each variable memory, then fills them: one may hold the address of another.
Result<void> Engine::Impl::placeVariables(Module& module) {
    const ptx::Module& source = module.text.module();
    for (const ptx::Variable& variable : source.variables) {
        if ((variable.space != ptx::Space::Global && variable.space != ptx::Space::Const) ||
            variable.isExtern)
            continue;
        const auto kind =
            variable.isManaged ? memory::Allocation::Kind::Managed : memory::Allocation::Kind::Variable;
        const std::optional<std::uint64_t> address = memory.allocate(variable.bytes, kind, variable.name);
        if (!address)
            return failure(ErrorKind::Target, fmt::format("no memory for the variable {} of {} bytes",
                                                          variable.name, variable.bytes));
        if (!variable.initial.empty())
            std::memcpy(reinterpret_cast<void*>(*address), variable.initial.data(), variable.initial.size());
        module.variables[variable.name] = {*address, variable.bytes};
    }
    for (const ptx::Variable& variable : source.variables) {
        const auto place = module.variables.find(variable.name);
        if (place == module.variables.end()) continue;
        for (const ptx::Variable::Relocation& relocation : variable.relocations) {
            std::uint64_t value = 0;
            if (const auto target = module.variables.find(relocation.symbol);
                target != module.variables.end()) {
                value = target->second.address;
            } else {
                const auto function =
                    std::ranges::find(source.functions, relocation.symbol, &ptx::Function::name);
                if (function == source.functions.end())
                    return failure(ErrorKind::Target,
                                   fmt::format("{} refers to {}, which this module does not define",
                                               variable.name, relocation.symbol));
                value = program::kFunctionWindow +
                        static_cast<std::uint64_t>(function - source.functions.begin()) * 16;
            }
            value += static_cast<std::uint64_t>(relocation.addend);
            if (relocation.at + sizeof value <= variable.bytes)
                std::memcpy(reinterpret_cast<void*>(place->second.address + relocation.at), &value,
                            sizeof value);
        }
    }
    return {};
}

Result<const program::Kernel*> Engine::kernel(Module& module, std::string_view mangledName) {
    const std::lock_guard lock(m_impl->loading);
    if (std::string problem = operations::processorProblem(operations::machineInstructionSet());
        !problem.empty())
        return failure(ErrorKind::Target, std::move(problem));
    if (const auto known = module.kernels.find(mangledName); known != module.kernels.end())
        return known->second.get();
    const std::vector<ptx::Function>& functions = module.text.module().functions;
    const auto found = std::ranges::find_if(functions, [&](const ptx::Function& function) {
        return function.isEntry && !function.isExtern && function.name == mangledName;
    });
    if (found == functions.end()) return static_cast<const program::Kernel*>(nullptr);
    Result<std::unique_ptr<program::Program>> program = code::decodeKernel(
        module.text, static_cast<std::size_t>(found - functions.begin()),
        [&](std::string_view name) -> std::optional<std::uint64_t> {
            const auto place = module.variables.find(std::string(name));
            return place == module.variables.end() ? std::nullopt : std::optional(place->second.address);
        },
        m_impl->chip.device.computeCapabilityMajor);
    if (!program) return std::unexpected(program.error());
    program::Program& ready = **program;
    m_impl->applyCubin(module, *found, ready);
    for (const program::CodeFunction& function : ready.functions)
        ready.functionTexts.push_back(module.text.text(function.moduleFunction));
    std::ranges::sort(ready.functionTexts, {}, &ptx::FunctionText::line);
    return module.kernels.emplace(std::string(mangledName), std::move(*program)).first->second.get();
}

namespace {

/// Registers that are left to a thread when the blocks that the kernel's directives promise have theirs, in
/// whole units of 8; the most there are if they promise none.
std::uint32_t registersLeft(const ptx::Function& function, std::uint32_t threads,
                            const session::Device& device) {
    constexpr std::uint32_t kMost = 255;
    if (!function.maxThreads[0] && !function.requiredThreads[0]) return kMost;
    const std::uint32_t warps = (threads + instructions::kLanes - 1) / instructions::kLanes;
    std::uint32_t blocks = function.minBlocksPerSm.value_or(1);
    // ptxas ignores a promise that the device can't keep.
    if (std::uint64_t{blocks} * warps * instructions::kLanes > device.maxThreadsPerSm) blocks = 1;
    const std::uint32_t perWarp = device.registersPerSm / std::max(1U, blocks * warps);
    return std::clamp<std::uint32_t>(perWarp / 256 * 8, 16, kMost);
}

} // namespace

void Engine::Impl::applyCubin(const Module& module, const ptx::Function& function,
                              program::Program& program) const {
    program::KernelFacts& facts = program.kernelFacts;
    const auto cubin = std::ranges::find(module.cubins, facts.name, &program::CubinKernel::name);
    if (cubin != module.cubins.end()) {
        facts.registersPerThread = cubin->registersPerThread;
        facts.staticSharedBytes = cubin->staticSharedBytes;
        facts.localBytesPerThread = cubin->localBytesPerThread;
    } else {
        // ptxas needs a few more than are live at once, and no fewer than 16; what its caps don't leave it
        // spills.
        const std::uint32_t cap = std::min(function.maxRegisters.value_or(255),
                                           registersLeft(function, facts.maxThreadsPerBlock, chip.device));
        facts.registersPerThread =
            std::min(std::clamp<std::uint32_t>(program.registersEstimate + 8, 16, 255), cap);
        facts.registersEstimated = true;
    }
    if (facts.registersPerThread > 0) {
        // As many warps as the registers of an SM hold, which go by 256 per warp.
        const std::uint32_t perWarp = (facts.registersPerThread * instructions::kLanes + 255) / 256 * 256;
        const std::uint32_t threads = chip.device.registersPerSm / perWarp / 4 * 4 * instructions::kLanes;
        facts.maxThreadsPerBlock =
            std::min(facts.maxThreadsPerBlock, std::max(threads, instructions::kLanes));
    }
}

std::optional<Engine::VariablePlace> Engine::variable(Module& module, std::string_view name) {
    const auto found = module.variables.find(std::string(name));
    return found == module.variables.end() ? std::nullopt : std::optional(found->second);
}

namespace {

memory::Fault locate(const exec::LocatedFault& from, const program::Program& program, session::Dim3 shape) {
    memory::Fault fault;
    fault.kind = from.signal.kind;
    fault.kernel = base::demangled(program.kernelFacts.name);
    fault.address = from.signal.address;
    fault.detail = from.signal.detail;
    fault.block = from.block;
    const std::uint32_t thread = from.warp * instructions::kLanes + from.signal.lane;
    fault.thread = {thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y};
    if (from.instruction < program.instructions.size()) {
        const program::InstructionFacts& facts = program.instructions[from.instruction];
        fault.place = memory::describePlace(*program.module, facts.position, facts.ptxLine);
    }
    return fault;
}

} // namespace

namespace {

std::vector<hierarchy::LineRange> hostLines(const memory::DeviceMemory& memory) {
    std::vector<hierarchy::LineRange> lines;
    for (const memory::Allocation& each : memory.onHost())
        lines.push_back(
            {each.address / access::kLineBytes, (each.end() + access::kLineBytes - 1) / access::kLineBytes});
    return lines;
}

} // namespace

class Engine::Impl::Launch final : public Running {
public:
    Launch(Impl& impl, const program::Program& program, const LaunchRequest& request);
    ~Launch() override {
        const std::lock_guard lock(m_impl.launching);
        m_grid.reset();
        if (m_workspace != 0) m_impl.workspaces.push_back(m_workspace);
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    State advance(std::chrono::nanoseconds patience) override {
        const std::lock_guard lock(m_impl.launching);
        const auto begin = std::chrono::steady_clock::now();
        const exec::GridRunner::Progress progress = m_impl.grid.advance(*m_grid, patience);
        m_wall += std::chrono::steady_clock::now() - begin;
        switch (progress) {
        case exec::GridRunner::Progress::Ended:
            return State::Ended;
        case exec::GridRunner::Progress::Some:
            return State::Advanced;
        case exec::GridRunner::Progress::None:
            break;
        }
        return State::Waits;
    }
    std::expected<LaunchOutcome, memory::Fault> outcome() override;
    memory::Fault waiting(std::string why) const override {
        return locate(m_impl.grid.waiting(*m_grid, std::move(why)), m_program, m_request.block);
    }

private:
    Impl& m_impl;
    const program::Program& m_program;
    LaunchRequest m_request;
    replay::Launch m_replay;
    memory::DeviceMemory::InUse m_memoryInUse;
    exec::AlignedBuffer m_constants;
    std::uint64_t m_workspace = 0;
    std::unique_ptr<hierarchy::MemoryHierarchy> m_hierarchy;
    std::unique_ptr<memory::GlobalWatch> m_globalWatch;
    std::vector<exec::CodeCycles> m_cyclesOfCode;
    std::shared_ptr<exec::GridRunner::Grid> m_grid;
    std::chrono::nanoseconds m_wall{0};
};

Engine::Impl::Launch::Launch(Impl& impl, const program::Program& program, const LaunchRequest& request)
    : m_impl(impl), m_program(program), m_request(request), m_memoryInUse(impl.memory) {
    const std::lock_guard lock(impl.launching);
    const auto begin = std::chrono::steady_clock::now();
    const device::Chip& chip = impl.chip;
    session::Kernel facts;
    facts.registersPerThread = program.kernelFacts.registersPerThread;
    facts.staticSharedBytes = program.kernelFacts.staticSharedBytes;
    const std::uint32_t resident = std::max(
        1u, device::theoreticalOccupancy(chip.device, facts, request.block, request.dynamicSharedBytes)
                .value_or(device::Occupancy{})
                .blocksPerSm);
    const auto smCount = static_cast<std::uint32_t>(chip.device.smCount);

    exec::GridRunner::Work work;
    work.shape.program = &program;
    work.shape.memory = &impl.memory;
    work.shape.grid = request.grid;
    work.shape.block = request.block;
    work.shape.cluster = request.cluster;
    work.shape.dropFaults = request.dropFaults;
    work.shape.sharedBytes = program.staticSharedBytes + request.dynamicSharedBytes;
    work.shape.parameters = request.parameters;
    work.shape.smCount = smCount;
    work.shape.checks = {request.findRaces, request.findUninitialized, request.checkEveryBlock};
    if (work.shape.checks.any() && request.checkEveryBlock) {
        m_globalWatch = std::make_unique<memory::GlobalWatch>();
        work.shape.globalWatch = m_globalWatch.get();
    }
    const std::uint64_t blocksOnSm =
        std::min<std::uint64_t>(resident, (request.grid.count() + smCount - 1) / smCount);
    if (program.kernelFacts.readsClock) {
        constexpr double kSchedulers = 4; // of an SM, since Volta
        const auto warps = static_cast<double>(
            blocksOnSm * ((request.block.count() + instructions::kLanes - 1) / instructions::kLanes));
        m_cyclesOfCode = cyclesOfCode(program, chip, std::max(warps / kSchedulers, 1.0));
        work.shape.clock = {m_cyclesOfCode, request.beginNs, chip.device.smClockMaxHz};
    }
    work.residentBlocks = resident * smCount;
    work.timeLimit = request.timeLimit;
    m_workspace = impl.takeWorkspace();
    work.shape.constants = m_constants.reserve(program.constants.bytes + 128);
    exec::fillConstants(program.constants,
                        {request.grid, request.block, smCount, ++impl.launches, request.dynamicSharedBytes,
                         work.shape.sharedBytes, request.parameters, m_workspace, request.cluster,
                         request.explicitCluster},
                        work.shape.constants);
    if (request.count) {
        const std::uint64_t perBlock = program.kernelFacts.staticSharedBytes + request.dynamicSharedBytes +
                                       chip.device.reservedSharedBytesPerBlock;
        m_hierarchy =
            std::make_unique<hierarchy::MemoryHierarchy>(chip, perBlock * blocksOnSm, hostLines(impl.memory));
        work.hierarchy = m_hierarchy.get();
        work.sampleLanes = request.sampleLanes;
        m_replay = {request.grid.count(), resident, perBlock * blocksOnSm, impl.credit.left()};
        const std::vector<std::uint32_t> sms = replay::tracedSms(m_replay, smCount);
        exec::TracePlan& traces = work.shape.traces;
        std::ranges::copy(sms, traces.sms.begin());
        traces.count = static_cast<std::uint32_t>(sms.size());
        traces.blocksOfSm = replay::tracedBlocks(m_replay, smCount);
        traces.stepsOfWarp = replay::tracedSteps(
            m_replay, smCount, (request.block.count() + instructions::kLanes - 1) / instructions::kLanes);
    }
    m_grid = impl.grid.begin(work);
    m_wall = std::chrono::steady_clock::now() - begin;
}

std::expected<LaunchOutcome, memory::Fault> Engine::Impl::Launch::outcome() {
    const std::lock_guard lock(m_impl.launching);
    const auto begin = std::chrono::steady_clock::now();
    const std::expected<exec::WorkerCounts, exec::LocatedFault> counts = m_impl.grid.result(*m_grid);
    if (!counts) return std::unexpected(locate(counts.error(), m_program, m_request.block));
    LaunchOutcome outcome;
    if (m_request.count) {
        outcome.counts = sumCounts(m_program, *counts, m_request.grid, m_request.block);
        outcome.instructions = countedInstructions(m_program, *counts);
        outcome.traffic = m_hierarchy->finish();
        addCodeFetch(m_program, outcome.traffic);
        counts::StallShares stalls;
        replay::Pace& pace =
            m_impl.paces[{&m_program, m_request.grid, m_request.block, m_request.dynamicSharedBytes}];
        outcome.replayed = replay::replay(m_program, m_impl.chip, m_replay, counts->traces, counts->stepsOfSm,
                                          outcome.traffic, pace, m_request.watchStalls ? &stalls : nullptr);
        m_impl.credit.spent(outcome.replayed.steps,
                            std::reduce(counts->stepsOfSm.begin(), counts->stepsOfSm.end()));
        for (const counts::StallShare& each : stalls)
            outcome.stalls.push_back(
                {m_program.instructions[each.instruction].ptxLine, each.state, each.share, each.notIssued});
    }
    for (const std::uint32_t index : counts->undefined) {
        const program::InstructionFacts& at = m_program.instructions[index];
        outcome.undefined.push_back(fmt::format(
            "{} at {}", at.text, memory::describePlace(*m_program.module, at.position, at.ptxLine)));
    }
    std::ranges::sort(outcome.undefined);
    outcome.hazards = describeHazards(m_program, counts->hazards, m_request.block);
    for (const exec::DroppedFault& each : counts->dropped)
        outcome.dropped.push_back(
            {locate({each.signal, each.instruction, each.warp, each.block}, m_program, m_request.block),
             each.lanes});
    std::ranges::sort(outcome.dropped, {}, [](const auto& each) { return each.fault.place; });
    outcome.wall = m_wall + (std::chrono::steady_clock::now() - begin);
    return outcome;
}

std::string givenUp(std::chrono::nanoseconds limit) {
    return fmt::format("this thread waits for what no running thread, no other launch and no host code does; "
                       "given up after {:.3g} s without progress (--time-limit)",
                       std::chrono::duration<double>(limit).count());
}

std::unique_ptr<Running> Engine::begin(const program::Kernel& kernel, const LaunchRequest& request) {
    return std::make_unique<Impl::Launch>(*m_impl, static_cast<const program::Program&>(kernel), request);
}

std::expected<LaunchOutcome, memory::Fault>
Engine::launch(const program::Kernel& kernel, const LaunchRequest& request, std::chrono::nanoseconds limit) {
    const std::unique_ptr<Running> running = begin(kernel, request);
    while (true) {
        switch (running->advance(limit)) {
        case Running::State::Ended:
            return running->outcome();
        case Running::State::Advanced:
            break;
        case Running::State::Waits:
            return std::unexpected(running->waiting(givenUp(limit)));
        }
    }
}

} // namespace dormer::emulator::engine
