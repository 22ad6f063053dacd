// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dormer::access {

namespace {

constexpr std::int64_t kRowBytes = kLineBytes;
constexpr unsigned kWordBytes = 4;

std::int64_t floorTo(std::int64_t value, std::int64_t step) {
    const std::int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

const char* plural(unsigned count) {
    return count == 1 ? "" : "s";
}

} // namespace

const char* patternSpace(const PatternQuestion& question) {
    return question.shared ? "shared" : question.local ? "local" : "global";
}

std::vector<PictureRow> pictureRows(const LanePattern& pattern) {
    std::map<std::int64_t, PictureRow> rows;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!pattern.active(lane)) continue;
        const std::int64_t begin = pattern.address[lane];
        const std::int64_t end = begin + static_cast<std::int64_t>(pattern.question.widthBytes);
        for (std::int64_t word = floorTo(begin, kWordBytes); word < end; word += kWordBytes) {
            const std::int64_t first = floorTo(word, kRowBytes);
            PictureRow& row = rows[first];
            row.firstByte = first;
            const auto at = static_cast<unsigned>(word - first);
            ++row.lanes[at / kWordBytes];
            row.moved |= 1U << (at / kSectorBytes);
        }
    }
    std::vector<PictureRow> result;
    const bool wholeLines = pattern.transactionBytes == kLineBytes;
    for (auto& [first, row] : rows) {
        if (wholeLines) row.moved = 0xF;
        result.push_back(row);
    }
    return result;
}

std::array<unsigned, kWarpLanes> wordsPerBank(const std::vector<PictureRow>& rows) {
    std::array<unsigned, kWarpLanes> words{};
    for (const PictureRow& row : rows)
        for (unsigned bank = 0; bank < kWarpLanes; ++bank)
            words[bank] += row.lanes[bank] > 0 ? 1 : 0;
    return words;
}

std::string patternHeadline(const LanePattern& pattern) {
    if (pattern.mask == 0) return "no active lanes";
    if (pattern.question.shared) {
        if (pattern.wavefronts <= pattern.wavefrontsIdeal)
            return fmt::format("{} wavefront{} (ideal): no bank conflict", pattern.wavefronts,
                               plural(pattern.wavefronts));
        return fmt::format("{} wavefronts (ideal {}): {:g}-way bank conflict", pattern.wavefronts,
                           pattern.wavefrontsIdeal, *pattern.ways);
    }
    const std::string shape = toString(pattern.shape);
    if (pattern.transactionBytes == kLineBytes)
        return fmt::format("{} line{} of 128 bytes: {}", pattern.lines, plural(pattern.lines), shape);
    if (pattern.sectors <= pattern.sectorsIdeal)
        return fmt::format("{} sector{} (ideal): {}", pattern.sectors, plural(pattern.sectors), shape);
    return fmt::format("{} sectors (ideal {}): {}", pattern.sectors, pattern.sectorsIdeal, shape);
}

std::string patternUse(const LanePattern& pattern) {
    if (!pattern.utilization) return {};
    return fmt::format("{} of {} bytes moved were requested, {:.4g} %", pattern.bytesRequested,
                       pattern.bytesMoved, *pattern.utilization * 100);
}

std::string patternAdvice(const LanePattern& pattern) {
    const PatternQuestion& q = pattern.question;
    if (pattern.mask == 0) return {};
    if (q.shared) {
        if (pattern.wavefronts <= pattern.wavefrontsIdeal) return {};
        if (q.rowElements > 0 && q.rowElements % 2 == 0)
            return fmt::format("pad each row by one element: [..][{}] instead of [..][{}]", q.rowElements + 1,
                               q.rowElements);
        return "let consecutive lanes access consecutive words, or make the row length odd";
    }
    switch (pattern.shape.shape) {
    case AccessShape::Misaligned:
        return "start at a multiple of 32 bytes: pad the array, or shift the index";
    case AccessShape::Strided:
        return pattern.sectors > pattern.sectorsIdeal ? "swap the indices, or stage a tile in shared memory"
                                                      : "";
    case AccessShape::Scattered:
        return pattern.sectors > pattern.sectorsIdeal
                   ? "sort or group the indices, or stage the data in shared memory"
                   : "";
    default:
        return {};
    }
}

std::string patternSubject(const LanePattern& pattern) {
    const PatternQuestion& q = pattern.question;
    const char* what = q.op == AccessOp::Load    ? "loads from"
                       : q.op == AccessOp::Store ? "stores to"
                                                 : "atomics in";
    const std::string access = fmt::format("{}-byte {} {} memory", q.widthBytes, what, patternSpace(q));
    if (!pattern.caption.empty()) return fmt::format("{}, {}", access, pattern.caption);
    return fmt::format("{}, warp {} of a {} x {} x {} block, compute capability {}.{}", access, q.warp,
                       q.block.x, q.block.y, q.block.z, q.ccMajor, q.ccMinor);
}

} // namespace dormer::access
