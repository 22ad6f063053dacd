// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/lines/line_class.h"
#include "analysis/metrics/format.h"
#include "analysis/source/source_hint.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::findings {

namespace {

/// Loads or stores, all with excess sectors, added up.
struct Direction {
    std::string_view name;
    double requests = 0, sectors = 0, ideal = 0;

    [[nodiscard]] double perRequest() const { return sectors / requests; }
    [[nodiscard]] double idealPerRequest() const { return ideal / requests; }
};

/// What is wrong in one way: misaligned, or uncoalesced.
struct Waste {
    Direction load{"load"}, store{"store"};
    std::vector<WastefulAccess> accesses;
    [[nodiscard]] double sectors() const { return load.sectors - load.ideal + store.sectors - store.ideal; }
};

/// `part`: of all that the launch wastes.
void report(const FindingContext& c, bool misaligned, const Waste& waste, double allSectors, double part) {
    std::string evidence;
    for (const Direction& each : {waste.load, waste.store}) {
        if (!(each.requests > 0)) continue;
        evidence += fmt::format("{}{}s: {:.3g} sectors/request (ideal {:.3g})", evidence.empty() ? "" : ", ",
                                each.name, each.perRequest(), each.idealPerRequest());
    }
    if (evidence.empty()) return;
    const double wastedBytes = waste.sectors() * 32;
    evidence += fmt::format("; {} wasted, {} of the global traffic",
                            metrics::forPeople(wastedBytes, metrics::Unit::Bytes),
                            metrics::forPeople(waste.sectors() / allSectors, metrics::Unit::Ratio));
    std::vector<FindingPlace> places = placesOf(
        waste.accesses, {excessText, [&](const session::LineCounts& sum, std::size_t) {
                             return source::globalAccessChange(c.metrics.session(), c.launch, sum, c.lines);
                         }});
    c.add(misaligned ? FindingKind::MisalignedAccess : FindingKind::UncoalescedAccess, std::move(evidence),
          c.gain().withoutSectors(waste.sectors(), part), std::move(places));
}

/// From the counts of each instruction: false when there are none of global memory.
bool checkByLines(const FindingContext& c) {
    Waste misaligned, uncoalesced;
    double all = 0;
    for (const session::LineCounts& line : c.lines) {
        const bool load = line.op == session::MemoryOperation::Load;
        if (line.space != session::MemorySpace::Global ||
            (!load && line.op != session::MemoryOperation::Store) || !line.sectors || !line.sectorsIdeal ||
            !line.executions || *line.executions == 0)
            continue;
        const auto sectors = static_cast<double>(*line.sectors);
        const auto ideal = static_cast<double>(*line.sectorsIdeal);
        all += sectors;
        if (!access::isExcess(sectors, ideal) || lines::isMatrixFragment(line)) continue;
        Waste& waste =
            lines::classOf(line).access.shape == access::AccessShape::Misaligned ? misaligned : uncoalesced;
        Direction& direction = load ? waste.load : waste.store;
        direction.requests += static_cast<double>(*line.executions);
        direction.sectors += sectors;
        direction.ideal += ideal;
        waste.accesses.push_back({&line, sectors - ideal});
    }
    const double wasted = uncoalesced.sectors() + misaligned.sectors();
    for (const Waste* waste : {&uncoalesced, &misaligned})
        if (waste->sectors() > kNegligible * all)
            report(c, waste == &misaligned, *waste, all, waste->sectors() / wasted);
    return all > 0;
}

std::optional<Direction> directionOf(const FindingContext& c, std::string_view name) {
    const std::string prefix = fmt::format("global_{}_", name);
    const auto requests = c.value(prefix + "requests");
    const auto sectors = c.value(prefix + "sectors");
    const auto ideal = c.value(prefix + "sectors_ideal");
    if (!requests || !(*requests > 0) || !sectors || !ideal) return std::nullopt;
    return Direction{name, *requests, *sectors, *ideal};
}

void checkByCounters(const FindingContext& c) {
    const auto load = directionOf(c, "load");
    const auto store = directionOf(c, "store");
    const double all =
        c.value("global_load_sectors").value_or(0) + c.value("global_store_sectors").value_or(0);
    Waste waste;
    bool misaligned = true;
    // The ideal of the launch's loads together is below that of its broadcasts and coalesced loads apart.
    const bool broadcasts = broadcastShareOfLoads(c).has_value();
    for (const auto& [each, into] : {std::pair{&load, &waste.load}, std::pair{&store, &waste.store}}) {
        if (!*each || !access::isExcess((*each)->sectors, (*each)->ideal) ||
            !((*each)->sectors > kNegligible * all) || (each == &load && broadcasts))
            continue;
        *into = **each;
        misaligned = misaligned &&
                     into->perRequest() - into->idealPerRequest() <= lines::kMisalignedSectors &&
                     into->idealPerRequest() >= 2;
    }
    report(c, misaligned, waste, all, 1);
}

} // namespace

void checkGlobalAccess(const FindingContext& c) {
    if (!checkByLines(c)) checkByCounters(c);
}

} // namespace dormer::findings
