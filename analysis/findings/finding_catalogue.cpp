// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_catalogue.h"

#include <algorithm>
#include <array>

namespace dormer::findings {

namespace {

using enum FindingKind;

// Rules by their identifiers in `ncu --list-rules` (2025). No rule: Nsight Compute does not look for it.
constexpr auto kFindings = std::to_array<FindingText>({
    {UncoalescedAccess, "uncoalesced-global-access", "Uncoalesced global access", "UncoalescedGlobalAccess",
     "Let consecutive threads access consecutive elements: make threadIdx.x the fastest-varying index, use "
     "structures of arrays, or stage the data through shared memory."},
    {MisalignedAccess, "misaligned-global-access", "Misaligned global access", "UncoalescedGlobalAccess",
     "Start each warp's accesses at a multiple of 32 bytes, ideally 128: pad rows (cudaMallocPitch) and "
     "shift indices."},
    {BroadcastLoads, "broadcast-load", "Broadcast loads", "",
     "Each is a single sector, but still a request: keep values that all threads of a warp reuse in a "
     "register, and what all warps of a block read in shared memory."},
    {RedundantLanes, "redundant-lanes", "Redundant work across lanes", "",
     "The access pattern is fine, but the lanes of a warp load the same values and store to the same place. "
     "Give each thread its own element: an index that depends on threadIdx.x."},
    {BankConflicts, "shared-bank-conflicts", "Shared-memory bank conflicts", "SharedMemoryConflicts",
     "Let the lanes of a warp access different banks: pad the rows so that they are an odd number of 4-byte "
     "words apart, or swizzle the index."},
    {LocalArrays, "local-memory-traffic", "Local memory traffic", "LocalMemoryUsage",
     "Index local arrays with compile-time constants (unroll the loops over them) or move them to shared "
     "memory; more registers don't help."},
    {LocalSpills, "register-spills", "Register spills to local memory", "LocalMemoryUsage",
     "Allow more registers (fewer blocks per SM in __launch_bounds__, a larger -maxrregcount), or keep fewer "
     "values live at once: unroll less, give each thread less to hold."},
    {LocalMemory, "local-memory-traffic", "Local memory traffic", "LocalMemoryUsage",
     "If ptxas -v reports spills, allow more registers or keep fewer values live at once; if it reports only "
     "a stack frame, index local arrays with compile-time constants (unroll) or move them to shared memory."},
    {HostMemory, "host-memory-access", "Non-local reads (PCIe/NVLink)", "MemoryApertureUsage",
     "Copy data that is read more than once, or by most threads, to device memory; leave in host memory only "
     "what is accessed once and sparsely. For managed memory, call cudaMemPrefetchAsync before the launch."},
    {ConstantLoads, "divergent-constant-loads", "Divergent constant loads", "",
     "Constant memory serves one address per pass, so lanes that read different addresses are serialized. "
     "Read "
     "such tables from global memory (const and __restrict__) or shared memory, and keep in __constant__ "
     "memory "
     "what all lanes of a warp read at the same address."},
    {NarrowLoads, "narrow-loads", "Narrow loads: 4 bytes per lane", "",
     "Requests bind, not bytes: let each thread take four neighbouring values with one float4 (or int4) "
     "load, "
     "where rows are multiples of 16 bytes."},
    {SameForAllWarps, "redundant-warp-loads", "All warps of a block load the same addresses", "",
     "Load them into shared memory once per block, and read them there."},
    {SharedLoads, "shared-load-bound", "Bound by shared-memory loads without conflicts", "",
     "Let each thread compute more outputs, for example 4 by 4 in registers: each value loaded from shared "
     "memory "
     "is then used several times."},
    {GridBarriers, "grid-barriers", "Grid-wide barriers", "",
     "The latency of grid.sync() binds, not memory or arithmetic: launch one kernel per step instead (from a "
     "CUDA "
     "graph where steps are short), or do more work between barriers."},
    {GlobalAtomics, "atomics-contention", "Many global atomics", "",
     "Combine values in registers, in the warp or in shared memory first, and issue one atomic per block."},
    {SharedAtomics, "shared-atomics-contention", "Contended shared-memory atomics", "",
     "Lanes that contend for a word or a bank are serialized: spread the lanes of a warp over several "
     "copies, "
     "in different banks, and add the copies up at the end, or combine equal keys in the warp first "
     "(__match_any_sync, run lengths)."},
    {SmallGrid, "small-grid", "Grid too small to fill the GPU", "LaunchConfiguration",
     "Launch more blocks: split the work more finely, or give each thread less of it."},
    {PartialWave, "partial-wave", "Less than one wave of blocks", "LaunchConfiguration",
     "Nearly every SM has work, but fewer blocks than fit: if warps wait for memory, more or smaller blocks "
     "hide "
     "more of it."},
    {TailEffect, "tail-effect", "Tail effect", "LaunchConfiguration",
     "Choose a grid that fills whole waves, or a grid-stride loop over exactly one wave."},
    {OccupancyByRegisters, "low-occupancy", "Low theoretical occupancy", "TheoreticalOccupancy",
     "Limited by registers: use __launch_bounds__ or smaller loop bodies; a block size that packs better may "
     "be enough."},
    {OccupancyBySharedMemory, "low-occupancy", "Low theoretical occupancy", "TheoreticalOccupancy",
     "Limited by shared memory: use smaller tiles, or do more work per block."},
    {OccupancyByBlockSize, "low-occupancy", "Low theoretical occupancy", "TheoreticalOccupancy",
     "Limited by the block size: choose one that divides the maximum number of threads per SM."},
    {OccupancyByBlocks, "low-occupancy", "Low theoretical occupancy", "TheoreticalOccupancy",
     "Limited by the number of blocks per SM: use larger blocks."},
    {OccupancyTooLarge, "low-occupancy", "Low theoretical occupancy", "TheoreticalOccupancy",
     "The block does not fit on an SM: use fewer threads or registers."},
    {Occupancy, "low-occupancy", "Low theoretical occupancy", "TheoreticalOccupancy",
     "Use fewer registers or less shared memory per block, so that more blocks fit on an SM."},
    {OccupancyGap, "occupancy-gap", "Achieved occupancy below theoretical", "AchievedOccupancy",
     "Blocks of unequal duration or a short last wave leave SMs idle: balance the work of blocks and warps."},
    {Divergence, "divergence", "Divergent warps", "ThreadDivergence",
     "Let the threads of a warp take the same branch: sort or regroup the work, or replace short branches "
     "with selects."},
    {PartialWarps, "partial-warps", "Blocks smaller than a warp", "LaunchConfiguration",
     "Use at least one warp per block, preferably 128 threads or more."},
    {WeakFp64, "fp64-on-weak-chip", "FP64 on a GPU with low FP64 throughput", "SlowPipeLimiter",
     "If single precision is enough, use float throughout: a literal without the f suffix promotes its "
     "expression to double."},
    {UnfusedArithmetic, "unfused-multiply-add", "Unfused multiply-adds (FMUL+FADD)", "FPInstructions",
     "Where a product is added to something, write a * b + c in one expression or fma(a, b, c), and compile "
     "without -fmad=false; __fmul_rn and __fadd_rn are never fused."},
    {IdleTensorCores, "tensor-cores-idle", "Tensor cores idle", "",
     "If this is a matrix product, use the tensor cores: wmma or mma instructions, cuBLAS or CUTLASS. Other "
     "work can't use them."},
    {StallBarrier, "stall-barrier", "Barrier stalls", "CPIStall",
     "Give the warps of a block equal work before the barrier; use smaller blocks, or barriers of fewer "
     "threads."},
    {StallBranchResolving, "stall-branch-resolving", "Branch resolving stalls", "CPIStall",
     "Replace short branches by predicates or selections; unroll loops."},
    {StallConstantMiss, "stall-imc-miss", "Constant cache misses", "CPIStall",
     "Use fewer constants, and the same one in all lanes; long kernels read arguments anew."},
    {StallDrain, "stall-drain", "Drain stalls", "CPIStall",
     "Store less, coalesced, and not all of it at the end of the kernel."},
    {StallLgThrottle, "stall-lg-throttle", "LG throttle stalls", "CPIStall",
     "Issue fewer memory instructions: wider loads (float4), coalesced access, no spilled registers."},
    {StallLongScoreboard, "stall-long-scoreboard", "Long scoreboard stalls", "CPIStall",
     "Have more loads in flight before their first use (unroll, prefetch, cp.async), more warps, better "
     "locality, or fewer sectors per request."},
    {StallMathPipe, "stall-math-pipe-throttle", "Math pipe throttle stalls", "CPIStall",
     "The pipe is busy: use cheaper operations, another precision, or tensor cores."},
    {StallMembar, "stall-membar", "Membar stalls", "CPIStall",
     "Fence less often and at the narrowest scope: __threadfence_block() where that suffices."},
    {StallMioThrottle, "stall-mio-throttle", "MIO throttle stalls", "CPIStall",
     "Issue fewer accesses of shared memory, special functions and shuffles: wider accesses (float4), "
     "results kept in registers."},
    {StallNoInstruction, "stall-no-instructions", "No-instruction stalls", "CPIStall",
     "The code runs out of the instruction cache: unroll and inline less, and avoid jumps."},
    {StallShortScoreboard, "stall-short-scoreboard", "Short scoreboard stalls", "CPIStall",
     "Avoid bank conflicts, have more of them in flight, or keep values in registers."},
    {StallSleeping, "stall-sleeping", "Sleeping warps", "CPIStall",
     "Sleep for a shorter time, or wait at a barrier."},
    {StallTexThrottle, "stall-tex-throttle", "TEX throttle stalls", "CPIStall",
     "Fetch less, wider or coalesced; read without textures where filtering is not needed."},
    {StallWait, "stall-wait", "Wait stalls (fixed latency)", "CPIStall",
     "Have independent instructions between (more work a thread), or more warps."},
    {StallWarpgroupArrive, "stall-warpgroup-arrive", "Warpgroup arrive stalls", "CPIStall",
     "Give the four warps of a warpgroup the same work."},
    {StallWarpgroupMma, "stall-gmma", "Warpgroup MMA stalls", "CPIStall",
     "Have more of them in flight: wait for all but the last group (wgmma.wait_group N)."},
    {LaunchesDiffer, kLaunchesDiffer, "Launches of one configuration differ", "",
     "Look at each launch by itself (all launches in the app, the JSON): the data or addresses that it gets "
     "decide what it costs. Savings are added up over all launches."},
    {PageableCopies, "pageable-transfers", "Pageable host copies", "",
     "Allocate host buffers with cudaMallocHost or pin them with cudaHostRegister. Do it once and reuse "
     "them: pinning costs more than a single copy saves."},
    {SmallCopies, "small-transfers", "Many small copies", "",
     "Gather the data in one host buffer and copy it at once, or copy a strided region with cudaMemcpy2D."},
    {Migrations, "managed-migrations", "Unified Memory migrations stall kernels", "",
     "Move the data before the launch: cudaMemPrefetchAsync to the device, and to the host before it reads "
     "results."},
    {ThrashingPages, "managed-thrashing", "Unified Memory pages move back and forth", "",
     "Host and GPU touch the same pages in turns: keep the data on the GPU between launches, move it with "
     "explicit "
     "copies or cudaMemPrefetchAsync once per turn, or give the host a buffer of its own."},
    {CopiesDominate, "host-transfers-dominate", "Copies take longer than kernels", "",
     "Keep data on the device between kernels; split the rest into chunks and copy them on other streams "
     "with cudaMemcpyAsync from pinned memory while kernels run."},
    {LaunchOverhead, "launch-overhead", "Many short launches", "",
     "Launching costs as much as running: fuse consecutive kernels into one, or launch them from a CUDA "
     "graph "
     "(cudaStreamBeginCapture, cudaGraphLaunch). Larger grids don't help."},
    {SerialStreams, "serialized-launches", "Launches serialized by their stream", "",
     "If they don't depend on each other, launch them in several streams; create these with "
     "cudaStreamNonBlocking (or compile with --default-stream per-thread), so that the default stream does "
     "not "
     "serialize them."},
    {ImpossibleDuration, "inconsistent-numbers", "Inconsistent measurements", "",
     "The end was recorded before the start, or neither was: no rate is computed from it."},
    {AboveCeiling, "inconsistent-numbers", "Inconsistent measurements", "",
     "Do not trust this launch: clocks changed between the replay passes, the kernel did not repeat its "
     "work, or the duration is of something else."},
    {AboveMeasuredCeiling, "inconsistent-numbers", "Inconsistent measurements", "",
     "The ceiling was measured at lower clocks or by a benchmark that does not reach it: measure it again."},
    {OutOfRange, "inconsistent-numbers", "Inconsistent measurements", "",
     "Its counters come from different replay passes of a kernel that did not repeat its work: trust "
     "neither."},
    {MissingCounters, "missing-counters", "Unavailable counters", "",
     "Metrics that need them are absent, not zero. The GPU may lack them, or another tool may be using "
     "them."},
});

static_assert(std::ranges::all_of(kFindings, [](const FindingText& each) {
    return &each == &kFindings[static_cast<std::size_t>(each.kind)];
}));
static_assert(kFindings.back().kind == MissingCounters);

} // namespace

std::span<const FindingText> findingCatalogue() {
    return kFindings;
}

const FindingText* findStall(std::string_view state) {
    std::string code = "stall-" + std::string(state);
    std::ranges::replace(code, '_', '-');
    const auto* at = std::ranges::find(kFindings, code, &FindingText::code);
    return at != kFindings.end() ? at : nullptr;
}

Finding makeFinding(FindingKind kind, std::string evidence, std::optional<double> gainNs,
                    std::vector<FindingPlace> places) {
    const FindingText& text = kFindings[static_cast<std::size_t>(kind)];
    return {std::string(text.code),
            std::string(text.title),
            std::string(text.rule),
            std::move(evidence),
            std::string(text.advice) + std::string(lineInfoAdvice(places)),
            gainNs,
            std::move(places)};
}

std::string_view lineInfoAdvice(std::span<const FindingPlace> places) {
    if (places.empty() || !places.front().file.empty()) return {};
    return " Compile with -lineinfo to get source lines.";
}

} // namespace dormer::findings
