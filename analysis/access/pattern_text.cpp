// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::access {

namespace {

/// What fits a screen; a scattered access has up to 32 rows, 64 where wide ones straddle.
constexpr std::size_t kMaxRows = 32;

/// One word: how many lanes touch it.
std::string cellOf(unsigned lanes, const char* untouched) {
    if (lanes == 0) return untouched;
    if (lanes == 1) return "█";
    return lanes < 10 ? std::to_string(lanes) : "#";
}

std::string rowName(std::int64_t firstByte) {
    return firstByte < 0 ? fmt::format("-{:#x}", -firstByte) : fmt::format("{:#x}", firstByte);
}

std::string rowText(const PictureRow& row, bool shared) {
    std::string text = fmt::format("  {:>12}  ", rowName(row.firstByte));
    for (unsigned word = 0; word < kWarpLanes; ++word) {
        if (word > 0 && word % 8 == 0) text += ' ';
        const bool moved = shared || (row.moved >> (word / 8) & 1U) != 0;
        text += cellOf(row.lanes[word], moved ? "·" : " ");
    }
    return text;
}

std::string banksText(const std::vector<PictureRow>& rows) {
    const auto words = wordsPerBank(rows);
    const unsigned most = *std::ranges::max_element(words);
    std::string text = fmt::format("  {:>12}  ", "words per bank");
    for (unsigned bank = 0; bank < kWarpLanes; ++bank) {
        if (bank > 0 && bank % 8 == 0) text += ' ';
        text += words[bank] == 0 ? "·" : words[bank] < 10 ? std::to_string(words[bank]) : "#";
    }
    return text + fmt::format("   at most {}\n", most);
}

} // namespace

std::string patternText(const LanePattern& pattern) {
    const PatternQuestion& q = pattern.question;
    std::string text =
        fmt::format("{}\n{}\n\n  {}\n", q.expression, patternSubject(pattern), patternHeadline(pattern));
    if (const std::string use = patternUse(pattern); !use.empty()) text += fmt::format("  {}\n", use);
    if (const std::string advice = patternAdvice(pattern); !advice.empty())
        text += fmt::format("  Advice: {}\n", advice);
    if (pattern.mask == 0) return text;

    const std::vector<PictureRow> rows = pictureRows(pattern);
    text += q.shared ? fmt::format("\n  {:>12}  0        8        16       24\n", "byte \\ bank")
                     : fmt::format("\n  {:>12}  sector 0 sector 1 sector 2 sector 3\n", "byte of line");
    for (std::size_t i = 0; i < std::min(rows.size(), kMaxRows); ++i)
        text += rowText(rows[i], q.shared) + "\n";
    if (rows.size() > kMaxRows) text += fmt::format("  {:>12}  and {} more\n", "", rows.size() - kMaxRows);
    if (q.shared) text += banksText(rows);
    text += "\n  A cell is 4 bytes: █ one lane, 2-9 or # (more) lanes";
    text += q.shared ? "\n" : ", · moved but not requested\n";
    return text;
}

} // namespace dormer::access
