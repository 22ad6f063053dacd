// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/findings/diagnosis_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

using namespace dormer::metrics;

using namespace dormer::session;

namespace dormer::tests {

namespace {

constexpr auto kEssential = std::to_array<EssentialPair>({
    {"uncoalesced → coalesced", "vector_sum/uncoalesced"},
    {"naive → tiled", "transpose/naive_row"},
    {"naive → tiled", "roofline/sgemm_naive"},
    {"tiled → padded", "transpose/tiled"},
    {"spilled → not", "spaces/local_spill"},
    {"local array → registers", "spaces/local_array"},
    {"global atomics → shared", "histogram/global_atomics"},
    {"global atomics → shared", "histogram/block_private_global"},
    {"pageable → pinned", "transfer/pageable_to_device"},
    {"pageable → pinned", "transfer/pageable_to_host"},
});

constexpr auto kSweeps = std::to_array<std::string_view>({"occupancy/shared", "shared/carveout"});

struct Reason {
    std::string_view workload; ///< or the beginning of one
    std::string_view why;
};

constexpr auto kWhy = std::to_array<Reason>({
    {"access/scattered",
     "the scattered index is computed, and that arithmetic goes with the problem; the estimate "
     "keeps it"},
    {"histogram/global_atomics",
     "the estimate keeps the grid, and the library's histogram runs in one wave; of "
     "several bins it is not counted how many lines share the passes"},
    {"spaces/constant_divergent",
     "lanes that read different constants wait for each other in the constant cache, "
     "which no counter of the set sees: nothing is named"},
    {"spmv/scalar/regular",
     "the gather by column stays scattered in the better workload, too: 8.4 sectors per load"},
    {"spmv/scalar/power_law",
     "one thread adds up the longest row while all others have ended; what balanced rows "
     "win is not in the counters"},
    {"spmv/vector/power_law",
     "one warp adds up the longest row; the estimate is that of its scattered loads alone"},
    {"transpose/copy_col",
     "the better workload reaches 69 % of DRAM, where the estimate expects it to be full"},
    {"transpose/naive_row_16x16",
     "blocks of 16 x 16 threads stay slow in the optimized version: the better workload "
     "reaches 52 % of DRAM"},
    {"zero_copy/mapped/1K", "shorter than 5 µs: no estimate is made"},
    {"zero_copy/host_pointer/1K", "shorter than 5 µs: no estimate is made"},
    {"iterators/stencil_c", "its loads bypass L1; what L1 would catch is not estimated"},
    {"histogram/cub_block_sort",
     "sorting costs most of the time, and the better workload counts without it; the estimate is that of "
     "its conflicts alone"},
    {"graphs/", "the time between launches is what the problem costs, and no launch has it"},
});

constexpr auto kExcuses = std::to_array<Reason>({
    {"histogram/shared", "at this size its grid has 64 blocks for 132 SMs: the finding is right"},
});

std::string percent(double share) {
    return fmt::format("{:.0f} %", share * 100);
}

std::string_view find(std::span<const Reason> reasons, std::string_view workload) {
    std::string_view best, longest;
    for (const Reason& each : reasons)
        if (workload.starts_with(each.workload) && each.workload.size() >= longest.size()) {
            longest = each.workload;
            best = each.why;
        }
    return best;
}

std::string row(const FaultPair& pair) {
    return fmt::format("| `{}` | `{}` | {} | {:.2f} | {:.2f} | {} |\n", pair.workload, pair.better,
                       pair.code.empty() ? "–" : "`" + pair.code + "`", pair.predicted, pair.real,
                       percent(pair.error()));
}

constexpr std::string_view kHead = "| workload | optimized version | finding | predicted | real | error |\n"
                                   "|---|---|---|--:|--:|--:|\n";

std::vector<FaultPair> counted(const Diagnosed& all) {
    std::vector<FaultPair> pairs = all.pairs;
    std::erase_if(pairs, isApart);
    return pairs;
}

std::string summary(const std::vector<FaultPair>& suite, const std::vector<FaultPair>& essential,
                    const std::vector<FaultPair>& small) {
    const auto line = [](std::string_view what, const std::vector<FaultPair>& pairs) {
        return fmt::format("| {} | {} | {} | {} |\n", what, pairs.size(), percent(medianError(pairs)),
                           percent(medianErrorBySweep(pairs)));
    };
    return "| pairs | number | median error | with each sweep counted once |\n|---|--:|--:|--:|\n" +
           line("the problems everybody meets", essential) + line("all of the suite", suite) +
           line("the same workloads at other sizes", small);
}

std::string farOff(const std::vector<FaultPair>& pairs) {
    std::vector<FaultPair> worst = pairs;
    std::ranges::stable_sort(worst, std::greater{}, &FaultPair::error);
    std::string text;
    for (const FaultPair& pair : worst) {
        if (pair.error() <= kFarOff) break;
        text += fmt::format("| `{}` | {:.2f} | {:.2f} | {} |\n", pair.workload, pair.predicted, pair.real,
                            whyOf(pair.workload));
    }
    return "| workload | predicted | real | why |\n|---|--:|--:|---|\n" + text;
}

std::string apart(const Diagnosed& all) {
    std::string text;
    for (const std::string& workload : all.wrong)
        text += fmt::format("- `{}`: its result is wrong; that is its problem, not its time\n", workload);
    for (const FaultPair& pair : all.pairs)
        if (isApart(pair))
            text += fmt::format("- `{}` → `{}`: {}\n", pair.workload, pair.better, whyOf(pair.workload));
    return text;
}

std::string alarms(const Diagnosed& suite, const Diagnosed& small, const Session& session) {
    const auto good = std::ranges::count_if(session.workloads(), &Workload::good);
    std::string text =
        fmt::format("{} workloads of the suite are registered as free of performance problems. Findings that "
                    "promise more than 5 % of their time, in both recordings: {}.\n\n",
                    good, suite.alarms.size() + small.alarms.size());
    for (const Diagnosed* each : {&suite, &small})
        for (const FalseAlarm& alarm : each->alarms)
            text += fmt::format("- `{}`, `{}`, {}: {}\n", alarm.workload, alarm.code, percent(alarm.share),
                                excuseOf(alarm));
    return text;
}

} // namespace

std::span<const std::string_view> occupancySweeps() {
    return kSweeps;
}

std::span<const EssentialPair> essentialPairs() {
    return kEssential;
}

std::string_view whyOf(std::string_view workload) {
    return find(kWhy, workload);
}

std::string_view excuseOf(const FalseAlarm& alarm) {
    const auto known =
        std::ranges::find_if(kExcuses, [&](const Reason& each) { return alarm.workload == each.workload; });
    return known == kExcuses.end() ? std::string_view() : known->why;
}

bool isApart(const FaultPair& pair) {
    return pair.workload.starts_with("graphs/");
}

std::string diagnosisPage(const Session& suiteSession, const Session& smallSession) {
    const Diagnosed suite = diagnose(suiteSession), small = diagnose(smallSession);
    const std::vector<FaultPair> pairs = counted(suite), others = counted(small);
    std::vector<FaultPair> essential;
    std::string essentialRows;
    for (const EssentialPair& each : kEssential) {
        const auto pair = std::ranges::find(pairs, each.workload, &FaultPair::workload);
        if (pair == pairs.end()) continue;
        essential.push_back(*pair);
        essentialRows += fmt::format("| {} {}", each.fault, row(*pair));
    }
    std::string text =
        fmt::format("Times are of `samples/h100-suite.dormer`, and for other sizes (2^20 elements) of "
                    "`samples/h100-lines.dormer`, {}.\n\n",
                    provenance(suiteSession));
    text += "## How good the estimates are\n\n" + summary(pairs, essential, others);
    text += "\n| problem " + std::string(kHead.substr(0, kHead.find('\n'))) + "\n|---" +
            std::string(kHead.substr(kHead.find('\n') + 1)) + essentialRows;
    text += fmt::format("\n## Further off than {}\n\n", percent(kFarOff)) + farOff(pairs);
    text += "\n## More warps\n\nPoints of sweeps whose largest finding is low occupancy, against the fastest "
            "point. "
            "Where registers limit it no estimate is made.\n\n" +
            std::string(kHead);
    for (const std::string_view sweep : kSweeps)
        for (const FaultPair& pair : againstBest(suiteSession, sweep, "low-occupancy"))
            text += row(pair);
    text += "\n## Left out\n\n" + apart(suite);
    text += "\n## False alarms\n\n" + alarms(suite, small, suiteSession);
    text += "\n## All pairs\n\n" + std::string(kHead);
    for (const FaultPair& pair : pairs)
        text += row(pair);
    text += "\n## Other sizes\n\n" + std::string(kHead);
    for (const FaultPair& pair : others)
        text += row(pair);
    return text;
}

} // namespace dormer::tests
