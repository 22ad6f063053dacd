// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/counts/block_trace.h"
#include "instrument/emulator/counts/counts.h"
#include "instrument/emulator/exec/pattern_memo.h"
#include "instrument/emulator/exec/shared_watch.h"
#include "instrument/emulator/hierarchy/hierarchy.h"
#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/memory/fault.h"
#include "instrument/emulator/ptx/module.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace dormer::emulator::memory {
class DeviceMemory;
} // namespace dormer::emulator::memory

namespace dormer::emulator::program {
struct Program;
} // namespace dormer::emulator::program

namespace dormer::emulator::exec {

struct BlockState;

/// Thrown by handlers: stops the kernel. The runner adds kernel, block and place.
struct FaultSignal {
    memory::Fault::Kind kind;
    unsigned lane = 0;
    std::uint64_t address = 0;
    std::string detail;
};

/// Paths of a diverged warp: lanes `mask` continue at block `pc` until they reach `reconverge`. On the stack
/// two paths have no lane in common, or the upper one's are some of the lower one's, which waits for them.
struct Path {
    std::uint32_t pc = 0, reconverge = 0, mask = 0;
    std::uint32_t done = 0; ///< instructions of block `pc` that are executed already
    enum class Waits : std::uint8_t { No, AtBarrier, ForMembers } waits = Waits::No; ///< ForMembers: a .sync
};

/// Thrown by awaitMembers: lanes that the member mask names can still come. The runner lets them run.
struct AwaitsMembers {
    const instructions::Inst* at = nullptr;
    std::uint32_t missing = 0;
};

/// Where a call returns to.
struct CallFrame {
    std::uint32_t function = 0;
    std::uint32_t call = 0;   ///< index into program::Program::calls
    std::uint32_t block = 0;  ///< the caller's that ends with it
    std::uint32_t wrote = 0;  ///< WarpState::wrote of the caller
    std::uint32_t mask = 0;   ///< lanes that called
    std::size_t pathBase = 0; ///< height of the path stack below the callee
    std::uint32_t registerOffset = 0, parameterOffset = 0, localOffset = 0; ///< of the caller
};

/// An instruction's last seen allocation: most accesses stay in it.
struct AllocationRange {
    std::uint64_t begin = 1, bytes = 0;
};

/// The request of an instruction that wasted most: most sectors or wavefronts beyond the ideal, then most
/// lanes, then the lowest block, then the first in it. So it does not depend on how blocks are dealt out.
struct WorstRequest {
    std::uint32_t rank = 0; ///< 0: none yet
    std::uint64_t block = 0;
    std::unique_ptr<counts::SampledLanes> lanes;
};

/// An access that was left out instead of stopping the kernel.
struct DroppedFault {
    FaultSignal signal;
    std::uint32_t instruction = 0; ///< Inst::index
    std::uint32_t warp = 0;        ///< in its block
    std::uint64_t blockNumber = 0;
    session::Dim3 block;
    std::uint64_t lanes = 0; ///< that the instruction left out in all
};

/// What a block of code takes on the SM's clock.
struct CodeCycles {
    std::uint32_t cycles = 0;
    std::uint32_t onMiss = 0; ///< beyond `cycles`, when a load of it missed L1
};

/// Counters of one worker for one launch; summed at the end.
struct WorkerCounts {
    std::vector<counts::InstructionCounts>
        instructions; ///< by Inst::index; memory accesses, branches and guarded ones
    std::vector<std::uint64_t> blockWarps, blockLanes; ///< by CodeBlock
    std::vector<AllocationRange> ranges;               ///< by Inst::index
    std::vector<std::unique_ptr<PatternMemo>> memos;   ///< by Inst::index, made when first needed
    std::vector<WorstRequest> worst;                   ///< by Inst::index; empty when not requested
    std::vector<std::uint32_t> undefined; ///< Inst::index of those whose result CUDA leaves undefined
    std::vector<DroppedFault> dropped;    ///< the first of each instruction
    std::vector<Hazard> hazards;          ///< of watched blocks, each kind and pair of instructions once
    std::uint64_t barriers = 0;           ///< warps that arrived at one
    std::vector<std::unique_ptr<counts::BlockTrace>> traces;
    std::vector<std::uint64_t> stepsOfSm; ///< WarpState::steps of the warps that ran on each SM
};

/// The memo of an instruction, or of one of several requests that it makes.
[[nodiscard]] PatternMemo& memoOf(WorkerCounts& counts, std::uint32_t index, unsigned request = 0);
/// An instruction has a result that CUDA leaves undefined.
void noteUndefined(WorkerCounts& counts, std::uint32_t index);
/// Makes this the request that wasted most.
void keepWorst(WorstRequest& worst, std::uint32_t rank, std::uint64_t block, std::uint32_t mask,
               const std::uint64_t* addresses);

/// A warp while it runs.
struct WarpState : instructions::Warp {
    BlockState* block = nullptr;
    WorkerCounts* counts = nullptr;
    hierarchy::MemoryHierarchy::BlockPort* port = nullptr; ///< null when nothing is counted
    const program::Program* program = nullptr;
    memory::DeviceMemory* memory = nullptr;
    std::byte* shared = nullptr;
    std::uint64_t sharedBytes = 0;
    counts::WarpTrace* trace = nullptr; ///< where it is to write what it does
    SharedWatch* watch = nullptr;       ///< of its block, when it is searched for undefined behaviour
    const std::byte* kernelParameters = nullptr;
    std::uint64_t kernelParameterBytes = 0;

    std::byte* local = nullptr; ///< lane i's bytes begin at i * localStride
    std::uint32_t localStride = 0;
    std::uint32_t localOffset = 0;      ///< of the running function's frame
    std::uint64_t localAddress = 0;     ///< what the caches see of this warp's local memory
    std::byte* parameterArea = nullptr; ///< .param variables of the functions on the stack, lane-major
    std::uint32_t parameterOffset = 0, parameterStride = 0;
    std::uint32_t registerOffset = 0, registerBytes = 0;
    std::byte* registerFile = nullptr;

    std::uint32_t index = 0;          ///< in its block
    std::uint32_t clusterArrived = 0; ///< lanes at the barrier of their cluster, for which others are missing
    std::vector<Path> paths;          ///< the last is the running one
    std::vector<CallFrame> calls;
    enum class Status : std::uint8_t { Ready, AtBarrier, Done } status = Status::Ready;
    std::uint32_t barrierId = 0;
    std::uint32_t barrierPlace = ptx::kNone; ///< instruction it waits at
    bool withoutMembers = false;             ///< the next .sync instruction waits for nobody
    std::uint64_t steps = 0;                 ///< instructions of the code blocks that it came to
    const CodeCycles* codeCycles = nullptr;  ///< by CodeBlock; null where the kernel reads no clock
    std::uint64_t cycles = 0;                ///< with it: of the SM, since the launch began
    std::uint32_t pauses = 0, changes = 0;   ///< nanosleeps; how often its paths changed places
    std::uint32_t wrote = 0; ///< lanes that changed memory in the running function, or in the look under way
    std::uint64_t strongAccesses = 0; ///< atomics whose result is used, loads past L1: what lanes spin on
};

[[nodiscard]] inline WarpState& stateOf(instructions::Warp& warp) {
    return static_cast<WarpState&>(warp);
}

} // namespace dormer::emulator::exec
