// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"
#include "analysis/lines/lane_picture.h"
#include "analysis/lines/line_totals.h"
#include "analysis/report/page/sources.h"
#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::report::page {

namespace {

constexpr double kLeft = 52, kTop = 2, kCell = 14, kBox = 12, kGap = 6;
constexpr double kLaneToRows = 40, kRowStep = 16;
/// More rows than that look like these.
constexpr std::size_t kMostRows = 10;

double columnX(unsigned column) {
    return kLeft + column * kCell + (column / 8) * kGap;
}
double rowY(std::size_t row) {
    return kTop + kLaneToRows + static_cast<double>(row) * kRowStep;
}

/// All squares of one look are one path: a page has many of these pictures.
void appendBox(std::string& path, double x, double y, double width = kBox) {
    fmt::format_to(std::back_inserter(path), "M{} {}h{}v{}h-{}z", px(x), px(y), px(width), px(kBox),
                   px(width));
}

std::string pathOf(std::string_view cssClass, const std::string& data) {
    return data.empty() ? std::string() : fmt::format(R"(<path class="{}" d="{}"/>)", cssClass, data);
}

std::string small(double x, double y, std::string_view text, std::string_view anchor,
                  std::string_view cssClass = "muted") {
    return svgText(x, y, text, {.pixels = 10, .cssClass = cssClass, .anchor = anchor});
}

std::string lanes(const access::LanePattern& pattern) {
    std::string on, off;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane)
        appendBox(pattern.active(lane) ? on : off, columnX(lane), kTop);
    std::string out =
        pathOf("lane", on) + pathOf("lane-off", off) + small(kLeft - 8, kTop + 10, "lane", "end");
    for (const unsigned lane : {0U, 8U, 16U, 24U, 31U})
        out += small(columnX(lane) + kBox / 2, kTop + 9.5, std::to_string(lane), "middle", "text");
    return out;
}

/// From each lane to the column of its first word: where many meet there is a conflict, or a word for all.
std::string wires(const access::LanePattern& pattern) {
    std::string path;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        if (!pattern.active(lane)) continue;
        const std::int64_t inLine =
            (pattern.address[lane] % access::kLineBytes + access::kLineBytes) % access::kLineBytes;
        fmt::format_to(std::back_inserter(path), "M{} {}L{} {}", px(columnX(lane) + kBox / 2),
                       px(kTop + kBox), px(columnX(static_cast<unsigned>(inLine / 4)) + kBox / 2),
                       px(rowY(0) - 1));
    }
    return pathOf("wire", path);
}

std::string memoryRows(const access::LanePattern& pattern, const std::vector<access::PictureRow>& rows,
                       std::size_t drawn) {
    const bool shared = pattern.question.shared;
    // Wide accesses ask each bank for several words in turn without a conflict.
    const bool conflicts = shared && pattern.wavefronts > pattern.wavefrontsIdeal;
    const auto banks = access::wordsPerBank(rows);
    std::string used, wasted, conflict, idle, labels, counts;
    for (std::size_t i = 0; i < drawn; ++i) {
        const access::PictureRow& row = rows[i];
        labels += small(kLeft - 8, rowY(i) + 10, fmt::format("{:#x}", row.firstByte), "end");
        for (unsigned sector = 0; sector < 4; ++sector) { // of 32 bytes, or eight banks
            const bool moved = shared || (row.moved >> sector & 1U) != 0;
            const auto begin = row.lanes.begin() + sector * 8;
            const bool whole = std::all_of(begin, begin + 8, [](unsigned lanes) { return lanes > 0; });
            appendBox(moved && !whole && !shared ? wasted : idle, columnX(sector * 8) - 1.5, rowY(i),
                      8 * kCell);
        }
        for (unsigned word = 0; word < access::kWarpLanes; ++word) {
            const unsigned touching = row.lanes[word];
            if (touching == 0) continue;
            appendBox(conflicts && banks[word] > 1 ? conflict : used, columnX(word), rowY(i));
            if (touching > 1)
                counts += small(columnX(word) + kBox / 2, rowY(i) + 9.5, std::to_string(touching), "middle",
                                "on-fill");
        }
    }
    return pathOf("idle", idle) + pathOf("wasted", wasted) + pathOf("used", used) +
           pathOf("conflict", conflict) + labels + counts;
}

} // namespace

std::string lanesFigure(const session::LineCounts& access, std::string_view key) {
    const auto picture = lines::lanePicture(access);
    if (!picture) return {};
    const access::LanePattern& pattern = picture->pattern;
    const std::vector<access::PictureRow> rows = access::pictureRows(pattern);
    const std::size_t drawn = std::min(rows.size(), kMostRows);
    const double width = columnX(access::kWarpLanes - 1) + kCell + 2;
    const std::string headline = access::patternHeadline(pattern);
    std::string out = fmt::format(R"(<figure class="lanes"{}><figcaption><strong>{}</strong> {}: {})"
                                  R"(<br/><span class="muted">{}{}</span></figcaption>)",
                                  key.empty() ? "" : fmt::format(R"( data-s="{}")", key),
                                  view::escapeMarkup(view::truncateMiddle(lines::placeText(access), 80)),
                                  view::escapeMarkup(view::truncateMiddle(access.instruction, 40)),
                                  view::escapeMarkup(headline), picture->sampled ? "" : "drawn ",
                                  view::escapeMarkup(picture->caption));
    out += fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">)", px(width),
                       px(rowY(drawn) + 2), view::escapeMarkup(headline));
    out += wires(pattern) + lanes(pattern) + memoryRows(pattern, rows, drawn) + "</svg>";
    const std::string more =
        rows.size() > drawn ? fmt::format("and {} more rows of 128 bytes. ", rows.size() - drawn) : "";
    return out + fmt::format("<p class=\"muted\">{}{}</p></figure>\n", more,
                             pattern.question.shared
                                 ? "Blue: words that lanes ask for; orange: words that meet on a bank."
                                 : "Blue: words that lanes ask for; outlined orange: sectors moved for some "
                                   "of their words.");
}

} // namespace dormer::report::page
