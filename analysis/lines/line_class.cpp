// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/line_class.h"

#include "analysis/access/access_pattern.h"
#include "analysis/lines/lane_picture.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace dormer::lines {

namespace {

/// The sampled warp stands for all where the average request takes as many sectors, up to this share.
constexpr double kNearSample = 0.1;
/// Ratios this near to a whole number are taken for it.
constexpr double kWhole = 0.01;

double number(const std::optional<std::uint64_t>& value) {
    return static_cast<double>(value.value_or(0));
}

/// Class of the lanes that were seen, where the average request takes as many sectors as they do.
access::AccessClass sampledClass(const session::LineCounts& counts, double perRequest, unsigned width) {
    constexpr unsigned kWidest = 32;
    if (width == 0 || width > kWidest) return {};
    const session::LaneSample& sample = counts.lanes;
    if (!sample.seen()) return {};
    std::array<std::uint64_t, access::kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        addresses[lane] = static_cast<std::uint64_t>(sample.address[lane]);
    std::array<access::LineAccess, access::kMaxLines> lines{};
    const double sectors = access::coalesce(addresses.data(), sample.mask, width, lines.data()).sectors;
    if (std::abs(sectors - perRequest) > kNearSample * perRequest) return {};
    return access::classifyAccess(sample.address.data(), sample.mask, width);
}

/// A stride that takes as many sectors and, where they were counted, as many 128-byte lines; 0 when none
/// does. Lanes further apart than a sector take one each: how far apart, lines tell up to 128 bytes.
std::int64_t strideOf(const session::LineCounts& counts, double perRequest, double ideal, double lanes,
                      double width) {
    const bool sectorEach = perRequest >= lanes * (1 - kWhole);
    if (sectorEach && (!counts.tags || lanes < access::kWarpLanes)) return 0;
    const double lines = number(counts.tags) / number(counts.executions);
    if (sectorEach && lines >= lanes * (1 - kWhole)) return 0;
    const double factor = sectorEach ? lines * access::kLineBytes / (lanes * width) : perRequest / ideal;
    const double stride = std::round(factor);
    // Lanes that are a line apart or more take a sector and a line each: no counts tell a longer stride.
    if (!(stride >= 2 && stride <= access::kLineBytes) || std::abs(factor - stride) > kWhole * factor)
        return 0;
    const double linesOfStride = std::ceil(lanes * stride * width / access::kLineBytes);
    if (counts.tags && (lines < linesOfStride * (1 - kWhole) || lines > linesOfStride + 1)) return 0;
    return static_cast<std::int64_t>(stride);
}

/// Lanes side by side whose bytes would fit in one sector, and straddle two where they begin within one:
/// bytes, which have no second ideal sector to tell that by.
bool straddles(const session::LineCounts& counts, double perRequest, double ideal, double lanes,
               double width) {
    if (ideal > 1 + kWhole || lanes * width > access::kSectorBytes * (1 + kWhole) || perRequest > 2 + kWhole)
        return false;
    if (counts.lanes.seen())
        return access::classifyAccess(counts.lanes.address.data(), counts.lanes.mask,
                                      counts.widthBytes.value_or(4))
                   .shape == access::AccessShape::Misaligned;
    // A stride of two takes two sectors each time.
    return lanes * width > access::kSectorBytes / 2.0 && perRequest < 2 * (1 - kWhole);
}

access::AccessClass globalClass(const session::LineCounts& counts) {
    const double executions = number(counts.executions);
    if (!(executions > 0) || !counts.sectors || !counts.sectorsIdeal || *counts.sectors == 0) return {};
    const double perRequest = number(counts.sectors) / executions;
    const double ideal = number(counts.sectorsIdeal) / executions;
    const double lanes = counts.threads ? number(counts.threads) / executions : access::kWarpLanes;
    const double width = counts.widthBytes.value_or(4);
    if (!access::isExcess(perRequest, ideal)) {
        const bool shared = lanes * width > access::kSectorBytes && perRequest <= 1 + kWhole;
        return {shared ? access::AccessShape::Broadcast : access::AccessShape::Coalesced, shared ? 0 : 1};
    }
    if (perRequest - ideal <= kMisalignedSectors && ideal >= 2) return {access::AccessShape::Misaligned, 1};
    if (straddles(counts, perRequest, ideal, lanes, width)) return {access::AccessShape::Misaligned, 1};
    if (const access::AccessClass seen = sampledClass(counts, perRequest, counts.widthBytes.value_or(4));
        seen.shape != access::AccessShape::None)
        return seen;
    if (const std::int64_t stride = strideOf(counts, perRequest, ideal, lanes, width); stride != 0)
        return {access::AccessShape::Strided, stride};
    return {access::AccessShape::Scattered, 0};
}

} // namespace

bool isMatrixFragment(const session::LineCounts& counts) {
    return counts.instruction.starts_with("wmma.") ||
           counts.function.find("load_matrix_sync") != std::string::npos ||
           counts.function.find("store_matrix_sync") != std::string::npos;
}

LineClass classOf(const session::LineCounts& counts) {
    LineClass result;
    if (counts.space == session::MemorySpace::Shared) {
        if (counts.wavefronts && counts.wavefrontsIdeal && *counts.wavefrontsIdeal > 0)
            result.ways = number(counts.wavefronts) / number(counts.wavefrontsIdeal);
        return result;
    }
    if (counts.space == session::MemorySpace::Global || counts.space == session::MemorySpace::Local ||
        counts.space == session::MemorySpace::Generic)
        result.access = globalClass(counts);
    return result;
}

std::string classText(const session::LineCounts& counts) {
    const LineClass found = classOf(counts);
    if (found.ways > 0)
        return found.conflictFree() ? "conflict-free" : fmt::format("{:.3g}-way bank conflict", found.ways);
    if (found.access.shape == access::AccessShape::None) return {};
    if (found.access.shape == access::AccessShape::Scattered) {
        const double lanes =
            counts.threads ? number(counts.threads) : access::kWarpLanes * number(counts.executions);
        if (number(counts.sectors) >= lanes * (1 - kWhole)) return "fully scattered (1 sector per lane)";
    }
    return access::toString(found.access);
}

} // namespace dormer::lines
