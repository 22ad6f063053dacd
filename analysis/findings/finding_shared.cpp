// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/source/source_hint.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::findings {

namespace {

/// Loads or stores of shared memory that conflict.
struct Wavefronts {
    std::string_view name;
    double actual = 0, ideal = 0;
    [[nodiscard]] double excess() const { return actual - ideal; }
};

void report(const FindingContext& c, std::initializer_list<Wavefronts> conflicting,
            std::vector<FindingPlace> places) {
    std::string evidence;
    double excess = 0;
    for (const Wavefronts& each : conflicting) {
        if (!(each.excess() > 0)) continue;
        excess += each.excess();
        evidence += fmt::format(
            "{}{}: {} wavefronts (ideal {}), {:.3g}-way bank conflict", evidence.empty() ? "" : "; ",
            each.name, metrics::forPeople(each.actual, metrics::Unit::Count),
            metrics::forPeople(each.ideal, metrics::Unit::Count), each.actual / each.ideal);
    }
    if (evidence.empty()) return;
    c.add(FindingKind::BankConflicts, std::move(evidence), c.gain().withoutWavefronts(excess),
          std::move(places));
}

/// From the counts of each instruction: false when there are none of shared memory.
bool checkByLines(const FindingContext& c) {
    Wavefronts load{"loads"}, store{"stores"};
    std::vector<WastefulAccess> accesses;
    double all = 0;
    for (const session::LineCounts& line : c.lines) {
        const bool isLoad = line.op == session::MemoryOperation::Load;
        if (line.space != session::MemorySpace::Shared ||
            (!isLoad && line.op != session::MemoryOperation::Store) || !line.wavefronts ||
            !line.wavefrontsIdeal)
            continue;
        const auto wavefronts = static_cast<double>(*line.wavefronts);
        const auto ideal = static_cast<double>(*line.wavefrontsIdeal);
        all += wavefronts;
        if (!(ideal > 0) || !access::isExcess(wavefronts, ideal)) continue;
        Wavefronts& sum = isLoad ? load : store;
        sum.actual += wavefronts;
        sum.ideal += ideal;
        accesses.push_back({&line, wavefronts - ideal});
    }
    if (load.excess() + store.excess() > kNegligible * all) {
        report(c, {load, store},
               placesOf(accesses, {excessText, [&](const session::LineCounts& sum, std::size_t) {
                                       return source::bankConflictChange(c.metrics.session(), c.launch, sum);
                                   }}));
    }
    return all > 0;
}

/// A wide load of one address takes up to two wavefronts, its bytes would fill one: to counters that looks
/// like a conflict. True when such loads among others without conflict can explain what was counted.
bool mayBeWideBroadcasts(double wavefronts, double ideal, double instructions, double bytes) {
    constexpr double kRounding = 1e-6;
    constexpr double kFullWarpBytes = 128, kWidestLane = 16;
    const double perInstruction = bytes / instructions;
    if (perInstruction > kFullWarpBytes * (1 + kRounding)) return wavefronts < 2 * ideal * (1 - kRounding);
    const double broadcasts = (wavefronts - ideal) / instructions; // one wavefront too many each
    return perInstruction <= (kWidestLane * broadcasts + kFullWarpBytes * (1 - broadcasts)) * (1 + kRounding);
}

void checkByCounters(const FindingContext& c) {
    // Only counters that are exact have an excess: the hardware counts lost arbitration as conflicts.
    const auto wavefrontsOf = [&](std::string_view op, std::string_view name) -> std::optional<Wavefronts> {
        const auto wavefronts = c.value(fmt::format("shared_{}_wavefronts", op));
        const auto ideal = c.value(fmt::format("shared_{}_wavefronts_ideal", op));
        if (!wavefronts || !ideal || !c.value(fmt::format("shared_{}_wavefronts_excess", op)) ||
            !(*ideal > 0))
            return std::nullopt;
        return Wavefronts{name, *wavefronts, *ideal};
    };
    const auto loads = wavefrontsOf("load", "loads");
    const auto stores = wavefrontsOf("store", "stores");
    const double all =
        c.value("shared_load_wavefronts").value_or(0) + c.value("shared_store_wavefronts").value_or(0);
    const auto conflicting = [&](const std::optional<Wavefronts>& each) {
        return each && access::isExcess(each->actual, each->ideal) && each->actual >= kNegligible * all;
    };
    bool loadsConflict = conflicting(loads);
    if (loadsConflict) {
        const auto instructions = c.value("shared_load_instructions");
        const auto bytesPerWavefront = c.metrics.session().counter(
            c.launch, "smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio");
        loadsConflict = instructions && bytesPerWavefront &&
                        !mayBeWideBroadcasts(loads->actual, loads->ideal, *instructions,
                                             *bytesPerWavefront * loads->actual);
    }
    if (loads || stores) {
        report(c, {loadsConflict ? *loads : Wavefronts{}, conflicting(stores) ? *stores : Wavefronts{}}, {});
        return;
    }
    // Reports of Nsight Compute have loads and stores together only.
    const auto both = c.value("shared_wavefronts");
    const auto ideal = c.value("shared_wavefronts_ideal");
    if (both && ideal && *ideal > 0 && access::isExcess(*both, *ideal))
        report(c, {{"loads and stores", *both, *ideal}}, {});
}

} // namespace

void checkBankConflicts(const FindingContext& c) {
    if (!checkByLines(c)) checkByCounters(c);
}

} // namespace dormer::findings
