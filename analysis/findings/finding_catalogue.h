// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding.h"

#include <span>

namespace dormer::findings {

/// Everything that can be found, one for each piece of advice: several kinds can share a code.
enum class FindingKind : std::uint8_t {
    UncoalescedAccess,
    MisalignedAccess,
    BroadcastLoads,
    RedundantLanes,
    BankConflicts,
    LocalArrays,
    LocalSpills,
    LocalMemory, ///< arrays or spills: can't be told
    HostMemory,
    ConstantLoads,
    NarrowLoads,
    SameForAllWarps,
    SharedLoads,
    GridBarriers,
    GlobalAtomics,
    SharedAtomics,
    SmallGrid,
    PartialWave,
    TailEffect,
    OccupancyByRegisters,
    OccupancyBySharedMemory,
    OccupancyByBlockSize,
    OccupancyByBlocks,
    OccupancyTooLarge,
    Occupancy, ///< limiter not known
    OccupancyGap,
    Divergence,
    PartialWarps,
    WeakFp64,
    UnfusedArithmetic,
    IdleTensorCores,
    StallBarrier,
    StallBranchResolving,
    StallConstantMiss,
    StallDrain,
    StallLgThrottle,
    StallLongScoreboard,
    StallMathPipe,
    StallMembar,
    StallMioThrottle,
    StallNoInstruction,
    StallShortScoreboard,
    StallSleeping,
    StallTexThrottle,
    StallWait,
    StallWarpgroupArrive,
    StallWarpgroupMma,
    LaunchesDiffer,
    PageableCopies,
    SmallCopies,
    Migrations,
    ThrashingPages,
    CopiesDominate,
    LaunchOverhead,
    SerialStreams,
    ImpossibleDuration,
    AboveCeiling,
    AboveMeasuredCeiling,
    OutOfRange,
    MissingCounters
};

/// What a finding says whatever the numbers are.
struct FindingText {
    FindingKind kind;
    std::string_view code;  ///< stable: "uncoalesced-global-access"
    std::string_view title; ///< "Uncoalesced global access"
    std::string_view rule;  ///< identifier of the Nsight Compute rule that finds the same; empty without one
    std::string_view advice;
};

/// Code of LaunchesDiffer.
inline constexpr std::string_view kLaunchesDiffer = "launches-differ";

/// All kinds, in the order of FindingKind.
[[nodiscard]] std::span<const FindingText> findingCatalogue();

/// What is found where warps wait in a state (session::WarpState): code "stall-long-scoreboard" of
/// "long_scoreboard". Null for states that are no stalls, or that nothing can be done about.
[[nodiscard]] const FindingText* findStall(std::string_view state);

/// A finding with the texts of its kind. Its advice ends with how to get source lines where its places have
/// none.
[[nodiscard]] Finding makeFinding(FindingKind kind, std::string evidence, std::optional<double> gainNs,
                                  std::vector<FindingPlace> places = {});

/// How to get source lines, with a blank before it; empty unless there are places and the first lacks one.
[[nodiscard]] std::string_view lineInfoAdvice(std::span<const FindingPlace> places);

} // namespace dormer::findings
