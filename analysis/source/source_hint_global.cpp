// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/lane_sample.h"
#include "analysis/lines/line_class.h"
#include "analysis/source/source_hint.h"
#include "analysis/source/source_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::source {

namespace {

/// What the source says and what was counted may differ by this share: blocks at an edge do.
constexpr double kNear = 0.1;
/// A multiple of every size of a line, above which no index of a warp gets negative.
constexpr std::int64_t kFarAway = std::int64_t{1} << 50;
/// What may stand for lengths that are not known: rows that begin anywhere in a sector, or all at its start.
constexpr std::int64_t kUnknownValues[] = {kUnknownValue, std::int64_t{1} << 20};
/// Longer steps than that between neighbours are rows, not the work of a thread.
constexpr std::int64_t kMostWorkPerThread = 64;

/// Text of the one-dimensional index of a subscript; `rowElements` of a view whose rows have an unknown
/// length.
std::string flatIndex(const Subscript& subscript, std::int64_t rowElements = kUnknownValue) {
    if (subscript.indices.size() == 1) return subscript.indices.front();
    return fmt::format("({}) * {} + ({})", subscript.indices[0], rowElements, subscript.indices[1]);
}

/// How an index moves with what it depends on.
struct Steps {
    std::int64_t threadX = 0, threadY = 0, blockX = 0, blockY = 0;
    std::int64_t start = 0; ///< of the first thread of the first block
};

std::optional<Steps> stepsOf(const SourceSite& site, const access::IndexExpression& index) {
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
    const auto tooFar = [](std::int64_t value) { return value > kFarAway || value < -kFarAway; };
    const auto start = index.evaluate(values);
    if (!start || tooFar(*start)) return std::nullopt;
    Steps steps{.start = *start};
    for (const auto& [name, step] : {std::pair{access::IndexName::TidX, &Steps::threadX},
                                     std::pair{access::IndexName::TidY, &Steps::threadY},
                                     std::pair{access::IndexName::BidX, &Steps::blockX},
                                     std::pair{access::IndexName::BidY, &Steps::blockY}}) {
        set(name, 1);
        const auto next = index.evaluate(values);
        set(name, 0);
        if (!next || tooFar(*next)) return std::nullopt;
        steps.*step = *next - *start;
    }
    return steps;
}

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
        if (site.source->sharedArray(*site.function, other.name)) continue;
        const auto index = resolveIndex(site.scope, flatIndex(other));
        if (!index) continue;
        if (const auto steps = stepsOf(site, index->expression); steps && std::abs(steps->threadX) == 1)
            return true;
    }
    return false;
}

std::string whereText(const SourceSite& site, const ResolvedIndex& index) {
    const std::uint32_t line = index.threadLine != 0 ? index.threadLine : site.scope.line;
    const std::string file = site.away.empty() ? "line " : site.away.substr(4, site.away.rfind(':') - 3);
    constexpr std::size_t kLongestLine = 100;
    std::string text = site.source->lineText(line);
    if (text.size() > kLongestLine) text.clear();
    return fmt::format("at {}{}{}", file, line, text.empty() ? "" : fmt::format(": `{}`", text));
}

/// Another read of the array that runs beside this one: neighbour threads have the words, too.
const Subscript* neighbourOf(const SourceSite& site, const std::vector<Subscript>& subscripts,
                             const Subscript& subscript, const Steps& steps) {
    for (const Subscript& other : subscripts) {
        if (other.name != subscript.name || !other.read || other.text == subscript.text) continue;
        const IndexScope scope{site.scope.source, site.scope.function, other.line,
                               site.scope.templateArguments};
        const auto index = resolveIndex(scope, flatIndex(other));
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

std::string uncoalescedText(const SourceSite& site, const std::vector<Subscript>& subscripts, bool store,
                            const Subscript& subscript, const ResolvedIndex& index, const Steps& steps) {
    if (std::abs(steps.threadX) <= 1) return {};
    const bool matrix = std::abs(steps.threadY) == 1 || std::abs(steps.blockY) == 1;
    if (matrix && turnsAround(site, subscripts, store))
        return fmt::format(
            "`{}`{} runs down columns, the other side of the assignment along rows: stage a tile in shared "
            "memory, read and write along rows, and transpose it there",
            subscript.text, site.away);
    for (const auto& [step, name] :
         {std::pair{steps.blockX, "blockIdx.x"}, std::pair{steps.blockY, "blockIdx.y"}})
        if (std::abs(step) == 1)
            return fmt::format("swap the roles of `{}` and `threadIdx.x` {}", name, whereText(site, index));
    if (std::abs(steps.threadY) == 1 && site.block.y > 1)
        return fmt::format("swap the roles of `threadIdx.x` and `threadIdx.y` {}", whereText(site, index));
    const std::int64_t step = std::abs(steps.threadX);
    const bool known = index.unknown.empty() && subscript.indices.size() == 1 && step <= kMostWorkPerThread;
    if (known && !index.loops.empty())
        return fmt::format(
            "`{0}`{1} gives each thread {2} consecutive elements: let thread t take element t + {3} * "
            "blockDim.x instead",
            subscript.text, site.away, step, *index.loops.begin());
    if (known)
        return fmt::format(
            "`{}`{} has a stride of {} elements between threads: lay out what they use together "
            "contiguously, so that the stride is 1",
            subscript.text, site.away, step);
    return fmt::format(
        "`{}`{} gives each thread its own row: let consecutive threads take consecutive elements of a row, "
        "stage it through shared memory, or store it transposed",
        subscript.text, site.away);
}

/// Neighbouring threads take neighbouring elements, and still are further apart than what each takes: the
/// elements are structures.
std::string structureText(const SourceSite& site, const Subscript& subscript,
                          const session::LineCounts& access, bool onlyOne) {
    const auto index = resolveIndex(site.scope, flatIndex(subscript));
    const auto steps = index ? stepsOf(site, index->expression) : std::nullopt;
    if (!steps || std::abs(steps->threadX) != 1) return {};
    const access::AccessClass seen = lines::classOf(access).access;
    const bool sizeKnown = seen.shape == access::AccessShape::Strided && seen.stride > 1;
    std::string what;
    if (!subscript.member.empty())
        what = fmt::format("`{}`{} uses one member of each structure", subscript.text, site.away);
    else if (onlyOne && sizeKnown)
        what = fmt::format("`{}`{} uses {} of the {} bytes of each structure", subscript.text, site.away,
                           *access.widthBytes, seen.stride * *access.widthBytes);
    if (what.empty()) return {};
    return fmt::format("{}: split the array of structures `{}` into one array per member (SoA), so that "
                       "consecutive threads access consecutive words",
                       what, subscript.name);
}

/// Of an index that explains how many sectors were counted.
std::string plainText(const SourceSite& site, const std::vector<Subscript>& subscripts,
                      const Subscript& subscript, const session::LineCounts& access) {
    const unsigned width = *access.widthBytes;
    const double counted = static_cast<double>(*access.sectors) / static_cast<double>(*access.executions);
    for (const std::int64_t unknown : kUnknownValues) {
        const auto index = resolveIndex(site.scope, flatIndex(subscript, unknown), unknown);
        if (!index) return {};
        const auto steps = stepsOf(site, index->expression);
        const auto sectors = sectorsOf(site, index->expression, width);
        if (!steps || !sectors || std::abs(*sectors - counted) > kNear * counted) continue;
        std::string text =
            lines::classOf(access).access.shape == access::AccessShape::Misaligned
                ? misalignedText(site, subscripts, subscript, *index, *steps, width)
                : uncoalescedText(site, subscripts, access.op == session::MemoryOperation::Store, subscript,
                                  *index, *steps);
        if (!text.empty()) return text;
    }
    return {};
}

std::string atSite(const SourceSite& site, const session::LineCounts& access) {
    const std::vector<Subscript> subscripts = site.source->subscriptsIn(*site.function);
    std::vector<Subscript> candidates;
    for (const Subscript& each : subscripts)
        if (each.line == site.scope.line &&
            (access.op == session::MemoryOperation::Store ? each.written : each.read) &&
            !site.source->sharedArray(*site.function, each.name))
            candidates.push_back(each);
    for (const Subscript& each : candidates)
        if (std::string text = each.member.empty() ? plainText(site, subscripts, each, access) : "";
            !text.empty())
            return text;
    if (lines::classOf(access).access.shape == access::AccessShape::Misaligned) return {};
    for (const Subscript& each : candidates)
        if (std::string text = structureText(site, each, access, candidates.size() == 1); !text.empty())
            return text;
    return {};
}

} // namespace

std::string globalAccessChange(const session::Session& session, session::LaunchIndex launch,
                               const session::LineCounts& access) {
    constexpr std::uint32_t kWidest = 32;
    const std::uint32_t width = access.widthBytes.value_or(0);
    if (!access.executions || *access.executions == 0 || !access.sectors || width == 0 || width > kWidest)
        return {};
    std::string change =
        firstAnswer(session, launch, access, [&](const SourceSite& site) { return atSite(site, access); });
    if (!change.empty()) return change;
    const auto sample = lines::parseLanes(access.lanes);
    if (!sample || lines::classOf(access).access.shape != access::AccessShape::Misaligned) return {};
    std::int64_t begin = std::int64_t{1} << 62;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        if ((sample->mask >> lane & 1U) != 0) begin = std::min(begin, sample->address[lane]);
    // Other warps may be the misaligned ones.
    if (begin % access::kSectorBytes == 0) return {};
    return fmt::format(
        "it starts {} bytes into a 32-byte sector: shift the index or the data so that each warp "
        "starts at a multiple of {} elements",
        begin % access::kSectorBytes, access::kSectorBytes / width);
}

} // namespace dormer::source
