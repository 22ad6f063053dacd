// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/line_summary.h"

#include "analysis/lines/line_class.h"
#include "analysis/lines/line_totals.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::lines {

namespace {

/// Kinds of access named per line; hand-written lines have no more.
constexpr std::size_t kMostKinds = 6;

/// Accesses of a line that one phrase describes.
struct Kind {
    std::string access; ///< "load", "shared store"
    std::string alike;  ///< the same for accesses that are described together
    session::LineCounts sum;
    std::size_t instructions = 0;
};

/// Conflicts of about as many ways are one kind: unrolled accesses differ in the last digit.
std::string alikeOf(const session::LineCounts& counts) {
    const double ways = classOf(counts).ways;
    return ways > 0 ? fmt::format("{:.0f}", std::log2(ways)) : classText(counts);
}

double number(const std::optional<std::uint64_t>& count) {
    return static_cast<double>(count.value_or(0));
}

/// Global memory is what people mean by a load.
std::string accessName(const session::LineCounts& counts) {
    return counts.space == session::MemorySpace::Global ? std::string(toString(counts.op))
                                                        : accessText(counts);
}

std::string plural(const Kind& kind) {
    if (kind.instructions == 1) return kind.access;
    return fmt::format("{} {}{}", kind.instructions, kind.access, kind.access.ends_with('h') ? "es" : "s");
}

/// "32 sectors/request (ideal 4)"; empty without excess, by the tolerance of classes.
std::string excessText(const session::LineCounts& counts) {
    const bool isShared = counts.wavefronts.value_or(0) > 0;
    const auto& actual = isShared ? counts.wavefronts : counts.sectors;
    const auto& ideal = isShared ? counts.wavefrontsIdeal : counts.sectorsIdeal;
    if (!access::isExcess(actual, ideal) || !counts.executions || *counts.executions == 0) return {};
    return fmt::format("{} {}/request (ideal {})",
                       metrics::forPeople(number(actual) / number(counts.executions), metrics::Unit::Count),
                       isShared ? "wavefronts" : "sectors",
                       metrics::forPeople(number(ideal) / number(counts.executions), metrics::Unit::Count));
}

std::string branchText(const Kind& kind) {
    const double executions = number(kind.sum.executions);
    if (!kind.sum.divergent || *kind.sum.divergent == 0 || executions == 0) return {};
    return fmt::format("{}: {} of {} executions diverge", plural(kind),
                       metrics::forPeople(number(kind.sum.divergent) / executions, metrics::Unit::Ratio),
                       kind.instructions == 1 ? "its" : "their");
}

std::string kindText(const Kind& kind) {
    if (kind.sum.op == session::MemoryOperation::Branch) return branchText(kind);
    std::string facts = excessText(kind.sum);
    // The number of wavefronts says it: "32-way" would be the same again.
    const bool repeats = !facts.empty() && kind.sum.space == session::MemorySpace::Shared;
    if (const std::string pattern = classText(kind.sum); !pattern.empty() && !repeats)
        facts += (facts.empty() ? "" : ", ") + pattern;
    if (const double lanes = number(kind.sum.threads); number(kind.sum.serialized) > 0 && lanes > 0)
        facts += fmt::format("{}{} of the lanes wait for another lane with their address",
                             facts.empty() ? "" : ", ",
                             metrics::forPeople(number(kind.sum.serialized) / lanes, metrics::Unit::Ratio));
    return facts.empty() ? facts : plural(kind) + ": " + facts;
}

std::vector<Kind> kindsOf(std::span<const session::LineCounts* const> accesses) {
    std::vector<Kind> kinds;
    for (const session::LineCounts* counts : accesses) {
        std::string access = accessName(*counts), alike = alikeOf(*counts);
        const auto same = std::ranges::find_if(
            kinds, [&](const Kind& kind) { return kind.access == access && kind.alike == alike; });
        if (same == kinds.end()) {
            kinds.push_back({std::move(access), std::move(alike), *counts, 1});
            continue;
        }
        addCounts(same->sum, *counts);
        ++same->instructions;
    }
    return kinds;
}

} // namespace

std::string lineSummary(std::span<const session::LineCounts* const> accesses) {
    std::vector<Kind> kinds = kindsOf(accesses);
    std::ranges::stable_sort(kinds, std::greater{}, [](const Kind& kind) { return excessOf(kind.sum); });
    std::string text;
    std::size_t shown = 0;
    for (const Kind& kind : kinds) {
        const std::string phrase = kindText(kind);
        if (phrase.empty()) continue;
        if (shown == kMostKinds) return text + "; …";
        text += (text.empty() ? "" : "; ") + phrase;
        ++shown;
    }
    return text;
}

} // namespace dormer::lines
