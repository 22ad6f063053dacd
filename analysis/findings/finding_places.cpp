// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_places.h"

#include "analysis/lines/line_class.h"
#include "analysis/lines/line_totals.h"
#include "analysis/metrics/launch_facts.h"
#include "analysis/session/user_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace dormer::findings {

namespace {

constexpr std::size_t kMostPlaces = 10;
constexpr double kLeastShare = 0.01;
/// More kinds of accesses than this per line are noise.
constexpr std::size_t kMostKinds = 3;
constexpr std::string_view kInside = "inside ", kNotYours = ": not yours to change";

/// What accesses must have in common to be added up: shape, stride, and ways to the nearest number.
using Class = std::tuple<access::AccessShape, std::int64_t, long>;
Class classFor(const session::LineCounts& counts) {
    const lines::LineClass found = lines::classOf(counts);
    return {found.access.shape, found.access.stride, std::lround(found.ways)};
}

/// Instructions of one kind at one place.
struct Kind {
    session::LineCounts sum;
    Class shape; ///< of each of them
    std::size_t instructions = 0;
    double waste = 0, worst = 0;
};

struct Place {
    FindingPlace result;
    std::vector<Kind> kinds;
};

bool isSameKind(const Kind& kind, const session::LineCounts& counts, const Class& shape) {
    return std::tie(kind.sum.space, kind.sum.op, kind.sum.widthBytes, kind.shape) ==
           std::tie(counts.space, counts.op, counts.widthBytes, shape);
}

void add(Place& place, const WastefulAccess& access) {
    const Class shape = classFor(*access.counts);
    auto kind = std::ranges::find_if(
        place.kinds, [&](const Kind& each) { return isSameKind(each, *access.counts, shape); });
    if (kind == place.kinds.end()) {
        place.kinds.push_back({*access.counts, shape, 0, 0, access.waste});
        kind = std::prev(place.kinds.end());
    } else {
        lines::addCounts(kind->sum, *access.counts);
        if (access.waste > kind->worst) {
            kind->worst = access.waste;
            kind->sum.lanes = access.counts->lanes;
        }
    }
    ++kind->instructions;
    kind->waste += access.waste;
    place.result.share += access.waste;
}

/// "load.h:12 < main.cu:40": all frames, innermost first; empty when it was not inlined.
std::string wholeChain(const session::LineCounts& counts) {
    const std::string callers = lines::chainText(counts);
    return callers.empty() ? callers : lines::placeText(counts) + " < " + callers;
}

void finish(Place& place, const PlaceTexts& texts) {
    std::ranges::stable_sort(place.kinds, std::greater{}, &Kind::waste);
    if (const std::string_view library = libraryOf(place.kinds.front().sum.file); !library.empty())
        place.result.change = fmt::format("{}{}{}", kInside, library, kNotYours);
    else if (texts.change)
        place.result.change = texts.change(place.kinds.front().sum, place.kinds.front().instructions);
    for (std::size_t i = 0; i < std::min(place.kinds.size(), kMostKinds); ++i)
        place.result.what +=
            (i > 0 ? "; " : "") + texts.what(place.kinds[i].sum, place.kinds[i].instructions);
}

std::string perRequest(const std::optional<std::uint64_t>& count, const session::LineCounts& of) {
    return fmt::format("{:.3g}",
                       static_cast<double>(count.value_or(0)) /
                           static_cast<double>(std::max<std::uint64_t>(of.executions.value_or(0), 1)));
}

} // namespace

std::vector<FindingPlace> placesOf(std::span<const WastefulAccess> accesses, const PlaceTexts& texts) {
    using Key = std::tuple<std::string, std::uint32_t, std::string, std::uint64_t>;
    std::map<Key, std::size_t> known;
    std::vector<Place> places;
    double all = 0;
    for (const WastefulAccess& access : accesses) {
        const session::LineCounts& counts = *access.counts;
        const session::SourceFrame frame = session::userFrame(counts);
        const bool located = !frame.file.empty();
        const auto [at, isNew] = known.try_emplace(
            Key{frame.file, frame.line, wholeChain(counts), located ? 0 : counts.pc}, places.size());
        if (isNew) {
            session::LineCounts shown = counts;
            shown.file = frame.file;
            shown.line = frame.line;
            Place& added = places.emplace_back();
            added.result.file = frame.file;
            added.result.line = frame.line;
            added.result.pc = counts.pc;
            added.result.place = lines::placeText(shown);
            added.result.chain = wholeChain(counts);
        }
        Place& place = places[at->second];
        place.result.pc = std::min(place.result.pc, counts.pc);
        add(place, access);
        all += access.waste;
    }
    // By program order first, so that equal ones stay in it.
    std::ranges::stable_sort(places, {}, [](const Place& place) { return place.result.pc; });
    std::ranges::stable_sort(places, std::greater{}, [](const Place& place) { return place.result.share; });

    std::vector<FindingPlace> result;
    for (Place& place : places) {
        if (all > 0) place.result.share /= all;
        if (result.size() == kMostPlaces || (!result.empty() && place.result.share < kLeastShare)) break;
        finish(place, texts);
        result.push_back(std::move(place.result));
    }
    return result;
}

std::string_view libraryOf(const FindingPlace& place) {
    const std::string_view change = place.change;
    if (!change.starts_with(kInside) || !change.ends_with(kNotYours)) return {};
    return change.substr(kInside.size(), change.size() - kInside.size() - kNotYours.size());
}

std::string_view libraryOf(std::string_view file) {
    static constexpr std::pair<std::string_view, std::string_view> kFolders[] = {
        {"cub/", "CUB"},
        {"thrust/", "Thrust"},
        {"cooperative_groups/", "cooperative groups"},
        {"cutlass/", "CUTLASS"}};
    for (const auto& [folder, name] : kFolders) {
        const std::size_t at = file.find(folder);
        if (at != std::string_view::npos && (at == 0 || file[at - 1] == '/')) return name;
    }
    return {};
}

std::string_view libraryOfKernel(std::string_view kernel) {
    static constexpr std::pair<std::string_view, std::string_view> kNamespaces[] = {
        {"cub::", "CUB"}, {"thrust::", "Thrust"}, {"cutlass::", "CUTLASS"}};
    const std::string_view name = kernel.starts_with("void ") ? kernel.substr(5) : kernel;
    for (const auto& [space, library] : kNamespaces)
        if (name.starts_with(space)) return library;
    return {};
}

std::string operationText(const session::LineCounts& sum, std::size_t instructions) {
    const std::string_view plural = sum.op == session::MemoryOperation::Branch ? "es" : "s";
    const std::string_view op = toString(sum.op);
    return instructions == 1 ? std::string(op) : fmt::format("{} {}{}", instructions, op, plural);
}

std::string excessText(const session::LineCounts& sum, std::size_t instructions) {
    const bool shared = sum.space == session::MemorySpace::Shared;
    const std::string shape = lines::classText(sum);
    return fmt::format(
        "{}: {} {}/request (ideal {}){}{}", operationText(sum, instructions),
        perRequest(shared ? sum.wavefronts : sum.sectors, sum), shared ? "wavefronts" : "sectors",
        perRequest(shared ? sum.wavefrontsIdeal : sum.sectorsIdeal, sum), shape.empty() ? "" : ", ", shape);
}

} // namespace dormer::findings
