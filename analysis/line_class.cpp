// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/line_class.h"

#include "analysis/access_pattern.h"

#include <fmt/format.h>

#include <cmath>

namespace dormer::analysis {

namespace {

/// A shifted start costs one sector a request, seldom a little more where warps straddle rows.
constexpr double kOneSector = 1.05;
/// Ratios this near to a whole number are taken for it.
constexpr double kWhole = 0.01;

double number(const std::optional<std::uint64_t>& value) {
    return static_cast<double>(value.value_or(0));
}

AccessClass globalClass(const LineCounts& counts) {
    const double executions = number(counts.executions);
    if (!(executions > 0) || !counts.sectors || !counts.sectorsIdeal || *counts.sectors == 0) return {};
    const double perRequest = number(counts.sectors) / executions;
    const double ideal = number(counts.sectorsIdeal) / executions;
    const double lanes = counts.threads ? number(counts.threads) / executions : kWarpLanes;
    const double width = counts.widthBytes.value_or(4);
    if (perRequest - ideal <= LineClass::kTolerance * perRequest) {
        const bool shared = lanes * width > kSectorBytes && perRequest <= 1 + kWhole;
        return {shared ? AccessShape::Broadcast : AccessShape::Coalesced, shared ? 0 : 1};
    }
    if (perRequest - ideal <= kOneSector && ideal >= 2) return {AccessShape::Misaligned, 1};
    if (perRequest >= lanes * (1 - kWhole)) return {AccessShape::Scattered, 0};
    const double factor = perRequest / ideal;
    if (std::abs(factor - std::round(factor)) <= kWhole * factor)
        return {AccessShape::Strided, std::lround(factor)};
    return {AccessShape::Scattered, 0};
}

} // namespace

LineClass classOf(const LineCounts& counts) {
    LineClass result;
    if (counts.space == "shared") {
        if (counts.wavefronts && counts.wavefrontsIdeal && *counts.wavefrontsIdeal > 0)
            result.ways = number(counts.wavefronts) / number(counts.wavefrontsIdeal);
        return result;
    }
    if (counts.space == "global" || counts.space == "local" || counts.space == "generic")
        result.access = globalClass(counts);
    return result;
}

std::string classText(const LineCounts& counts) {
    const LineClass found = classOf(counts);
    if (found.ways > 0)
        return found.conflictFree() ? "conflict-free" : fmt::format("{:.3g}-way bank conflict", found.ways);
    if (found.access.shape == AccessShape::None) return {};
    if (found.access.shape == AccessShape::Scattered) {
        const double lanes = counts.threads ? number(counts.threads) : kWarpLanes * number(counts.executions);
        if (number(counts.sectors) >= lanes * (1 - kWhole)) return "each lane in a sector of its own";
    }
    return toString(found.access);
}

} // namespace dormer::analysis
