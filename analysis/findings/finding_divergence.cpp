// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/source/source_hint.h"

#include <fmt/format.h>

namespace dormer::findings {

namespace {

constexpr double kFewThreads = 24;
/// Of warps whose branches split as often, a few idle lanes are the split's, not a loop's end.
constexpr double kFewThreadsOfSplit = 28, kMuchSplit = 0.25;

struct Branches {
    double executions = 0, divergent = 0;
    std::vector<WastefulAccess> diverging;
};

/// Absent counts of divergence mean that no warp diverged there.
Branches branchesOf(std::span<const session::LineCounts> lines) {
    Branches branches;
    for (const session::LineCounts& line : lines) {
        if (line.op != session::MemoryOperation::Branch || !line.executions) continue;
        branches.executions += static_cast<double>(*line.executions);
        const auto divergent = static_cast<double>(line.divergent.value_or(0));
        branches.divergent += divergent;
        if (divergent > 0) branches.diverging.push_back({&line, divergent});
    }
    return branches;
}

std::string branchText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {} of {} warps diverged", operationText(sum, instructions),
                       metrics::forPeople(static_cast<double>(*sum.divergent), metrics::Unit::Count),
                       metrics::forPeople(static_cast<double>(*sum.executions), metrics::Unit::Count));
}

/// Active lanes and uniform branches are two numbers: a single thread never diverges, and leaves 31 idle.
std::string branchEvidence(const Branches& branches) {
    if (!(branches.executions > 0)) return {};
    return fmt::format(
        "; {} of the branches are uniform",
        metrics::forPeople(1 - branches.divergent / branches.executions, metrics::Unit::Ratio));
}

} // namespace

void checkDivergence(const FindingContext& c) {
    const auto threads = c.value("threads_per_warp");
    const auto block = c.value("block_threads");
    const Branches branches = branchesOf(c.lines);
    const bool splits = branches.divergent > kMuchSplit * branches.executions;
    if (!threads || !block || *threads >= (splits ? kFewThreadsOfSplit : kFewThreads)) return;
    const std::optional<double> gain =
        c.verdict.bound == verdict::Bound::Compute
            ? c.gain().without(1 - *threads / 32,
                               {device::Resource::IssueSlots, device::Resource::Fp32, device::Resource::Fp64,
                                device::Resource::Fp16, device::Resource::Integer})
            : std::nullopt;
    if (*block < kFewThreads) {
        c.add(FindingKind::PartialWarps,
              fmt::format("blocks of {:.0f} thread{} use {:.3g} of the 32 lanes of a warp{}", *block,
                          *block == 1 ? "" : "s", *threads, branchEvidence(branches)),
              gain);
        return;
    }
    c.add(FindingKind::Divergence,
          fmt::format("{:.3g} of 32 threads active per instruction on average{}", *threads,
                      branchEvidence(branches)),
          gain,
          placesOf(branches.diverging, {branchText, [&](const session::LineCounts& sum, std::size_t) {
                                            return source::moduloChange(c.metrics.session(), c.launch, sum);
                                        }}));
}

} // namespace dormer::findings
