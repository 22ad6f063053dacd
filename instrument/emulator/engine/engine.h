// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/device/chip.h"
#include "analysis/session/model.h"
#include "instrument/emulator/counts/counts.h"
#include "instrument/emulator/counts/warp_stalls.h"
#include "instrument/emulator/memory/device_memory.h"
#include "instrument/emulator/memory/fault.h"
#include "instrument/emulator/program/kernel.h"

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Executes PTX kernels on the CPU. Knows neither the CUDA runtime's interface nor the record stream.
namespace dormer::emulator::engine {

/// An instruction with its place and counts, in program order.
struct CountedInstruction {
    std::uint32_t ptxLine = 0;           ///< line in the PTX text
    std::uint32_t position = ptx::kNone; ///< index into the module's positions
    std::string_view text;               ///< "ld.global.f32"
    bool isMemory = false;
    counts::MemorySpace space = counts::MemorySpace::Global;
    counts::MemoryOp op = counts::MemoryOp::Load;
    std::uint32_t widthBytes = 0; ///< of a lane's access: 16 for a v4.f32
    counts::InstructionCounts counts;
    counts::SampledLanes lanes; ///< of the request that wasted most; with LaunchRequest::sampleLanes
};

struct LaunchRequest {
    session::Dim3 grid, block;
    session::Dim3 cluster;        ///< blocks of a cluster; divides the grid
    bool explicitCluster = false; ///< launch or kernel name it
    bool dropFaults = false;      ///< leave out accesses outside of allocations, instead of stopping there
    std::uint64_t dynamicSharedBytes = 0;
    std::span<const std::byte> parameters; ///< laid out as KernelFacts::parameters says
    bool count = true;                     ///< false: only the results matter, which is faster
    bool sampleLanes = false;      ///< with `count`: keep for each memory access where its worst request went
    bool watchStalls = false;      ///< with `count`: tell what warps wait for
    bool findRaces = true;         ///< between warps of a block, on shared memory; and stores that clash
    bool findUninitialized = true; ///< reads of shared memory that nothing has written
    bool checkEveryBlock = false;  ///< else the first and the last one are searched for these
    double beginNs = 0;            ///< on the emulated clock, for kernels that read one
    std::optional<std::chrono::nanoseconds> timeLimit; ///< of running; absent: only kWaitLimit for waiting
};

/// Something a kernel did whose result CUDA leaves undefined.
struct Undefined {
    std::string code; ///< of the note: "emulator-race"
    std::string text; ///< with kernel, places, block and threads
};

/// How much of what the launch's warps did was one state at one instruction.
struct InstructionStall {
    std::uint32_t ptxLine = 0;
    counts::Stall state = counts::Stall::Selected;
    double share = 0;     ///< 0..1; 1 over all of a launch
    double notIssued = 0; ///< of `share`: while their scheduler issued nothing
};

struct LaunchOutcome {
    counts::LaunchCounts counts;
    counts::Traffic traffic;
    counts::Replayed replayed;
    std::vector<CountedInstruction> instructions; ///< memory accesses and branches that ran
    std::vector<InstructionStall> stalls;         ///< with watchStalls, of a part of the launch
    std::vector<Undefined> hazards;               ///< by text
    struct Dropped {
        memory::Fault fault;     ///< the first of its instruction
        std::uint64_t lanes = 0; ///< that it left out in all
    };
    std::vector<Dropped> dropped; ///< with dropFaults, by place
    std::vector<std::string>
        undefined; ///< places whose results CUDA leaves undefined: "shfl.sync.up.b32 at a.cu:7"
    std::chrono::nanoseconds wall{0};
};

/// A launch under way. Must not outlive its engine, kernel and parameters.
class Running {
public:
    virtual ~Running() = default;
    enum class State {
        Ended,
        Advanced, ///< got further, and waits now
        Waits,    ///< for what another launch or the host is to do
    };
    /// Runs it to its end, or until none of its blocks got any further for `patience`.
    [[nodiscard]] virtual State advance(std::chrono::nanoseconds patience) = 0;
    /// What came of it, once it has ended.
    [[nodiscard]] virtual std::expected<LaunchOutcome, memory::Fault> outcome() = 0;
    /// Where it waits, for a message that says `why`.
    [[nodiscard]] virtual memory::Fault waiting(std::string why) const = 0;
};

/// Why a launch is given up that waited in vain for so long, and what sets the limit.
[[nodiscard]] std::string givenUp(std::chrono::nanoseconds limit);
/// How long a launch may wait without any progress before it is given up, if nobody set a limit.
inline constexpr std::chrono::seconds kWaitLimit{10};

class Module; ///< loaded PTX with its variables in device memory

class Engine {
public:
    /// `threads` 0: as many as the machine has.
    Engine(const device::Chip& chip, memory::DeviceMemory& memory, unsigned threads = 0);
    ~Engine();

    /// Parses the text and places the module's variables in device memory. Errors name the PTX line.
    [[nodiscard]] Result<Module*> load(std::string_view ptx, std::vector<program::CubinKernel> cubin);
    /// Null when the module has no such kernel. An Error names an instruction that is not supported, its
    /// kernel and source line. Decodes at the first call for a name.
    [[nodiscard]] Result<const program::Kernel*> kernel(Module& module, std::string_view mangledName);
    struct VariablePlace {
        std::uint64_t address = 0; ///< device address = host address
        std::size_t bytes = 0;
    };
    [[nodiscard]] std::optional<VariablePlace> variable(Module& module, std::string_view name);

    /// Starts a launch, which runs when it is advanced, on the calling thread and the engine's own. Launches
    /// may be under way side by side; those of several host threads advance one after the other.
    /// Preconditions: the configuration was checked against chip and kernel (checkLaunch).
    [[nodiscard]] std::unique_ptr<Running> begin(const program::Kernel& kernel, const LaunchRequest& request);
    /// The same to completion; given up when none of its threads gets any further for `limit`.
    [[nodiscard]] std::expected<LaunchOutcome, memory::Fault>
    launch(const program::Kernel& kernel, const LaunchRequest& request,
           std::chrono::nanoseconds limit = kWaitLimit);

    [[nodiscard]] const device::Chip& chip() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dormer::emulator::engine
