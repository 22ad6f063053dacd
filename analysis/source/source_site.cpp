// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_site.h"

#include "analysis/lines/line_totals.h"
#include "analysis/session/user_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dormer::source {

namespace {

/// Longer files are generated ones, and would take too long.
constexpr std::size_t kLongestSource = std::size_t{1} << 18;
/// Each call looked at takes the text of its file apart; no compiler inlines as deep as that.
constexpr int kMostCalls = 32;

std::optional<SourceSite> siteOf(const session::Session& session, session::LaunchIndex launch,
                                 const session::SourceFrame& frame, bool own) {
    const std::string* text = session.sourceText(frame.file);
    if (text == nullptr || text->size() > kLongestSource) return std::nullopt;
    auto source = std::make_shared<const SourceText>(*text);
    auto found = source->functionAt(frame.line);
    if (!found) return std::nullopt;
    auto function = std::make_shared<const SourceText::Function>(std::move(*found));
    std::string away;
    if (!own) {
        session::LineCounts place;
        place.file = frame.file;
        place.line = frame.line;
        away = fmt::format(" at {}", lines::placeText(place));
    }
    const session::Launch& of = session.launch(launch);
    return SourceSite{
        source,
        function,
        {*source, *function, frame.line, templateArgumentsOf(session.kernelOf(launch).name, *function)},
        of.block,
        of.grid,
        session.kernelOf(launch).staticSharedBytes,
        std::move(away)};
}

} // namespace

std::string firstAnswer(const session::Session& session, session::LaunchIndex launch,
                        const session::LineCounts& access,
                        const std::function<std::string(const SourceSite&)>& ask) {
    if (session.sources().empty()) return {};
    const session::SourceFrame own = session::userFrame(access);
    bool reached = false;
    int callsLeft = kMostCalls;
    for (const session::SourceFrame& frame : session::framesOf(access)) {
        reached = reached || frame == own;
        if (!reached) continue;
        if (--callsLeft < 0) break;
        const auto site = siteOf(session, launch, frame, frame == own);
        if (!site) continue;
        if (std::string answer = ask(*site); !answer.empty()) return answer;
    }
    return {};
}

std::optional<double> meanPerWarp(const SourceSite& site, const access::IndexExpression& index,
                                  const WarpCount& count) {
    constexpr std::uint32_t kBlocks = 4;
    const auto warps = static_cast<unsigned>(std::min<std::uint64_t>(
        (site.block.count() + access::kWarpLanes - 1) / access::kWarpLanes, access::kWarpLanes));
    double sum = 0;
    unsigned counted = 0;
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
        const session::Dim3 at{std::min(block, site.grid.x - 1), std::min(block, site.grid.y - 1), 0};
        for (unsigned warp = 0; warp < warps; ++warp) {
            const auto lanes = elementsOf(index, site.block, site.grid, warp, at);
            if (!lanes) return std::nullopt;
            const auto value = count(*lanes);
            if (!value) return std::nullopt;
            sum += *value;
            ++counted;
        }
    }
    return counted > 0 ? std::optional(sum / counted) : std::nullopt;
}

std::string conflictingLanes(const std::array<std::uint32_t, access::kWarpLanes>& addresses,
                             std::uint32_t mask, unsigned width) {
    constexpr unsigned kWidest = 16;
    if (width > kWidest) return {};
    const unsigned together =
        access::kWarpLanes / std::bit_floor(std::max(1U, width / 4)); // lanes served at once
    std::vector<unsigned> worst;
    std::uint32_t worstBank = 0;
    for (unsigned first = 0; first < access::kWarpLanes; first += together) {
        std::array<std::vector<unsigned>, 32> inBank;
        for (unsigned lane = first; lane < first + together; ++lane) {
            if ((mask >> lane & 1U) == 0) continue;
            const std::uint32_t word = addresses[lane] / 4;
            auto& lanes = inBank[word % 32];
            if (std::ranges::none_of(lanes, [&](unsigned other) { return addresses[other] / 4 == word; }))
                lanes.push_back(lane);
        }
        for (std::uint32_t bank = 0; bank < 32; ++bank)
            if (inBank[bank].size() > worst.size()) {
                worst = inBank[bank];
                worstBank = bank;
            }
    }
    if (worst.size() < 2) return {};
    constexpr std::size_t kMostNamed = 4;
    std::string text = fmt::format("lanes {}", worst[0]);
    if (worst.size() > kMostNamed) {
        text += fmt::format(", {}, {}, ... {} ({} of them)", worst[1], worst[2], worst.back(), worst.size());
    } else {
        for (std::size_t i = 1; i < worst.size(); ++i)
            text += fmt::format("{}{}", i + 1 == worst.size() ? " and " : ", ", worst[i]);
    }
    return text + fmt::format(" conflict in bank {}", worstBank);
}

} // namespace dormer::source
