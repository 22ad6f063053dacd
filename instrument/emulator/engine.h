// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/chip.h"
#include "analysis/model.h"
#include "analysis/result.h"
#include "instrument/emulator/device_memory.h"
#include "instrument/emulator/exec/counts.h"
#include "instrument/emulator/fault.h"
#include "instrument/emulator/ptx/module.h"

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Executes PTX kernels on the CPU. Knows neither the CUDA runtime's interface nor the record stream.
namespace dormer::emulator {

/// What the cubin beside the PTX says of a kernel.
struct CubinKernel {
    std::string name; ///< mangled
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0;
    std::uint64_t localBytesPerThread = 0;
};

/// One parameter of a kernel: where it lies in the parameter buffer.
struct ParameterPlace {
    std::size_t offset = 0, bytes = 0;
};

struct KernelFacts {
    std::string name; ///< mangled
    std::uint32_t registersPerThread = 0;
    bool registersEstimated = false; ///< no cubin told them
    std::uint64_t staticSharedBytes = 0;
    std::uint64_t localBytesPerThread = 0;
    std::uint32_t maxThreadsPerBlock = 1024; ///< by .maxntid, .reqntid and registers
    std::uint32_t ptxTarget = 0;             ///< 90
    std::vector<ParameterPlace> parameters;
    std::size_t parameterBytes = 0;
};

/// An instruction with its place and counts, in program order.
struct CountedInstruction {
    std::uint32_t ptxLine = 0;           ///< line in the PTX text
    std::uint32_t position = ptx::kNone; ///< index into the module's positions
    std::string_view text;               ///< "ld.global.f32"
    bool isMemory = false;
    MemorySpace space = MemorySpace::Global;
    MemoryOp op = MemoryOp::Load;
    std::uint32_t widthBytes = 0; ///< of a lane's access: 16 for a v4.f32
    InstructionCounts counts;
    SampledLanes lanes; ///< of the request that wasted most; with LaunchRequest::sampleLanes
};

struct LaunchRequest {
    analysis::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    std::span<const std::byte> parameters; ///< laid out as KernelFacts::parameters says
    bool count = true;                     ///< false: only the results matter, which is faster
    bool sampleLanes = false; ///< with `count`: keep for each memory access where its worst request went
    std::optional<std::chrono::nanoseconds> timeLimit;
};

struct LaunchOutcome {
    LaunchCounts counts;
    Traffic traffic;
    std::vector<CountedInstruction> instructions; ///< memory accesses and branches that ran
    std::chrono::nanoseconds wall{0};
};

class Module; ///< loaded PTX with its variables in device memory

class Kernel {
public:
    virtual ~Kernel() = default;
    [[nodiscard]] virtual const KernelFacts& facts() const = 0;
    [[nodiscard]] virtual const ptx::Module& source() const = 0;
    /// The kernel and the functions it may call, as they were written; valid as long as the engine.
    [[nodiscard]] virtual std::vector<ptx::FunctionText> texts() const { return {}; }
};

class Engine {
public:
    /// `threads` 0: as many as the machine has.
    Engine(const analysis::Chip& chip, DeviceMemory& memory, unsigned threads = 0);
    ~Engine();

    /// Parses the text and places the module's variables in device memory. Errors name the PTX line.
    [[nodiscard]] Result<Module*> load(std::string_view ptx, std::vector<CubinKernel> cubin);
    /// Null when the module has no such kernel. An Error names an instruction that is not supported, its
    /// kernel and source line. Decodes at the first call for a name.
    [[nodiscard]] Result<const Kernel*> kernel(Module& module, std::string_view mangledName);
    struct VariablePlace {
        std::uint64_t address = 0; ///< device address = host address
        std::size_t bytes = 0;
    };
    [[nodiscard]] std::optional<VariablePlace> variable(Module& module, std::string_view name);

    /// Runs to completion on the calling thread and the engine's own. Launches of several host threads go one
    /// after the other. Preconditions: the configuration was checked against chip and kernel (checkLaunch).
    [[nodiscard]] std::expected<LaunchOutcome, Fault> launch(const Kernel& kernel,
                                                             const LaunchRequest& request);

    [[nodiscard]] const analysis::Chip& chip() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dormer::emulator
