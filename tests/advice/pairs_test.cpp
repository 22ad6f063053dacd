// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Every kind of finding that says what to change has a program before and after the change, whose results are
// checked when they run. Afterwards the finding is gone.

#include "analysis/findings/finding_catalogue.h"
#include "analysis/findings/finding_transfer.h"
#include "tests/advice/parts.h"
#include "tests/app/cli_process.h"
#include "tests/cases/case_session.h"
#include "tests/cases/collect.h"
#include "tests/support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace dormer;
using namespace dormer::tests;

namespace {

using enum findings::FindingKind;

struct Pair {
    findings::FindingKind kind;
    const char* program; ///< before_PROGRAM.cu and after_PROGRAM.cu; "" of before.cu and after.cu
    const char* part;
    const char* says; ///< in the change of the worst line, or in the advice
    const char* does; ///< stands in the text afterwards, and not before
    const char* chip = "";
    const char* launch = nullptr; ///< "integers" of "advice/integers"; the part's name without
};

constexpr Pair kPairs[] = {
    {BankConflicts, "", "pad", "pad `tile[32][32]`", "tile[32][33]"},
    {UncoalescedAccess, "", "columns", "swap `blockIdx.x` and `threadIdx.x`", "row = blockIdx.x"},
    {UncoalescedAccess, "layout", "transpose", "stage a tile in shared memory", "__shared__ float tile"},
    {UncoalescedAccess, "layout", "stride", "so that the stride is 1", "firsts[i]"},
    {UncoalescedAccess, "layout", "consecutive", "t + k * blockDim.x", "k * blockDim.x"},
    {UncoalescedAccess, "layout", "members", "one array per member", "float *x, *y, *z"},
    {MisalignedAccess, "layout", "pitch", "cudaMallocPitch", "cudaMallocPitch"},
    {MisalignedAccess, "layout", "offset", "`header`: make that a multiple of 8", "kHeader = 8"},
    {MisalignedAccess, "layout", "neighbour", "with a shuffle", "__shfl_down_sync"},
    {BroadcastLoads, "reuse", "all threads", "a tile of `points` into shared memory",
     "__shared__ float tile"},
    {BroadcastLoads, "reuse", "one per warp", "`__shfl_sync`", "__shfl_sync"},
    {SameForAllWarps, "reuse", "all warps", "a tile of `weights` into shared memory",
     "__shared__ float tile"},
    {NarrowLoads, "reuse", "narrow", "float4", "float4"},
    {ConstantLoads, "reuse", "constants", "__restrict__", "__restrict__"},
    {SharedAtomics, "reuse", "bins", "several copies", "parts[8][20]"},
    {SharedLoads, "reuse", "outputs", "4 by 4 in registers", "sums[4][4]"},
    {Divergence, "work", "remainder", "where `threadIdx.x < n`", "threadIdx.x < n"},
    {Divergence, "work", "branches", "with selects", "even ?"},
    {UnfusedArithmetic, "work", "unfused", "fma(a, b, c)", "fmaf("},
    {LocalArrays, "work", "local array", "unroll the loops", "#pragma unroll\n"},
    {LocalSpills, "work", "spills", "fewer blocks per SM", "__launch_bounds__(1024, 1)"},
    {RedundantLanes, "work", "redundant", "depends on threadIdx.x", "k = threadIdx.x"},
    {GridBarriers, "work", "barriers", "one kernel per step", "step < 20; ++step"},
    {WeakFp64, "work", "literal", "write `0.5f`, `1.0f` here", "0.5f + 1.0f", "RTX4090"},
    {GlobalAtomics, "", "sum of integers", "__reduce_add_sync", "__reduce_add_sync", "", "integers"},
    {SmallGrid, "launch", "few blocks", "Launch more blocks", "<<<132, 256>>>"},
    {PartialWave, "launch", "few warps", "more or smaller blocks", "<<<4224, 64>>>"},
    {PartialWarps, "launch", "thread blocks", "preferably 128 threads", "kCount / 128, 128"},
    {OccupancyByBlocks, "work", "warp blocks", "use larger blocks", "kMany / 128, 128", "RTX3090"},
    {TailEffect, "launch", "tail", "a grid that fills whole waves", "kThreads = 288"},
    {OccupancyByRegisters, "launch", "registers", "smaller loop bodies", "moments<kSums / 8>"},
    {OccupancyBySharedMemory, "launch", "large tile", "use smaller tiles", "kTile = 16"},
    {LaunchOverhead, "program", "short launches", "CUDA graph", "cudaGraphLaunch"},
    {SerialStreams, "program", "row", "in several streams", "streams[i % 4]"},
    {SerialStreams, "program", "default stream", "cudaStreamNonBlocking", "cudaStreamNonBlocking"},
};

/// Kinds that no program here can show, and why.
const std::map<findings::FindingKind, const char*> kWithoutPair = {
    {LocalMemory, "says how to find out which of the two kinds of local memory it is"},
    {HostMemory, "mapped host memory is device memory where emulated"},
    {OccupancyByBlockSize, "blocks of any size fill half of an SM's warps, which is not low"},
    {OccupancyTooLarge, "such a launch fails"},
    {Occupancy, "the limiter is not known, nor what to change"},
    {OccupancyGap, "the emulator's time model has no blocks of unequal duration"},
    {IdleTensorCores, "advises a library or another algorithm, not a change"},
    {LaunchesDiffer, "advises where to look, not a change"},
    {PageableCopies, "copies have no times where emulated"},
    {SmallCopies, "copies have no times where emulated"},
    {CopiesDominate, "copies have no times where emulated"},
    {Migrations, "managed memory does not migrate where emulated"},
    {ThrashingPages, "managed memory does not migrate where emulated"},
    {StallBarrier, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallBranchResolving, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallConstantMiss, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallDrain, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallLgThrottle, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallLongScoreboard, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallMathPipe, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallMembar, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallMioThrottle, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallNoInstruction, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallShortScoreboard, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallSleeping, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallTexThrottle, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallWait, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallWarpgroupArrive, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {StallWarpgroupMma, "warps are sampled on a GPU only; the suite's family stalls has pairs"},
    {ImpossibleDuration, "about a measurement, not the program"},
    {AboveCeiling, "about a measurement, not the program"},
    {AboveMeasuredCeiling, "about a measurement, not the program"},
    {OutOfRange, "about a measurement, not the program"},
    {MissingCounters, "about a measurement, not the program"},
};

bool isOfProgram(const Pair& pair) {
    return std::string_view(pair.program) == "program";
}

std::string fileOf(const Pair& pair, const std::string& state) {
    return state + (*pair.program == '\0' ? "" : std::string("_") + pair.program) + ".cu";
}

const session::Session& sessionOf(const Pair& pair, const std::string& state) {
    static std::map<std::string, session::Session> sessions;
    const std::string file = fileOf(pair, state), part = pair.part;
    const std::string program = "dormer_advice_" + file.substr(0, file.find('.'));
    const std::string argument = isOfProgram(pair) ? part.substr(0, part.find(' ')) : "";
    const std::string key = program + argument + pair.chip;
    if (!sessions.contains(key)) sessions.emplace(key, collectEmulated(program, argument, pair.chip));
    return sessions.at(key);
}

Case caseOf(const Pair& pair, const std::string& state) {
    return caseIn(sessionOf(pair, state),
                  std::string("advice/") + (pair.launch != nullptr ? pair.launch : pair.part));
}

/// The finding of the pair's kind, of its launch or of the program.
std::optional<findings::Finding> findingOf(const Pair& pair, const std::string& state) {
    std::vector<findings::Finding> all;
    if (isOfProgram(pair)) {
        for (findings::TransferFinding& each : findings::transferFindings(sessionOf(pair, state)))
            all.push_back(std::move(each.finding));
    } else {
        all = caseOf(pair, state).findings;
    }
    const findings::FindingText& text = findings::findingCatalogue()[static_cast<std::size_t>(pair.kind)];
    const auto found = std::ranges::find_if(all, [&](const findings::Finding& each) {
        return each.code == text.code && each.advice.starts_with(text.advice);
    });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// Of the reuse, layout and work programs.
const Pair& pairOf(std::string_view part) {
    return *std::ranges::find(kPairs, part, [](const Pair& each) { return std::string_view(each.part); });
}

} // namespace

TEST_CASE("Every kind of finding has a program before and after its advice, or a reason why not") {
    for (const findings::FindingText& each : findings::findingCatalogue()) {
        const bool shown = std::ranges::find(kPairs, each.kind, &Pair::kind) != std::end(kPairs);
        INFO(each.code << ": " << each.advice);
        CHECK(shown != kWithoutPair.contains(each.kind));
    }
}

TEST_CASE("Advice that is followed keeps results and ends its finding") {
    const Pair pair = GENERATE(from_range(std::begin(kPairs), std::end(kPairs)));
    INFO(fileOf(pair, "before") << ", " << pair.part);
    const auto before = findingOf(pair, "before");
    REQUIRE(before);
    const std::string change = before->places.empty() ? "" : before->places.front().change;
    INFO(change << '\n' << before->advice);
    CHECK((holds(change, pair.says) || holds(before->advice, pair.says)));
    CHECK_FALSE(holds(partsOf(fileOf(pair, "before")).at(pair.part), pair.does));
    CHECK(holds(partsOf(fileOf(pair, "after")).at(pair.part), pair.does));
    // Gone, or what is left of it has nothing more to change at any line.
    const auto after = findingOf(pair, "after");
    CHECK((!after || (!change.empty() && !after->places.empty() && after->places.front().change.empty())));
    if (!before->gainNs) return;
    const auto ns = [&](const char* state) { return caseOf(pair, state).metric("duration_ns"); };
    CHECK(*before->gainNs <= 1.5 * (ns("before") - ns("after")));
}

TEST_CASE("What the advice promises is what is counted afterwards") {
    struct Promise {
        const char* part;
        const char* space;
        const char* op;
        std::uint64_t Counts::*what;
        std::uint64_t before, after;
    };
    constexpr auto kExecutions = &Counts::executions, kSectors = &Counts::sectors,
                   kWavefronts = &Counts::wavefronts;
    // 512 warps of 64 x 256 threads, where nothing else is said.
    const Promise promise = GENERATE_COPY(
        Promise{"transpose", "global", "store", kSectors, 2048 * 32, 2048 * 4}, // 256 x 256 elements
        Promise{"pitch", "global", "load", kSectors, 39840, 256 * 128},         // 4084 bytes are 128 sectors
        Promise{"offset", "global", "load", kSectors, 512 * 5, 512 * 4},
        Promise{"neighbour", "global", "load", kSectors, 512 * (4 + 5), 512 * (4 + 1)},
        Promise{"stride", "global", "load", kSectors, 512 * 16, 512 * 4},
        Promise{"consecutive", "global", "store", kSectors, 4 * 512 * 16, 4 * 512 * 4},
        Promise{"members", "global", "store", kSectors, 512 * 32, 512 * 4},
        Promise{"all warps", "global", "load", kExecutions, 512 * (32 + 1), 512 * (4 + 1)},
        Promise{"all threads", "global", "load", kExecutions, 512 * (64 + 1), 64 * 2 + 512},
        Promise{"one per warp", "global", "load", kExecutions, 512 * (32 + 1), 512 * 2},
        Promise{"narrow", "global", "load", kExecutions, 32768 * 16, 8192 * 16},
        Promise{"constants", "constant", "load", kWavefronts, 512 * 32, 0},
        Promise{"bins", "shared", "atomic", kWavefronts, 512 * 8, 512},
        // Of one matrix the words of a row lie side by side: four in one load.
        Promise{"outputs", "shared", "load", kExecutions, 512 * 512 * 512 / 32 * 5 / 4,
                512 * 512 * 512 / 32 / 2},
        Promise{"local array", "local", "load", kExecutions, 512 * 8, 0},
        Promise{"redundant", "global", "load", kExecutions, 1024 * 128 * 2, 1024 * 4 * 2});
    CAPTURE(promise.part);
    const Pair& pair = pairOf(promise.part);
    CHECK(caseOf(pair, "before").all(promise.space, promise.op).*promise.what == promise.before);
    CHECK(caseOf(pair, "after").all(promise.space, promise.op).*promise.what == promise.after);
}

TEST_CASE("Launches of a graph are as many, and know their nodes") {
    const auto graphed = [](const char* state) {
        const auto launches = sessionOf(pairOf("short launches"), state).launches();
        CHECK(launches.size() == 200);
        return std::ranges::count_if(launches,
                                     [](const session::Launch& each) { return each.graphNode.has_value(); });
    };
    CHECK(graphed("before") == 0);
    CHECK(graphed("after") == 200);
}

TEST_CASE("Fused arithmetic is half of the instructions, and literals with a suffix are no doubles") {
    const auto adds = [](const char* state) {
        const Case of = caseOf(pairOf("unfused"), state);
        return of.session.counter(of.launch, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum")
            .value_or(-1);
    };
    constexpr double kThreads = 1056 * 256;
    CHECK(adds("before") == kThreads * (2 * 2000 + 2));
    CHECK(adds("after") == kThreads * 2);
    CHECK(caseOf(pairOf("literal"), "before").metric("flops_fp64") == 2048. * 256 * 200 * 2);
    CHECK(caseOf(pairOf("literal"), "after").metric("flops_fp64") == 0);
}
