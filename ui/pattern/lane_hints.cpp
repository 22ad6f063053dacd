// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/lane_hints.h"

#include <QStringList>

#include <algorithm>

namespace dormer::ui::pattern {
namespace {

using access::LanePattern;
using access::PictureRow;

constexpr std::int64_t kWordBytes = 4;

QString bytesText(std::int64_t first, std::int64_t count) {
    return count == 1
               ? QStringLiteral("byte %1").arg(addressText(first))
               : QStringLiteral("bytes %1 to %2").arg(addressText(first), addressText(first + count - 1));
}

QString placeText(const access::LanePattern& pattern, std::int64_t firstOfRow, std::int64_t byte) {
    const auto offset = static_cast<int>(byte - firstOfRow);
    return pattern.question.shared ? QStringLiteral("bank %1").arg(offset / static_cast<int>(kWordBytes))
                                   : QStringLiteral("sector %1 of the line at %2")
                                         .arg(offset / static_cast<int>(access::kSectorBytes))
                                         .arg(addressText(firstOfRow));
}

} // namespace

QString addressText(std::int64_t byte) {
    // The smallest number has no positive counterpart.
    const auto magnitude = byte < 0 ? 0 - static_cast<std::uint64_t>(byte) : static_cast<std::uint64_t>(byte);
    return (byte < 0 ? QStringLiteral("-0x%1") : QStringLiteral("0x%1")).arg(magnitude, 0, 16);
}

std::uint32_t lanesAt(const access::LanePattern& pattern, std::int64_t word) {
    std::uint32_t mask = 0;
    const auto width = static_cast<std::int64_t>(pattern.question.widthBytes);
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        if (pattern.active(lane) && pattern.address[lane] < word + kWordBytes &&
            pattern.address[lane] + width > word)
            mask |= 1U << lane;
    return mask;
}

QString laneList(std::uint32_t mask) {
    QStringList parts;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        if ((mask >> lane & 1U) == 0) continue;
        unsigned last = lane;
        while (last + 1 < access::kWarpLanes && (mask >> (last + 1) & 1U) != 0)
            ++last;
        if (last >= lane + 2) {
            parts << QStringLiteral("%1 to %2").arg(lane).arg(last);
            lane = last;
        } else {
            parts << QString::number(lane);
        }
    }
    if (parts.size() < 2) return parts.join(QString());
    const QString last = parts.takeLast();
    return parts.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last;
}

std::optional<std::size_t> rowOfLane(const access::LanePattern& pattern,
                                     const std::vector<access::PictureRow>& rows, unsigned lane) {
    if (!pattern.active(lane)) return std::nullopt;
    const auto row = std::ranges::find_if(rows, [&](const access::PictureRow& each) {
        return pattern.address[lane] >= each.firstByte &&
               pattern.address[lane] - each.firstByte < access::kLineBytes;
    });
    if (row == rows.end()) return std::nullopt;
    return static_cast<std::size_t>(row - rows.begin());
}

QString laneHint(const access::LanePattern& pattern, unsigned lane) {
    const auto rows = access::pictureRows(pattern);
    const auto row = rowOfLane(pattern, rows, lane);
    if (!row) return QStringLiteral("lane %1 accesses nothing").arg(lane);
    return QStringLiteral("lane %1: %2, %3")
        .arg(lane)
        .arg(bytesText(pattern.address[lane], pattern.question.widthBytes),
             placeText(pattern, rows[*row].firstByte, pattern.address[lane]));
}

QString wordHint(const access::LanePattern& pattern, const std::vector<access::PictureRow>& rows,
                 std::size_t row, unsigned word) {
    const access::PictureRow& line = rows[row];
    const std::int64_t first = line.firstByte + std::int64_t{word} * kWordBytes;
    QStringList parts{QStringLiteral("%1, %2").arg(bytesText(first, kWordBytes),
                                                   placeText(pattern, line.firstByte, first))};
    const std::uint32_t mask = lanesAt(pattern, first);
    if (mask != 0)
        parts << ((mask & (mask - 1)) == 0 ? QStringLiteral("requested by lane %1")
                                           : QStringLiteral("requested by lanes %1"))
                     .arg(laneList(mask));
    const auto banks = access::wordsPerBank(rows);
    switch (lookOf(pattern, line, word, banks)) {
    case WordLook::Conflict:
        parts << QStringLiteral("%1 different words of this bank are requested").arg(banks[word]);
        break;
    case WordLook::Wasted:
        parts << QStringLiteral("moved with its sector, not requested (wasted)");
        break;
    case WordLook::Idle:
        parts << (pattern.question.shared ? QStringLiteral("not requested") : QStringLiteral("not moved"));
        break;
    case WordLook::Used:
        break;
    }
    return parts.join(QStringLiteral("; "));
}

WordLook lookOf(const access::LanePattern& pattern, const access::PictureRow& row, unsigned word,
                const std::array<unsigned, access::kWarpLanes>& banks) {
    if (row.lanes[word] > 0)
        return pattern.question.shared && banks[word] > 1 ? WordLook::Conflict : WordLook::Used;
    const bool moved = !pattern.question.shared && (row.moved >> (word / 8) & 1U) != 0;
    return moved ? WordLook::Wasted : WordLook::Idle;
}

} // namespace dormer::ui::pattern
