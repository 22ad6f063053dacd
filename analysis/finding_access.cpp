// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/finding_checks.h"

#include "analysis/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::analysis {

namespace {

/// Sectors or wavefronts beyond the ideal count from this share on.
constexpr double kExcess = 0.1;
/// A direction with less than this share of the launch's global sectors is not worth a word.
constexpr double kNegligible = 0.01;
/// Up to this many sectors a request too many are what a shifted start costs; more is scatter.
constexpr double kMisalignedSectors = 1.05;

struct Direction {
    std::string_view name;
    std::optional<double> sectors, ideal, perRequest, idealPerRequest;

    [[nodiscard]] bool excessive(double allSectors) const {
        return sectors && ideal && *sectors - *ideal > kExcess * *sectors &&
               *sectors > kNegligible * allSectors;
    }
    [[nodiscard]] bool misaligned() const {
        return *perRequest - *idealPerRequest <= kMisalignedSectors && *idealPerRequest >= 2;
    }
};

} // namespace

void checkGlobalAccess(const FindingContext& c) {
    const Direction directions[] = {
        {"load", c.value("global_load_sectors"), c.value("global_load_sectors_ideal"),
         c.value("global_load_sectors_per_request"), c.value("global_load_sectors_ideal_per_request")},
        {"store", c.value("global_store_sectors"), c.value("global_store_sectors_ideal"),
         c.value("global_store_sectors_per_request"), c.value("global_store_sectors_ideal_per_request")}};
    const double all = directions[0].sectors.value_or(0) + directions[1].sectors.value_or(0);

    bool misalignedOnly = true;
    double wasted = 0;
    std::string evidence;
    for (const Direction& each : directions) {
        if (!each.excessive(all)) continue;
        misalignedOnly = misalignedOnly && each.misaligned();
        wasted += (*each.sectors - *each.ideal) * 32;
        evidence += fmt::format("{}{:.3g} sectors a {} where {:.3g} would do", evidence.empty() ? "" : "; ",
                                *each.perRequest, each.name, *each.idealPerRequest);
    }
    if (evidence.empty()) return;
    evidence += fmt::format(": {} moved for nothing, {} of the global traffic",
                            forPeople(wasted, Unit::Bytes), forPeople(wasted / 32 / all, Unit::Ratio));

    const std::optional<double> gain = c.gain().withoutSectors(wasted / 32);
    if (misalignedOnly) {
        c.out.push_back({"misaligned-global-access", "Misaligned global access", std::move(evidence),
                         "Start each warp's accesses at a multiple of 32 bytes, 128 at best: align rows "
                         "(cudaMallocPitch) "
                         "and shift indices.",
                         gain});
    } else {
        c.out.push_back(
            {"uncoalesced-global-access", "Uncoalesced global access", std::move(evidence),
             "Let neighbouring threads touch neighbouring elements: make threadIdx.x the fastest index, use "
             "structures of arrays, or stage the data through shared memory.",
             gain});
    }
}

void checkBankConflicts(const FindingContext& c) {
    struct Access {
        std::string_view name;
        std::optional<double> wavefronts, ideal, excess, ways;
    };
    const Access accesses[] = {
        {"loads", c.value("shared_load_wavefronts"), c.value("shared_load_wavefronts_ideal"),
         c.value("shared_load_wavefronts_excess"), c.value("shared_load_ways")},
        {"stores", c.value("shared_store_wavefronts"), c.value("shared_store_wavefronts_ideal"),
         c.value("shared_store_wavefronts_excess"), c.value("shared_store_ways")}};
    const double all = accesses[0].wavefronts.value_or(0) + accesses[1].wavefronts.value_or(0);
    std::string evidence;
    double excess = 0;
    for (const Access& each : accesses) {
        if (!each.excess || !each.ways || !(*each.excess > kExcess * *each.wavefronts) ||
            *each.wavefronts < kNegligible * all)
            continue;
        excess += *each.excess;
        evidence += fmt::format(
            "{}{}: {} wavefronts where {} would do ({:.3g}-way)", evidence.empty() ? "" : "; ", each.name,
            forPeople(each.wavefronts, Unit::Count), forPeople(each.ideal, Unit::Count), *each.ways);
    }
    if (evidence.empty()) return;
    const std::optional<double> gain = c.gain().withoutWavefronts(excess);
    c.out.push_back(
        {"shared-bank-conflicts", "Shared-memory bank conflicts", std::move(evidence),
         "Let the lanes of a warp fall into different banks: pad the rows so that a column step is odd in "
         "4-byte words, or swizzle the index.",
         gain});
}

void checkLocalMemory(const FindingContext& c) {
    const auto sectors = c.value("local_sectors");
    const auto l1 = c.value("l1_bytes");
    if (!sectors || !l1 || !(*sectors * 32 > kNegligible * *l1)) return;
    const double share = *sectors * 32 / *l1;
    const std::optional<double> gain = c.gain().withoutLocalMemory();
    // Counters can't tell spills from arrays that an index keeps out of registers: the advice names both.
    c.out.push_back(
        {"local-memory-traffic", "Local-memory traffic",
         fmt::format(
             "{} local sectors, {} of L1's traffic; {} of local memory a thread",
             forPeople(sectors, Unit::Count), forPeople(share, Unit::Ratio),
             forPeople(static_cast<double>(c.metrics.session().kernelOf(c.launch).localBytesPerThread),
                       Unit::Bytes)),
         "If ptxas -v reports spills, allow more registers or do less at once; if it reports only a stack "
         "frame, index local arrays with constants (unroll) or move them to shared memory.",
         gain});
}

void checkAtomics(const FindingContext& c) {
    const auto share = c.value("l2_atomic_share");
    const auto instructions = c.value("atomic_instructions");
    if (!share || !instructions || !(*instructions > 0) || *share < kExcess) return;
    c.out.push_back(
        {"atomics-contention", "Many global atomics",
         fmt::format("{} atomic instructions, {} of the sectors asked of L2",
                     forPeople(instructions, Unit::Count), forPeople(share, Unit::Ratio)),
         "Combine in registers, in the warp or in shared memory first, and issue one atomic a block.",
         c.gain().withoutAtomicContention()});
}

} // namespace dormer::analysis
