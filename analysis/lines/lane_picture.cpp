// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/lane_picture.h"

#include "analysis/lines/line_class.h"
#include "analysis/lines/line_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dormer::lines {

namespace {

/// A typical pattern must come as near to the counts as that, or it is not typical of them.
constexpr double kNear = 0.15;

/// An average of the counts over all warps.
double perExecution(const std::optional<std::uint64_t>& count, const session::LineCounts& access) {
    return static_cast<double>(count.value_or(0)) / static_cast<double>(*access.executions);
}

/// What is common to all pictures of the access; absent where there is none.
std::optional<access::PatternQuestion> questionOf(const session::LineCounts& access) {
    access::PatternQuestion question;
    question.shared = access.space == session::MemorySpace::Shared;
    question.local = access.space == session::MemorySpace::Local;
    if (!question.shared && !question.local && access.space != session::MemorySpace::Global &&
        access.space != session::MemorySpace::Generic)
        return std::nullopt;
    if (access.op == session::MemoryOperation::Load || access.op == session::MemoryOperation::Copy)
        question.op = access::AccessOp::Load;
    else if (access.op == session::MemoryOperation::Store)
        question.op = access::AccessOp::Store;
    else if (access.op == session::MemoryOperation::Atomic ||
             access.op == session::MemoryOperation::Reduction)
        question.op = access::AccessOp::Atomic;
    else
        return std::nullopt;
    if (!access.widthBytes) return std::nullopt;
    question.widthBytes = *access.widthBytes;
    question.expression =
        access.instruction.empty() ? placeText(access) : placeText(access) + "  " + access.instruction;
    return question;
}

std::optional<LanePicture> pictureOf(const access::PatternQuestion& question,
                                     const access::GivenLanes& lanes) {
    auto pattern = access::lanePattern(question, lanes);
    if (!pattern) return std::nullopt;
    return LanePicture{.pattern = std::move(*pattern), .sampled = false, .caption = lanes.caption};
}

/// Lane i at i times `step` bytes from `begin`.
access::GivenLanes evenly(std::uint32_t mask, std::int64_t begin, std::int64_t step, std::string caption) {
    access::GivenLanes lanes{.mask = mask, .caption = std::move(caption)};
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        lanes.address[lane] = begin + static_cast<std::int64_t>(lane) * step;
    return lanes;
}

/// So many lanes on one bank each, where a stride makes no such conflict.
access::GivenLanes conflicting(std::uint32_t mask, unsigned ways) {
    access::GivenLanes lanes{.mask = mask, .caption = fmt::format("as bank conflicts of {} ways look", ways)};
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        lanes.address[lane] =
            std::int64_t{lane % ways} * access::kLineBytes + std::int64_t{lane / ways} * std::int64_t{4};
    return lanes;
}

std::optional<access::GivenLanes> typicalGlobal(const access::AccessClass& access, std::uint32_t mask,
                                                unsigned width) {
    switch (access.shape) {
    case access::AccessShape::Coalesced:
        return evenly(mask, 0, width, "as coalesced accesses look");
    case access::AccessShape::Misaligned:
        return evenly(mask, width, width, "as a misaligned access looks");
    case access::AccessShape::Broadcast:
        return evenly(mask, 0, 0, "as a broadcast looks");
    case access::AccessShape::Strided:
        return evenly(mask, 0, access.stride * static_cast<std::int64_t>(width),
                      fmt::format("as a stride of {} elements looks", access.stride));
    case access::AccessShape::Scattered:
    case access::AccessShape::None:
        break;
    }
    return std::nullopt;
}

std::optional<access::GivenLanes> typicalShared(double ways, std::uint32_t mask,
                                                const access::PatternQuestion& question) {
    const double whole = std::round(ways);
    if (whole < 1 || whole > access::kWarpLanes || std::abs(ways - whole) > 0.05 * whole) return std::nullopt;
    const auto k = static_cast<unsigned>(whole);
    // Words, or elements that are larger.
    const std::int64_t element = std::max(question.widthBytes, 4U);
    if (k == 1) return evenly(mask, 0, question.widthBytes, "as a conflict-free access looks");
    // Lanes that contend for one word count as much as those that conflict in a bank.
    if (question.op == access::AccessOp::Atomic) return std::nullopt;
    if ((k & (k - 1)) != 0) return conflicting(mask, k);
    return evenly(mask, 0, k * element,
                  fmt::format("as a stride of {} {} looks", k, element > 4 ? "elements" : "words"));
}

/// As the counts say that the lanes must lie; absent where they don't say.
std::optional<LanePicture> typicalPicture(const session::LineCounts& access,
                                          const access::PatternQuestion& question) {
    const LineClass found = classOf(access);
    if (!access.executions || *access.executions == 0) return std::nullopt;
    const double average = access.threads ? perExecution(access.threads, access) : access::kWarpLanes;
    const auto lanes =
        static_cast<unsigned>(std::clamp(std::round(average), 1.0, double{access::kWarpLanes}));
    const std::uint32_t mask = 0xFFFFFFFFU >> (access::kWarpLanes - lanes);
    const auto given = question.shared ? typicalShared(found.ways, mask, question)
                                       : typicalGlobal(found.access, mask, question.widthBytes);
    if (!given) return std::nullopt;
    auto picture = pictureOf(question, *given);
    if (!picture) return std::nullopt;
    const double drawn = question.shared ? picture->pattern.wavefronts : picture->pattern.sectors;
    const double seen = perExecution(question.shared ? access.wavefronts : access.sectors, access);
    if (std::abs(drawn - seen) > kNear * drawn) return std::nullopt;
    return picture;
}

} // namespace

std::optional<LanePicture> lanePicture(const session::LineCounts& access) {
    const auto question = questionOf(access);
    if (!question) return std::nullopt;
    if (access.lanes.seen()) {
        access::GivenLanes seen{.mask = access.lanes.mask, .caption = "lanes of one warp, as seen"};
        std::ranges::copy(access.lanes.address, seen.address.begin());
        if (auto picture = pictureOf(*question, seen)) {
            picture->sampled = true;
            return picture;
        }
    }
    return typicalPicture(access, *question);
}

} // namespace dormer::lines
