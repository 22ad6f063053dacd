// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/counts/counts.h"
#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/program/kernel.h"
#include "instrument/emulator/program/memory_operands.h"
#include "instrument/emulator/ptx/module.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace dormer::emulator::program {

/// Special registers that keep their value while a warp lives.
enum class Special : std::uint8_t {
    TidX,
    TidY,
    TidZ,
    LaneId,
    WarpId,
    LaneMaskEq,
    LaneMaskLt,
    LaneMaskLe,
    LaneMaskGt,
    LaneMaskGe,
    // of the block
    CtaidX,
    CtaidY,
    CtaidZ,
    ClusterIdX, ///< of its cluster in the grid
    ClusterIdY,
    ClusterIdZ,
    ClusterCtaidX, ///< in its cluster
    ClusterCtaidY,
    ClusterCtaidZ,
    ClusterRank,
    SmId,
    // of the launch
    NtidX,
    NtidY,
    NtidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    WarpSize,
    NwarpId,
    NsmId,
    GridId,
    DynamicSharedBytes,
    TotalSharedBytes,
    GridWorkspaceLow, ///< address of what grid-wide barriers of cooperative groups count in
    GridWorkspaceHigh,
    NclusterX, ///< clusters of the grid
    NclusterY,
    NclusterZ,
    ClusterNctaidX, ///< blocks of a cluster
    ClusterNctaidY,
    ClusterNctaidZ,
    ClusterSize,
    IsExplicitCluster,
};

/// A lane array that is filled when a launch, a block or a warp begins.
struct ValueSlot {
    enum class Kind : std::uint8_t { Bits, Parameter, ParameterAddress, Special } kind = Kind::Bits;
    Special special = Special::TidX;
    std::uint8_t bytes = 4;          ///< per lane
    std::uint8_t parameterBytes = 0; ///< as stored; extended to `bytes`
    bool parameterSigned = false;
    std::uint32_t parameterOffset = 0;
    std::uint64_t bits = 0;
    std::uint32_t offset = 0; ///< in its table
    bool operator==(const ValueSlot&) const = default;
};

/// Tables behind the bases kConstants, kBlockValues and kWarpValues.
struct ValueTable {
    std::vector<ValueSlot> slots;
    std::uint32_t bytes = 0;
};

enum class Ending : std::uint8_t {
    FallThrough,
    Branch,        ///< to `target`, or where the guard is false to the next block
    IndexedBranch, ///< brx: `targets[index]`
    Return,        ///< of a function; in a kernel the same as Exit
    Exit,
    Call,
    IndirectCall,
    Barrier,
    ClusterArrive, ///< at the barrier of all blocks of a cluster
    ClusterWait,
    Yield, ///< nanosleep: another warp's turn
    Trap,
    // Empty blocks on the edges of loops that only look (PollLoop)
    LookBegins, ///< into the loop
    LookAgain,  ///< round it
    LookEnds,   ///< out of it
};

inline constexpr std::uint32_t kFunctionEnd =
    0xFFFFFFFF; ///< post-dominator of blocks that reach no common block

struct BarrierOperands {
    enum class Kind : std::uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr } kind = Kind::Sync;
    instructions::Ref id, count; ///< lane arrays of 4 bytes; count may be absent
    instructions::Ref dst, predicate;
    bool negated = false;
    bool aligned = true; ///< all threads of a warp come to this very instruction
};

/// A call passes its arguments by copying .param variables.
struct CallOperands {
    std::uint32_t function = ptx::kNone; ///< index into Program::functions
    instructions::Ref address;           ///< of an indirect call: 8 bytes per lane
    std::string external;                ///< vprintf and the like: handled by name
    struct Place {
        std::uint32_t offset = 0, bytes = 0; ///< in the caller's parameter area
    };
    std::vector<Place> arguments;
    std::vector<Place> results;
};

/// Straight code with one end.
struct CodeBlock {
    std::uint32_t first = 0, count = 0; ///< instructions
    Ending ending = Ending::FallThrough;
    bool guardNegated = false;
    std::uint32_t guard = instructions::Ref::kNowhere; ///< of the ending
    std::uint32_t target = 0, next = 0;                ///< blocks
    std::uint32_t postDominator = kFunctionEnd;
    std::uint32_t operands = 0;             ///< index into Program::barriers, calls, branchTargets or polls
    std::uint32_t endingIndex = ptx::kNone; ///< instruction number of the ending, for its counters and place
    std::uint32_t placeIndex = ptx::kNone;  ///< an instruction of the block or near it, for messages
    std::uint32_t ptxInstructions = 0;      ///< with those that decoding folded away, and the ending
};

/// A loop that only looks whether others have changed something: it changes no memory, but by an atomic whose
/// success ends it.
struct PollLoop {
    static constexpr std::size_t kMostBlocks = 16;
    struct Value {
        instructions::Ref place;
        std::uint8_t bytes = 0; ///< per lane; 0: a predicate
    };
    std::vector<std::uint32_t> blocks;       ///< CodeBlocks
    std::vector<std::uint32_t> instructions; ///< Inst::index of all of them
    std::vector<Value> carried;              ///< what a round may hand to the next
    bool forgets = false;                    ///< that is nothing but what its last load found
    bool atomic = false;                     ///< looks by taking, as for a lock
    bool looksBefore = false;                ///< the first look stands in front of it, once more
};

struct CodeFunction {
    std::string name;
    std::uint32_t firstBlock = 0;
    std::uint32_t registerBytes = 0; ///< of its frame
    /// Parameter area: .param variables of a lane lie together, lanes apart by `parameterBytes`.
    std::uint32_t parameterBytes = 0;
    std::vector<CallOperands::Place> parameters, results;
    std::uint32_t localBytes = 0;
    std::uint32_t moduleFunction = 0; ///< index into ptx::Module::functions
};

/// What decoding knows of an instruction beyond what executing it needs.
struct InstructionFacts {
    std::uint32_t ptxLine = 0;
    std::uint32_t position = ptx::kNone;
    std::string text;
    bool isMemory = false;
    bool isBranch = false;
    bool isBulk = false; ///< a copy that one thread starts and the memory system does
    bool guarded = false;
    counts::MemorySpace space = counts::MemorySpace::Global;
    counts::MemoryOp op = counts::MemoryOp::Load;
    std::uint32_t widthBytes = 0;
    instructions::Work work = instructions::Work::Int;
    float instructions = 1;
    instructions::Fp32Sequence fp32{}; ///< instead of what `work` says
    std::uint32_t tensorMacs = 0;
    instructions::TensorFormat tensorFormat = instructions::TensorFormat::Fp16;
    bool packedHalf = false;
    float latency = 4;       ///< cycles until a dependent instruction can start
    std::uint32_t block = 0; ///< CodeBlock it belongs to
};

/// Latency of a warp's path through a block.
struct BlockChain {
    double cycles = 0;
    double globalLoads = 0, sharedLoads = 0, atomics = 0, barriers = 0;
};

/// A kernel ready to run: its own code and that of every function it may call.
struct Program final : Kernel {
    const ptx::Module* module = nullptr;
    std::vector<ptx::FunctionText> functionTexts; ///< by ascending line
    KernelFacts kernelFacts;
    std::vector<CodeFunction> functions; ///< [0] is the kernel
    std::vector<CodeBlock> blocks;
    std::vector<BlockChain> chains; ///< by block
    std::vector<instructions::Inst> insts;
    std::deque<std::vector<instructions::Ref>> refLists; ///< what Inst::more points at
    std::deque<MatrixAccess> matrixAccesses;             ///< what Inst::imm of their instructions points at
    std::deque<TextureFetch> textureFetches;             ///< the same
    std::deque<SurfaceAccess> surfaceAccesses;           ///< the same
    std::vector<BarrierOperands> barriers;
    std::vector<CallOperands> calls;
    struct BranchTargets {
        instructions::Ref index;
        std::vector<std::uint32_t> blocks;
    };
    std::vector<BranchTargets> branchTargets;
    std::vector<PollLoop> polls;
    std::vector<InstructionFacts> instructions; ///< by Inst::index
    ValueTable constants, blockValues, warpValues;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t registersEstimate = 0; ///< 32-bit registers live at once, at most
    bool mayWait = false; ///< reads what other blocks may write meanwhile: blocks may wait for each other
    bool clusterBarriers = false;
    bool mayRecurse = false; ///< or calls through pointers, whose depth is unknown
    /// Module function index to index into `functions`, for indirect calls.
    std::vector<std::uint32_t> functionOfModule;

    [[nodiscard]] const KernelFacts& facts() const override { return kernelFacts; }
    [[nodiscard]] const ptx::Module& source() const override { return *module; }
    [[nodiscard]] std::vector<ptx::FunctionText> texts() const override { return functionTexts; }
};

/// Addresses of the shared memory of a cluster's blocks: the lower bits are the place, those above the
/// block's rank plus one; without them it is the own block's.
inline constexpr unsigned kClusterRankShift = 24;
inline constexpr std::uint64_t kClusterPlaceMask = (std::uint64_t{1} << kClusterRankShift) - 1;

/// Addresses that stand for functions and for the windows of generic addressing. No allocation lies there:
/// the ranges are not canonical user addresses of x86-64.
inline constexpr std::uint64_t kFunctionWindow = 0x7FFE'0000'0000'0000;
inline constexpr std::uint64_t kSharedWindow = 0x7FFC'0000'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x7FFD'0000'0000'0000;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;

} // namespace dormer::emulator::program
