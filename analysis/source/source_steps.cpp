// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace dormer::source {

namespace {

/// What works on the warp as it is, so that other threads in it compute something else.
constexpr std::string_view kWarpWords[] = {"__shfl_sync",
                                           "__shfl_up_sync",
                                           "__shfl_down_sync",
                                           "__shfl_xor_sync",
                                           "__ballot_sync",
                                           "__any_sync",
                                           "__all_sync",
                                           "__match_any_sync",
                                           "__match_all_sync",
                                           "__activemask",
                                           "__reduce_add_sync",
                                           "__reduce_max_sync",
                                           "__reduce_min_sync",
                                           "__syncwarp",
                                           "warpSize",
                                           "tiled_partition",
                                           "coalesced_threads",
                                           "wmma",
                                           "asm"};
/// What works on the block as it is.
constexpr std::string_view kBlockWords[] = {"__shared__", "__syncthreads", "this_thread_block", "cub"};
constexpr std::string_view kThreadWords[] = {"threadIdx", "blockIdx"};
/// Threads that are gone through one by one at most.
constexpr std::uint64_t kMostThreads = 1 << 18;
constexpr std::uint32_t kMostBlockThreads = 1024;

bool usesWarps(const SourceSite& site) {
    return !site.source->linesWith(*site.function, kWarpWords).empty();
}

access::IndexValues sizesOf(const SourceSite& site) {
    access::IndexValues values{};
    const auto set = [&](access::IndexName name, std::int64_t value) {
        values[static_cast<std::size_t>(name)] = value;
    };
    set(access::IndexName::BdimX, site.block.x);
    set(access::IndexName::BdimY, site.block.y);
    set(access::IndexName::BdimZ, site.block.z);
    set(access::IndexName::GdimX, site.grid.x);
    set(access::IndexName::GdimY, site.grid.y);
    set(access::IndexName::GdimZ, site.grid.z);
    return values;
}

/// Elements of all threads, with block and thread as they are or the other way round.
std::optional<std::set<std::int64_t>> elementsOfAll(const SourceSite& site,
                                                    const access::IndexExpression& index, bool swapped) {
    access::IndexValues values = sizesOf(site);
    const auto at = [&](access::IndexName name) -> std::int64_t& {
        return values[static_cast<std::size_t>(name)];
    };
    if (swapped) std::swap(at(access::IndexName::BdimX), at(access::IndexName::GdimX));
    std::set<std::int64_t> elements;
    for (std::uint32_t block = 0; block < site.grid.x; ++block)
        for (std::uint32_t thread = 0; thread < site.block.x; ++thread) {
            at(access::IndexName::TidX) = swapped ? block : thread;
            at(access::IndexName::BidX) = swapped ? thread : block;
            const auto element = index.evaluate(values);
            if (!element) return std::nullopt;
            elements.insert(*element);
        }
    return elements;
}

/// The threads' elements are all from `start` on, each once: consecutive ones across blocks, or across
/// threads.
bool coversRange(const SourceSite& site, const access::IndexExpression& index, bool swapped) {
    access::IndexValues values = sizesOf(site);
    const auto at = [&](access::IndexName name) -> std::int64_t& {
        return values[static_cast<std::size_t>(name)];
    };
    if (swapped) std::swap(at(access::IndexName::BdimX), at(access::IndexName::GdimX));
    const std::int64_t threads = at(access::IndexName::BdimX), blocks = at(access::IndexName::GdimX);
    const auto element = [&](std::int64_t thread, std::int64_t block) {
        at(access::IndexName::TidX) = thread;
        at(access::IndexName::BidX) = block;
        return index.evaluate(values);
    };
    const auto first = element(0, 0), last = element(threads - 1, blocks - 1);
    const auto thread = element(1, 0), block = element(0, 1);
    if (!first || !last || !thread || !block || *last - *first != threads * blocks - 1) return false;
    return (*thread - *first == 1 && *block - *first == threads) ||
           (*block - *first == 1 && *thread - *first == blocks);
}

/// Everything that the kernel does hangs on this one index, which takes the same values either way.
bool sameElements(const SourceSite& site, const ResolvedIndex& index) {
    const std::uint64_t threads = std::uint64_t{site.grid.x} * site.block.x;
    if (site.source->linesWith(*site.function, kThreadWords).size() != 1 ||
        site.grid.y * site.grid.z * site.block.y * site.block.z != 1)
        return false;
    if (threads > kMostThreads)
        return coversRange(site, index.expression, false) && coversRange(site, index.expression, true);
    const auto now = elementsOfAll(site, index.expression, false);
    const auto then = elementsOfAll(site, index.expression, true);
    return now && then && now->size() == threads && *now == *then;
}

} // namespace

std::string flatIndex(const SourceSite& site, const Subscript& subscript, std::int64_t rowElements) {
    std::string index = subscript.indices.size() == 1 ? subscript.indices.front()
                                                      : fmt::format("({}) * {} + ({})", subscript.indices[0],
                                                                    rowElements, subscript.indices[1]);
    if (const auto into = site.source->pointerInto(*site.function, subscript.name, subscript.line))
        return fmt::format("({}) + ({})", into->offset, index);
    return index;
}

std::optional<Steps> stepsOf(const SourceSite& site, const access::IndexExpression& index) {
    access::IndexValues values = sizesOf(site);
    const auto tooFar = [](std::int64_t value) { return value > kFarAway || value < -kFarAway; };
    const auto start = index.evaluate(values);
    if (!start || tooFar(*start)) return std::nullopt;
    Steps steps{.start = *start};
    for (const auto& [name, step] : {std::pair{access::IndexName::TidX, &Steps::threadX},
                                     std::pair{access::IndexName::TidY, &Steps::threadY},
                                     std::pair{access::IndexName::BidX, &Steps::blockX},
                                     std::pair{access::IndexName::BidY, &Steps::blockY}}) {
        values[static_cast<std::size_t>(name)] = 1;
        const auto next = index.evaluate(values);
        values[static_cast<std::size_t>(name)] = 0;
        if (!next || tooFar(*next)) return std::nullopt;
        steps.*step = *next - *start;
    }
    return steps;
}

std::optional<unsigned> rowsOfWarp(const SourceSite& site, const access::IndexExpression& index,
                                   std::int64_t rowElements) {
    const auto lanes = elementsOf(index, site.block, site.grid, 0);
    if (!lanes || rowElements <= 0) return std::nullopt;
    std::set<std::int64_t> rows;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        if ((lanes->mask >> lane & 1U) != 0) rows.insert(lanes->element[lane] / rowElements);
    return static_cast<unsigned>(rows.size());
}

std::optional<std::int64_t> loopStepOf(const SourceSite& site, const Subscript& subscript,
                                       std::int64_t unknownValue) {
    const std::string text = flatIndex(site, subscript, unknownValue);
    const auto first = resolveIndex(site.scope, text, unknownValue, 0);
    const auto second = resolveIndex(site.scope, text, unknownValue, 1);
    if (!first || !second || first->loops.empty()) return std::nullopt;
    const access::IndexValues values = sizesOf(site);
    const auto from = first->expression.evaluate(values), to = second->expression.evaluate(values);
    if (!from || !to) return std::nullopt;
    return *to - *from;
}

std::string swapBlockAndThread(const SourceSite& site, const ResolvedIndex& index, char axis) {
    if (!site.function->kernel || usesWarps(site) ||
        !site.source->linesWith(*site.function, kBlockWords).empty())
        return {};
    const std::uint32_t blocks = axis == 'x' ? site.grid.x : site.grid.y;
    std::string launch;
    if (blocks != site.block.x && (axis != 'x' || !sameElements(site, index))) {
        if (axis != 'x' || blocks > kMostBlockThreads || site.grid.y * site.grid.z != 1 ||
            site.block.y * site.block.z != 1)
            return {};
        launch = fmt::format(", and launch it as `<<<{}, {}>>>`", site.block.x, blocks);
    }
    return fmt::format("swap `blockIdx.{0}` and `threadIdx.x`, `gridDim.{0}` and `blockDim.x` throughout "
                       "`{1}`{2}",
                       axis, site.function->name, launch);
}

std::string swapThreadAxes(const SourceSite& site) {
    if (!site.function->kernel || usesWarps(site)) return {};
    const std::string launch = site.block.x == site.block.y
                                   ? ""
                                   : fmt::format(", and launch it with blocks of `dim3({}, {}, {})`",
                                                 site.block.y, site.block.x, site.block.z);
    return fmt::format("swap `threadIdx.x` and `threadIdx.y`, `blockDim.x` and `blockDim.y` throughout "
                       "`{}`{}",
                       site.function->name, launch);
}

} // namespace dormer::source
