// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::findings {

namespace {

/// Atomics that are this share of what L2 is asked for are many.
constexpr double kManyAtomics = 0.1;
constexpr std::string_view kCombineFirst =
    "Add up in registers, in the warp (__reduce_add_sync) or in shared "
    "memory first, and issue one atomic a block.";

double number(const std::optional<std::uint64_t>& count) {
    return static_cast<double>(count.value_or(0));
}

bool isAtomic(const session::LineCounts& line) {
    return line.op == session::MemoryOperation::Atomic || line.op == session::MemoryOperation::Reduction;
}

/// Lanes of a mean request on the address that most of them share; they go one after another. As counted;
/// else no fewer than that, since the words of the sectors are fewer than the lanes. Absent when neither can
/// be told.
struct Queue {
    double lanes = 0;
    bool atLeast = false; ///< a lower bound
};
std::optional<Queue> longestQueue(const session::LineCounts& line) {
    const double executions = number(line.executions);
    if (!(executions > 0)) return std::nullopt;
    if (line.serialized) return Queue{1 + number(line.serialized) / executions, false};
    if (!line.threads || number(line.sectors) == 0 || !line.widthBytes || *line.widthBytes == 0)
        return std::nullopt;
    const double words = number(line.sectors) * access::kSectorBytes / *line.widthBytes;
    return Queue{std::max(1.0, number(line.threads) / words), true};
}

std::string queueText(const Queue& queue) {
    return fmt::format("{}{:.3g} lanes one after another on the address that most share",
                       queue.atLeast ? "at least " : "", queue.lanes);
}

std::string globalText(const session::LineCounts& sum, std::size_t instructions) {
    std::string text = operationText(sum, instructions);
    const double executions = number(sum.executions);
    if (!(executions > 0)) return text;
    const double lanes = sum.threads ? number(sum.threads) / executions : access::kWarpLanes;
    text += fmt::format(": {:.3g} lanes a request", lanes);
    if (sum.sectors) {
        const double sectors = number(sum.sectors) / executions;
        text += fmt::format(" on {:.3g} sector{}", sectors, sectors == 1 ? "" : "s");
    }
    if (const auto queue = longestQueue(sum); queue && queue->lanes > 1) text += ", " + queueText(*queue);
    return text;
}

std::string globalChange(const session::LineCounts& sum, std::size_t) {
    constexpr double kNearlyAll = 0.95;
    const auto queue = longestQueue(sum);
    if (!queue || !sum.threads || queue->lanes <= 1) return {};
    if (!queue->atLeast && queue->lanes >= kNearlyAll * number(sum.threads) / number(sum.executions))
        return "the lanes of a warp all meet on one address: add them up with __reduce_add_sync, and let one "
               "lane "
               "do the atomic";
    return "lanes meet on few addresses: keep a copy of these in shared memory for each block, add there, "
           "and "
           "do one atomic an address and block at the end";
}

std::string adviceFor(std::span<const FindingPlace> places) {
    return std::string(kCombineFirst) + std::string(lineInfoAdvice(places));
}

void checkGlobal(const FindingContext& c) {
    const auto share = c.value("l2_atomic_share");
    const auto instructions = c.value("atomic_instructions");
    if (!share || !instructions || !(*instructions > 0) || *share < kManyAtomics) return;
    std::vector<WastefulAccess> accesses;
    Queue longest;
    for (const session::LineCounts& line : c.lines) {
        if (line.space != session::MemorySpace::Global || !isAtomic(line) || number(line.executions) == 0)
            continue;
        // Every lane is a request of L2 that could be spared, whether it waits or not.
        accesses.push_back({&line, line.threads ? number(line.threads) : number(line.executions)});
        if (const auto queue = longestQueue(line); queue && queue->lanes > longest.lanes) longest = *queue;
    }
    std::string evidence = fmt::format("{} atomic instructions, {} of the sectors asked of L2",
                                       metrics::forPeople(instructions, metrics::Unit::Count),
                                       metrics::forPeople(share, metrics::Unit::Ratio));
    if (longest.lanes > 1) evidence += "; " + queueText(longest);
    std::vector<FindingPlace> places = placesOf(accesses, {globalText, globalChange});
    std::string advice = adviceFor(places);
    c.out.push_back({"atomics-contention", "Many global atomics", std::move(evidence), std::move(advice),
                     c.gain().withoutAtomicContention(), std::move(places)});
}

std::string sharedText(const session::LineCounts& sum, std::size_t instructions) {
    const double executions = number(sum.executions);
    return fmt::format("{}: {:.3g} wavefronts a request where {:.3g} would do: lanes meet in a bank",
                       operationText(sum, instructions), number(sum.wavefronts) / executions,
                       number(sum.wavefrontsIdeal) / executions);
}

/// Atomics of shared memory have no counter of a launch that tells their passes: only instructions have.
void checkShared(const FindingContext& c) {
    std::vector<WastefulAccess> accesses;
    double all = 0, excess = 0, executions = 0, wavefronts = 0;
    for (const session::LineCounts& line : c.lines) {
        if (line.space != session::MemorySpace::Shared || !line.wavefronts || !line.wavefrontsIdeal) continue;
        const double above = number(line.wavefronts) - number(line.wavefrontsIdeal);
        all += number(line.wavefronts);
        if (!isAtomic(line) || !access::isExcess(line.wavefronts, line.wavefrontsIdeal) ||
            number(line.executions) == 0)
            continue;
        accesses.push_back({&line, above});
        excess += above;
        executions += number(line.executions);
        wavefronts += number(line.wavefronts);
    }
    if (!access::isExcess(all, all - excess)) return;
    std::vector<FindingPlace> places = placesOf(accesses, {sharedText, {}});
    std::string advice =
        "Lanes that meet on a word or in a bank wait for each other: give each warp a copy of its "
        "own and add the copies up at the end, or combine equal ones in the warp first "
        "(__match_any_sync, run lengths).";
    advice += lineInfoAdvice(places);
    c.out.push_back(
        {"shared-atomics-contention", "Contended atomics in shared memory",
         fmt::format("{:.3g} wavefronts an atomic instruction, {} of the passes of shared memory are lanes "
                     "waiting for others",
                     wavefronts / executions, metrics::forPeople(excess / all, metrics::Unit::Ratio)),
         std::move(advice), std::nullopt, std::move(places)});
}

} // namespace

void checkAtomics(const FindingContext& c) {
    checkGlobal(c);
    checkShared(c);
}

} // namespace dormer::findings
