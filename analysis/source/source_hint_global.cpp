// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/line_class.h"
#include "analysis/source/source_hint.h"
#include "analysis/source/source_steps.h"
#include "analysis/source/source_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::source {

namespace {

/// What the source says and what was counted may differ by this share: blocks at an edge do.
constexpr double kNear = 0.1;
/// What may stand for lengths that are not known: rows that begin anywhere in a sector, or all at its start.
constexpr std::int64_t kUnknownValues[] = {kUnknownValue, std::int64_t{1} << 20};
/// Longer steps than that between neighbours are rows, not the work of a thread.
constexpr std::int64_t kMostWorkPerThread = 64;

std::optional<double> sectorsOf(const SourceSite& site, const access::IndexExpression& index,
                                unsigned width) {
    return meanPerWarp(site, index, [&](const LaneElements& lanes) -> std::optional<double> {
        std::array<std::uint64_t, access::kWarpLanes> addresses{};
        for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
            const std::int64_t element = lanes.element[lane];
            if (element > kFarAway / 64 || element < -kFarAway / 64) return std::nullopt;
            addresses[lane] = static_cast<std::uint64_t>(kFarAway + element * width);
        }
        std::array<access::LineAccess, access::kMaxLines> touched{};
        return access::coalesce(addresses.data(), lanes.mask, width, touched.data()).sectors;
    });
}

/// The array is read or written beside another that runs along with the threads.
bool turnsAround(const SourceSite& site, const std::vector<Subscript>& subscripts, bool store) {
    for (const Subscript& other : subscripts) {
        if (other.line != site.scope.line || (store ? !other.read : !other.written)) continue;
        if (site.source->isArrayElsewhere(*site.function, other.name)) continue;
        const auto index = resolveIndex(site.scope, flatIndex(site, other));
        if (!index) continue;
        if (const auto steps = stepsOf(site, index->expression); steps && std::abs(steps->threadX) == 1)
            return true;
    }
    return false;
}

/// Another read of the array that runs beside this one: neighbour threads have the words, too.
const Subscript* neighbourOf(const SourceSite& site, const std::vector<Subscript>& subscripts,
                             const Subscript& subscript, const Steps& steps) {
    for (const Subscript& other : subscripts) {
        if (other.name != subscript.name || !other.read || other.text == subscript.text) continue;
        const IndexScope scope{site.scope.source, site.scope.function, other.line,
                               site.scope.templateArguments};
        const auto index = resolveIndex(scope, flatIndex(site, other));
        const auto beside = index ? stepsOf(site, index->expression) : std::nullopt;
        if (beside && beside->threadX == steps.threadX && beside->threadY == steps.threadY &&
            beside->blockX == steps.blockX && beside->blockY == steps.blockY &&
            beside->start != steps.start && std::abs(beside->start - steps.start) < access::kWarpLanes)
            return &other;
    }
    return nullptr;
}

std::string misalignedText(const SourceSite& site, const std::vector<Subscript>& subscripts,
                           const Subscript& subscript, const ResolvedIndex& index, const Steps& steps,
                           unsigned width) {
    const auto elements = static_cast<std::int64_t>(access::kSectorBytes / width);
    if (elements < 2 || std::abs(steps.threadX) != 1) return {};
    const auto unaligned = [&](std::int64_t step) { return step % elements != 0; };
    if (unaligned(steps.start)) {
        if (!index.unknown.empty())
            return fmt::format("`{}`{} starts at offset `{}`: make that a multiple of {} elements (32 bytes)",
                               subscript.text, site.away, *index.unknown.begin(), elements);
        const std::int64_t into = ((steps.start % elements) + elements) % elements * width;
        if (const Subscript* beside = neighbourOf(site, subscripts, subscript, steps))
            return fmt::format(
                "`{}`{} starts {} bytes into a 32-byte sector, and neighbouring threads load the "
                "same words as `{}`: take them from there, with a shuffle or from a tile in "
                "shared memory",
                subscript.text, site.away, into, beside->text);
        return fmt::format(
            "`{}`{} starts {} bytes into a 32-byte sector: shift the index or the data so that each warp "
            "starts at a multiple of {} elements",
            subscript.text, site.away, into, elements);
    }
    if (unaligned(steps.blockX) || unaligned(steps.blockY) || unaligned(steps.threadY))
        return fmt::format("rows of `{}`{} don't start at multiples of 32 bytes: allocate them with "
                           "cudaMallocPitch, or make the row length a multiple of {} elements",
                           subscript.name, site.away, elements);
    return {};
}

/// Lanes that are a row apart, each of which goes along its row.
std::string rowText(const SourceSite& site, const Subscript& subscript, const ResolvedIndex& index,
                    const Steps& steps, std::int64_t unknown) {
    const std::int64_t step = std::abs(steps.threadX);
    const auto along = loopStepOf(site, subscript, unknown);
    if (index.loops.size() != 1 || !along || std::abs(*along) != 1 || site.block.y * site.block.z != 1)
        return {};
    const std::string& loop = *index.loops.begin();
    const bool known = index.unknown.empty();
    if (known && step <= kMostWorkPerThread && !site.source->carriesValues(*site.function))
        return fmt::format(
            "`{0}`{1} gives each thread {2} consecutive elements: let thread t of a block take "
            "elements t + {3} * blockDim.x of the block's instead",
            subscript.text, site.away, step, loop);
    return fmt::format(
        "`{0}`{1} walks a row per thread{2}: give each row a warp, `{3}` from `threadIdx.x % 32` in "
        "steps of 32, combine what the lanes hold (sums, maxima) with `__shfl_xor_sync`, and launch "
        "32 times as many threads",
        subscript.text, site.away, known ? fmt::format(", {} elements from the next lane's", step) : "",
        loop);
}

std::string uncoalescedText(const SourceSite& site, const std::vector<Subscript>& subscripts, bool store,
                            const Subscript& subscript, const ResolvedIndex& index, const Steps& steps,
                            std::int64_t unknown) {
    if (std::abs(steps.threadX) <= 1) return {};
    const bool matrix = std::abs(steps.threadY) == 1 || std::abs(steps.blockY) == 1;
    if (matrix && turnsAround(site, subscripts, store))
        return fmt::format(
            "`{}`{} runs down columns, the other side of the assignment along rows: stage a tile in shared "
            "memory, read and write along rows, and transpose it there",
            subscript.text, site.away);
    for (const auto& [step, axis] : {std::pair{steps.blockX, 'x'}, std::pair{steps.blockY, 'y'}})
        if (std::abs(step) == 1)
            if (std::string text = swapBlockAndThread(site, index, axis); !text.empty()) return text;
    if (std::abs(steps.threadY) == 1 && site.block.y > 1)
        if (std::string text = swapThreadAxes(site); !text.empty()) return text;
    if (std::string text = rowText(site, subscript, index, steps, unknown); !text.empty()) return text;
    const std::int64_t step = std::abs(steps.threadX);
    const bool known = index.unknown.empty() && subscript.indices.size() == 1 && step <= kMostWorkPerThread;
    if (known && index.loops.empty())
        return fmt::format(
            "`{}`{} has a stride of {} elements between threads: lay out what they use together "
            "contiguously, so that the stride is 1",
            subscript.text, site.away, step);
    const auto rows = rowsOfWarp(site, index.expression, step);
    if (!rows || *rows < 2) return {};
    return fmt::format("`{}`{} puts {}: let consecutive threads take consecutive elements of a row, "
                       "stage it through shared memory, or store it transposed",
                       subscript.text, site.away,
                       *rows == access::kWarpLanes ? "each thread of a warp in a row of its own"
                                                   : fmt::format("the threads of a warp in {} rows", *rows));
}

/// Of an index that explains how many sectors were counted.
std::string plainText(const SourceSite& site, const std::vector<Subscript>& subscripts,
                      const Subscript& subscript, const session::LineCounts& access) {
    const unsigned width = *access.widthBytes;
    const double counted = static_cast<double>(*access.sectors) / static_cast<double>(*access.executions);
    for (const std::int64_t unknown : kUnknownValues) {
        const auto index = resolveIndex(site.scope, flatIndex(site, subscript, unknown), unknown);
        if (!index) return {};
        const auto steps = stepsOf(site, index->expression);
        const auto sectors = sectorsOf(site, index->expression, width);
        if (!steps || !sectors || std::abs(*sectors - counted) > kNear * counted) continue;
        std::string text =
            lines::classOf(access).access.shape == access::AccessShape::Misaligned
                ? misalignedText(site, subscripts, subscript, *index, *steps, width)
                : uncoalescedText(site, subscripts, access.op == session::MemoryOperation::Store, subscript,
                                  *index, *steps, unknown);
        if (!text.empty()) return text;
    }
    return {};
}

std::string atSite(const SourceSite& site, const session::LineCounts& access,
                   std::span<const session::LineCounts> lines) {
    const std::vector<Subscript> subscripts = site.source->subscriptsIn(*site.function);
    std::vector<Subscript> candidates;
    for (const Subscript& each : subscripts)
        if (each.line == site.scope.line &&
            (access.op == session::MemoryOperation::Store ? each.written : each.read) &&
            !site.source->isArrayElsewhere(*site.function, each.name))
            candidates.push_back(each);
    for (const Subscript& each : candidates)
        if (std::string text = each.member.empty() ? plainText(site, subscripts, each, access) : "";
            !text.empty())
            return text;
    if (lines::classOf(access).access.shape == access::AccessShape::Misaligned) return {};
    for (const Subscript& each : candidates)
        // Several on a line: which of them it is can't be told.
        if (std::string text =
                each.member.empty() && candidates.size() > 1 ? "" : structureText(site, each, access, lines);
            !text.empty())
            return text;
    return {};
}

} // namespace

std::string globalAccessChange(const session::Session& session, session::LaunchIndex launch,
                               const session::LineCounts& access,
                               std::span<const session::LineCounts> lines) {
    constexpr std::uint32_t kWidest = 32;
    const std::uint32_t width = access.widthBytes.value_or(0);
    if (!access.executions || *access.executions == 0 || !access.sectors || width == 0 || width > kWidest)
        return {};
    std::string change = firstAnswer(session, launch, access,
                                     [&](const SourceSite& site) { return atSite(site, access, lines); });
    if (!change.empty()) return change;
    const session::LaneSample& sample = access.lanes;
    if (!sample.seen() || lines::classOf(access).access.shape != access::AccessShape::Misaligned) return {};
    std::int64_t begin = std::int64_t{1} << 62;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        if (sample.active(lane)) begin = std::min(begin, sample.address[lane]);
    // Other warps may be the misaligned ones.
    if (begin % access::kSectorBytes == 0) return {};
    return fmt::format(
        "it starts {} bytes into a 32-byte sector: shift the index or the data so that each warp "
        "starts at a multiple of {} elements",
        begin % access::kSectorBytes, access::kSectorBytes / width);
}

} // namespace dormer::source
