// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"
#include "analysis/findings/atomic_kind.h"
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dormer::findings {

namespace {

/// Atomics that are this share of the L2 sector accesses, or of the shared-memory wavefronts, are many.
constexpr double kManyAtomics = 0.1;

double number(const std::optional<std::uint64_t>& count) {
    return static_cast<double>(count.value_or(0));
}

bool isAtomic(const session::LineCounts& line) {
    return line.op == session::MemoryOperation::Atomic || line.op == session::MemoryOperation::Reduction;
}

/// Lanes of an average request on the address that most of them share: they are serialized. As counted, else
/// a lower bound, if the words of the sectors are fewer than the lanes. Absent when neither is known.
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
    return fmt::format("{}{:.3g} lanes contend for the same address", queue.atLeast ? "at least " : "",
                       queue.lanes);
}

std::string globalText(const session::LineCounts& sum, std::size_t instructions) {
    std::string text = operationText(sum, instructions);
    const double executions = number(sum.executions);
    if (!(executions > 0)) return text;
    const double lanes = sum.threads ? number(sum.threads) / executions : access::kWarpLanes;
    text += fmt::format(": {:.3g} lanes/request", lanes);
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
    const bool one =
        !queue->atLeast && queue->lanes >= kNearlyAll * number(sum.threads) / number(sum.executions);
    const AtomicKind kind = atomicKindOf(sum.instruction);
    if (kind.operation == AtomicKind::Operation::Unknown)
        return fmt::format(
            "lanes contend for {}: combine their values in the warp or in shared memory first, where "
            "the operation allows it",
            one ? "one address" : "few addresses");
    if (!kind.combines())
        return fmt::format(
            "lanes contend for {} with {}, which can't be combined: let only the lane that must "
            "issue it do so, or give lanes words of their own",
            one ? "one address" : "few addresses", kind.name());
    if (sum.op == session::MemoryOperation::Atomic && kind.isCount())
        return one ? "all lanes of a warp take places from one counter: let one lane add their number "
                     "(__popc(__activemask())), pass the old value on with __shfl_sync, and add each lane's "
                     "rank "
                     "to it"
                   : "lanes take places from few counters: count per block in shared memory, and take the "
                     "places of a whole block with one atomic per counter";
    if (sum.op == session::MemoryOperation::Atomic) return {}; // each lane goes on with the value it got
    if (one)
        return fmt::format(
            "all lanes of a warp contend for one address: {}, and let one lane issue the atomic",
            kind.combination());
    return "lanes contend for few addresses: keep a copy of these per block in shared memory, combine there, "
           "and issue one atomic per address and block at the end";
}

void checkGlobal(const FindingContext& c) {
    const auto share = c.value("l2_atomic_share");
    const auto instructions = c.value("atomic_instructions");
    if (!share || !instructions || !(*instructions > 0) || *share < kManyAtomics) return;
    std::vector<WastefulAccess> accesses;
    Queue longest;
    std::map<std::string, double> kinds;
    for (const session::LineCounts& line : c.lines) {
        if (line.space != session::MemorySpace::Global || !isAtomic(line) || number(line.executions) == 0)
            continue;
        // Every lane is an L2 request that could be saved, whether it waits or not.
        accesses.push_back({&line, line.threads ? number(line.threads) : number(line.executions)});
        if (const auto queue = longestQueue(line); queue && queue->lanes > longest.lanes) longest = *queue;
        if (const AtomicKind kind = atomicKindOf(line.instruction);
            kind.operation != AtomicKind::Operation::Unknown)
            kinds[kind.name()] += number(line.executions);
    }
    std::string evidence = fmt::format("{} atomic instructions, {} of the L2 sector accesses",
                                       metrics::forPeople(instructions, metrics::Unit::Count),
                                       metrics::forPeople(share, metrics::Unit::Ratio));
    std::string list;
    for (const auto& [name, executions] : kinds)
        list += fmt::format("{}{} of {}", list.empty() ? "" : ", ",
                            metrics::forPeople(executions, metrics::Unit::Count), name);
    if (!list.empty()) evidence += ": " + list;
    if (longest.lanes > 1) evidence += "; " + queueText(longest);
    std::vector<FindingPlace> places = placesOf(accesses, {globalText, globalChange});
    c.add(FindingKind::GlobalAtomics, std::move(evidence), c.gain().withoutAtomicContention(),
          std::move(places));
}

std::string sharedText(const session::LineCounts& sum, std::size_t instructions) {
    const double executions = number(sum.executions);
    return fmt::format("{}: {:.3g} wavefronts/request (ideal {:.3g}), lanes contend for a bank",
                       operationText(sum, instructions), number(sum.wavefronts) / executions,
                       number(sum.wavefrontsIdeal) / executions);
}

/// No counter of a launch has the wavefronts of shared-memory atomics: only counts per instruction do.
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
    c.add(FindingKind::SharedAtomics,
          fmt::format("{:.3g} wavefronts per atomic instruction; {} of the shared-memory wavefronts are due "
                      "to contention",
                      wavefronts / executions, metrics::forPeople(excess / all, metrics::Unit::Ratio)),
          std::nullopt, std::move(places));
}

} // namespace

void checkAtomics(const FindingContext& c) {
    checkGlobal(c);
    checkShared(c);
}

} // namespace dormer::findings
