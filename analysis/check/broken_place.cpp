// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/broken_place.h"

#include <algorithm>
#include <map>

namespace dormer::check {

namespace {

using session::LineCounts;
using session::MemoryOperation;
using session::MemorySpace;

double excess(const std::optional<std::uint64_t>& actual, const std::optional<std::uint64_t>& ideal) {
    return actual && ideal ? static_cast<double>(*actual) - static_cast<double>(*ideal) : 0;
}

/// What a line weighs: excess first, traffic where there is none.
struct Weight {
    double excess = 0, traffic = 0;
    auto operator<=>(const Weight&) const = default;
};

bool isAbout(std::string_view name, std::string_view what) {
    return name.find(what) != std::string_view::npos;
}

std::optional<Weight> weightOf(const LineCounts& line, std::string_view name) {
    const bool loads = !isAbout(name, "store") && !isAbout(name, "_op_st");
    const bool stores = !isAbout(name, "load") && !isAbout(name, "_op_ld");
    if ((line.op == MemoryOperation::Load && !loads) || (line.op == MemoryOperation::Store && !stores))
        return std::nullopt;
    if (isAbout(name, "shared") && line.space == MemorySpace::Shared)
        return Weight{excess(line.wavefronts, line.wavefrontsIdeal),
                      static_cast<double>(line.wavefronts.value_or(0))};
    if (isAbout(name, "local") && line.space == MemorySpace::Local)
        return Weight{0, static_cast<double>(line.sectors.value_or(0))};
    if (isAbout(name, "global") && line.space == MemorySpace::Global)
        return Weight{excess(line.sectors, line.sectorsIdeal), static_cast<double>(line.sectors.value_or(0))};
    if ((isAbout(name, "threads_per_warp") || isAbout(name, "divergen")) &&
        line.op == MemoryOperation::Branch)
        return Weight{static_cast<double>(line.divergent.value_or(0)), 0};
    return std::nullopt;
}

} // namespace

session::SourceFrame brokenPlace(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch,
                                 const std::vector<std::string>& names) {
    std::map<std::pair<std::string, std::uint32_t>, Weight> weights;
    for (const LineCounts& line : diagnosis.lines(launch)) {
        for (const std::string& name : names) {
            const auto weight = weightOf(line, name);
            if (!weight) continue;
            const session::SourceFrame frame = session::userFrame(line);
            Weight& sum = weights[{frame.file, frame.line}];
            sum.excess += weight->excess;
            sum.traffic += weight->traffic;
            break;
        }
    }
    const auto worst = std::ranges::max_element(weights, {}, [](const auto& each) { return each.second; });
    if (worst == weights.end()) return {};
    return {worst->first.first, worst->first.second};
}

} // namespace dormer::check
