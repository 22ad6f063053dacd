// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/lane_pattern.h"

#include "analysis/access/index_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace dormer::access {

namespace {

/// Compute capability from which loads are cached by sectors, not by whole lines.
constexpr int kSectorCachesMajor = 6;

IndexValues valuesOf(const PatternQuestion& q, std::uint32_t lane) {
    const std::uint64_t thread = std::uint64_t{q.warp} * kWarpLanes + lane;
    IndexValues values{};
    const auto set = [&](IndexName name, std::uint64_t value) {
        values[static_cast<std::size_t>(name)] = static_cast<std::int64_t>(value);
    };
    set(IndexName::TidX, thread % q.block.x);
    set(IndexName::TidY, thread / q.block.x % q.block.y);
    set(IndexName::TidZ, thread / q.block.x / q.block.y);
    set(IndexName::BidX, q.blockIndex.x);
    set(IndexName::BidY, q.blockIndex.y);
    set(IndexName::BidZ, q.blockIndex.z);
    set(IndexName::BdimX, q.block.x);
    set(IndexName::BdimY, q.block.y);
    set(IndexName::BdimZ, q.block.z);
    set(IndexName::GdimX, q.grid.x);
    set(IndexName::GdimY, q.grid.y);
    set(IndexName::GdimZ, q.grid.z);
    set(IndexName::Lane, lane);
    set(IndexName::Warp, q.warp);
    return values;
}

Result<void> checkWidth(unsigned width) {
    if (width == 0 || width > 32 || (width & (width - 1)) != 0)
        return failure(ErrorKind::Usage,
                       fmt::format("an access is 1, 2, 4, 8, 16 or 32 bytes wide, not {}", width));
    return {};
}

Result<void> checkQuestion(const PatternQuestion& q) {
    const unsigned width = q.widthBytes;
    if (const auto valid = checkWidth(width); !valid) return valid;
    if (q.baseBytes % static_cast<std::int64_t>(width) != 0)
        return failure(ErrorKind::Usage,
                       fmt::format("the base {} is no multiple of the width, {}: such accesses fault",
                                   q.baseBytes, width));
    if (q.block.count() == 0 || q.block.count() > 1024)
        return failure(ErrorKind::Usage,
                       fmt::format("a block has 1 to 1024 threads, not {}", q.block.count()));
    if (std::uint64_t{q.warp} * kWarpLanes >= q.block.count())
        return failure(ErrorKind::Usage,
                       fmt::format("there is no warp {} in a block of {} threads", q.warp, q.block.count()));
    return {};
}

/// Addresses and mask of the lanes.
Result<void> fillLanes(LanePattern& pattern) {
    const PatternQuestion& q = pattern.question;
    const auto index = IndexExpression::parse(q.expression, q.rowElements);
    if (!index) return std::unexpected(index.error());
    std::optional<IndexExpression> active;
    if (!q.active.empty()) {
        auto parsed = IndexExpression::parse(q.active, q.rowElements);
        if (!parsed) return std::unexpected(parsed.error());
        active = std::move(*parsed);
    }
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        if (std::uint64_t{q.warp} * kWarpLanes + lane >= q.block.count()) break; // a warp that isn't full
        const IndexValues values = valuesOf(q, lane);
        if (active) {
            const auto on = active->evaluate(values);
            if (!on) return std::unexpected(on.error());
            if (*on == 0) continue;
        }
        const auto element = index->evaluate(values);
        if (!element) return std::unexpected(element.error());
        std::int64_t address = 0;
        if (__builtin_mul_overflow(*element, static_cast<std::int64_t>(q.widthBytes), &address) ||
            __builtin_add_overflow(address, q.baseBytes, &address))
            return failure(ErrorKind::Usage, "the address overflows 64 bits");
        pattern.address[lane] = address;
        pattern.mask |= 1U << lane;
    }
    return {};
}

void countGlobal(LanePattern& pattern, unsigned lanes) {
    const PatternQuestion& q = pattern.question;
    // Element 0 lies at an address that is a multiple of every size involved, so its place does not matter.
    constexpr std::int64_t kFarAway = std::int64_t{1} << 62;
    std::array<std::uint64_t, kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        addresses[lane] =
            static_cast<std::uint64_t>(kFarAway) + static_cast<std::uint64_t>(pattern.address[lane]);
    std::array<LineAccess, kMaxLines> touched{};
    const Coalesced counts = coalesce(addresses.data(), pattern.mask, q.widthBytes, touched.data());
    pattern.sectors = counts.sectors;
    pattern.lines = counts.lines;
    pattern.sectorsIdeal = idealSectors(lanes, q.widthBytes, counts.sectors);
    const bool byLines = q.ccMajor < kSectorCachesMajor && q.op == AccessOp::Load && !q.bypassL1;
    pattern.transactions = byLines ? counts.lines : counts.sectors;
    pattern.transactionBytes = byLines ? kLineBytes : kSectorBytes;
    pattern.bytesMoved = pattern.transactions * pattern.transactionBytes;
    if (pattern.bytesMoved > 0)
        pattern.utilization = static_cast<double>(pattern.bytesRequested) / pattern.bytesMoved;
}

void countShared(LanePattern& pattern, unsigned lanes) {
    const PatternQuestion& q = pattern.question;
    std::array<std::uint32_t, kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        addresses[lane] = static_cast<std::uint32_t>(pattern.address[lane]);
    const auto count = q.op == AccessOp::Load    ? sharedLoadWavefronts
                       : q.op == AccessOp::Store ? sharedStoreWavefronts
                                                 : sharedAtomicWavefronts;
    pattern.wavefronts = count(addresses.data(), pattern.mask, q.widthBytes);
    pattern.wavefrontsIdeal = idealWavefronts(lanes, q.widthBytes, pattern.wavefronts);
    pattern.bytesMoved = pattern.wavefronts * kLineBytes;
    if (pattern.wavefrontsIdeal > 0)
        pattern.ways = static_cast<double>(pattern.wavefronts) / pattern.wavefrontsIdeal;
}

Result<void> checkShared(const LanePattern& pattern) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        const std::int64_t address = pattern.address[lane];
        if (pattern.active(lane) && (address < 0 || address > std::int64_t{0xFFFFFF}))
            return failure(ErrorKind::Usage,
                           fmt::format("lane {} accesses byte {} of shared memory", lane, address));
    }
    return {};
}

/// The counts of a pattern that has its lanes.
Result<LanePattern> counted(LanePattern pattern) {
    const PatternQuestion& question = pattern.question;
    std::set<std::int64_t> elements;
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!pattern.active(lane)) continue;
        ++lanes;
        elements.insert(pattern.address[lane]);
    }
    pattern.bytesRequested = static_cast<unsigned>(elements.size()) * question.widthBytes;
    pattern.shape = classifyAccess(pattern.address.data(), pattern.mask, question.widthBytes);
    if (question.shared) {
        if (const auto valid = checkShared(pattern); !valid) return std::unexpected(valid.error());
        countShared(pattern, lanes);
    } else {
        countGlobal(pattern, lanes);
    }
    return pattern;
}

} // namespace

Result<LanePattern> lanePattern(const PatternQuestion& question) {
    if (const auto valid = checkQuestion(question); !valid) return std::unexpected(valid.error());
    LanePattern pattern;
    pattern.question = question;
    if (const auto filled = fillLanes(pattern); !filled) return std::unexpected(filled.error());
    return counted(std::move(pattern));
}

Result<LanePattern> lanePattern(const PatternQuestion& question, const GivenLanes& lanes) {
    if (const auto valid = checkWidth(question.widthBytes); !valid) return std::unexpected(valid.error());
    LanePattern pattern;
    pattern.question = question;
    pattern.caption = lanes.caption;
    pattern.mask = lanes.mask;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!pattern.active(lane)) continue;
        if (lanes.address[lane] % static_cast<std::int64_t>(question.widthBytes) != 0)
            return failure(ErrorKind::Usage,
                           fmt::format("lane {} accesses byte {}, no multiple of the width, {}", lane,
                                       lanes.address[lane], question.widthBytes));
        pattern.address[lane] = lanes.address[lane];
    }
    return counted(std::move(pattern));
}

std::optional<unsigned> widthOfType(std::string_view type) {
    static constexpr std::pair<std::string_view, unsigned> kScalars[] = {
        {"char", 1},     {"uchar", 1},    {"bool", 1},     {"int8_t", 1},   {"uint8_t", 1},
        {"short", 2},    {"ushort", 2},   {"half", 2},     {"__half", 2},   {"bfloat16", 2},
        {"int16_t", 2},  {"uint16_t", 2}, {"int", 4},      {"uint", 4},     {"unsigned", 4},
        {"float", 4},    {"int32_t", 4},  {"uint32_t", 4}, {"long", 8},     {"ulong", 8},
        {"longlong", 8}, {"double", 8},   {"int64_t", 8},  {"uint64_t", 8}, {"size_t", 8},
    };
    for (const auto& [name, bytes] : kScalars)
        if (name == type) return bytes;
    // float4, double2, half2: what the hardware reads at once, so three elements are not one access.
    for (const unsigned count : {2U, 4U}) {
        const char digit = static_cast<char>('0' + count);
        if (!type.ends_with(digit)) continue;
        for (const auto& [name, bytes] : kScalars)
            if (name == type.substr(0, type.size() - 1) && bytes * count <= 32) return bytes * count;
    }
    return std::nullopt;
}

} // namespace dormer::access
