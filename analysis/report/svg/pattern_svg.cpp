// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/pattern_svg.h"

#include "analysis/access/pattern_picture.h"
#include "analysis/report/svg/svg_elements.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::report {

namespace {

constexpr double kLeft = 96, kTop = 84, kCell = 22, kGap = 10;
constexpr double kLaneToRows = 70, kRowStep = 30;
/// More rows than that are told, not drawn.
constexpr std::size_t kMaxRows = 32;

/// Light colours in the attributes, dark ones by the reader's preference; the same as the charts'.
constexpr std::string_view kStyle =
    "<style>text{font-family:system-ui,'Segoe UI',Roboto,'Helvetica Neue',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    "@media (prefers-color-scheme:dark){.ground{fill:#171a21}.text{fill:#e6e9ef}.muted{fill:#9aa3b2}"
    ".used{fill:#56B4E9}.wasted{fill:#3b2a22;stroke:#ff8b45}.idle{fill:#1f2430;stroke:#39414f}"
    ".lane{fill:#242b38;stroke:#56B4E9}.off{fill:#171a21;stroke:#39414f}.wire{stroke:#56B4E9}"
    ".conflict{fill:#ff8b45}}</style>";

double columnX(unsigned column) {
    return kLeft + column * kCell + (column / 8) * kGap;
}
double rowY(std::size_t row) {
    return kTop + kLaneToRows + static_cast<double>(row) * kRowStep;
}

std::string box(double x, double y, std::string_view cssClass, std::string_view fill,
                std::string_view stroke) {
    return fmt::format(
        R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3" fill="{}" stroke="{}"/>)", cssClass,
        px(x), px(y), px(kCell - 2), px(kCell - 2), fill, stroke);
}

std::string lanesDrawing(const access::LanePattern& pattern) {
    std::string out =
        svgText(kLeft - 12, kTop + 15, "lane", {.cssClass = "muted", .colour = "#5c6575", .anchor = "end"});
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        const bool on = pattern.active(lane);
        out += on ? box(columnX(lane), kTop, "lane", "#e8f1f8", "#0072B2")
                  : box(columnX(lane), kTop, "off", "#ffffff", "#d5dae2");
        out += svgText(columnX(lane) + (kCell - 2) / 2, kTop + 14, std::to_string(lane),
                       {.pixels = 10,
                        .cssClass = on ? "text" : "muted",
                        .colour = on ? "#1f2430" : "#5c6575",
                        .anchor = "middle"});
    }
    return out;
}

/// Lines from each lane to the first word it touches.
std::string wires(const access::LanePattern& pattern, const std::vector<access::PictureRow>& rows) {
    std::string out =
        R"(<g class="wire" stroke="#0072B2" stroke-width="1" stroke-opacity="0.45" fill="none">)";
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        if (!pattern.active(lane)) continue;
        const auto row = std::ranges::find_if(rows, [&](const access::PictureRow& each) {
            return pattern.address[lane] >= each.firstByte &&
                   pattern.address[lane] < each.firstByte + access::kLineBytes;
        });
        const auto at = static_cast<std::size_t>(row - rows.begin());
        if (at >= std::min(rows.size(), kMaxRows)) continue;
        const auto word = static_cast<unsigned>((pattern.address[lane] - row->firstByte) / 4);
        const double half = (kCell - 2) / 2;
        out += fmt::format(R"(<path d="M{} {}L{} {}"/>)", px(columnX(lane) + half), px(kTop + kCell - 2),
                           px(columnX(word) + half), px(rowY(at)));
    }
    return out + "</g>";
}

std::string rowDrawing(const access::PictureRow& row, std::size_t index, bool shared,
                       const std::array<unsigned, access::kWarpLanes>& banks) {
    const std::string name =
        row.firstByte < 0 ? fmt::format("-{:#x}", -row.firstByte) : fmt::format("{:#x}", row.firstByte);
    std::string out = svgText(kLeft - 12, rowY(index) + 15, name,
                              {.cssClass = "muted", .colour = "#5c6575", .anchor = "end"});
    for (unsigned word = 0; word < access::kWarpLanes; ++word) {
        const bool moved = shared || (row.moved >> (word / 8) & 1U) != 0;
        const unsigned lanes = row.lanes[word];
        const bool conflict = shared && lanes > 0 && banks[word] > 1;
        out += lanes > 0          ? box(columnX(word), rowY(index), conflict ? "conflict" : "used",
                               conflict ? "#D55E00" : "#0072B2", "none")
               : moved && !shared ? box(columnX(word), rowY(index), "wasted", "#fbeee6", "#D55E00")
                                  : box(columnX(word), rowY(index), "idle", "#f4f6f9", "#d5dae2");
        if (lanes > 1)
            out += svgText(columnX(word) + (kCell - 2) / 2, rowY(index) + 14, std::to_string(lanes),
                           {.pixels = 10, .cssClass = "count", .colour = "#ffffff", .anchor = "middle"});
    }
    return out;
}

std::string legend(bool shared) {
    return shared ? "Blue: requested words; orange: requested words in a bank conflict; a number: lanes"
                  : "Blue: requested words; outlined orange: moved but not requested; a number: lanes";
}

} // namespace

std::string patternSvg(const access::LanePattern& pattern) {
    const std::vector<access::PictureRow> rows = access::pictureRows(pattern);
    const std::size_t drawn = std::min(rows.size(), kMaxRows);
    const auto banks = access::wordsPerBank(rows);
    const double width = columnX(access::kWarpLanes - 1) + kCell + 24;
    const double height = rowY(drawn) + 44;
    std::string out = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">)",
        px(width), px(height));
    out += kStyle;
    out +=
        fmt::format(R"(<rect class="ground" width="{}" height="{}" fill="#ffffff"/>)", px(width), px(height));
    out += svgText(24, 30, pattern.question.expression, {.pixels = 16, .bold = true});
    std::string headline = access::patternHeadline(pattern);
    if (const std::string use = access::patternUse(pattern); !use.empty()) headline += " · " + use;
    out += svgText(24, 50, headline, {.pixels = 13});
    out += svgText(24, 68, access::patternSubject(pattern),
                   {.pixels = 11, .cssClass = "muted", .colour = "#5c6575"});
    out += wires(pattern, rows);
    out += lanesDrawing(pattern);
    for (std::size_t i = 0; i < drawn; ++i)
        out += rowDrawing(rows[i], i, pattern.question.shared, banks);
    const std::string more =
        rows.size() > drawn ? fmt::format("and {} more rows. ", rows.size() - drawn) : "";
    out += svgText(kLeft, rowY(drawn) + 20, more + legend(pattern.question.shared),
                   {.pixels = 11, .cssClass = "muted", .colour = "#5c6575"});
    return out + "</svg>\n";
}

} // namespace dormer::report
