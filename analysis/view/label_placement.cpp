// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/label_placement.h"

#include "analysis/base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::view {

namespace {

/// Advance width in em, after DejaVu Sans, the widest of the usual faces.
double emOf(char32_t c) {
    constexpr std::string_view kNarrow = "iljtfrI.,:;'|!()[]/ -";
    constexpr std::string_view kBroad = "mwMW%@";
    if (c >= 0x80) return 0.63;
    if (kNarrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.38;
    if (kBroad.find(static_cast<char>(c)) != std::string_view::npos) return 0.96;
    if (c >= 'A' && c <= 'Z') return 0.72;
    return 0.63;
}

} // namespace

double textWidth(std::string_view text, double fontPixels) {
    double em = 0;
    while (!text.empty()) {
        const char32_t c = base::takeCharacter(text);
        em += c >= 0x3000 ? 1.0 : emOf(c); // mostly full-width from there on
    }
    return em * fontPixels;
}

void LabelPlacer::blockLine(double x1, double y1, double x2, double y2, double thickness) {
    const int pieces = std::max(1, static_cast<int>(std::hypot(x2 - x1, y2 - y1) / (2 * thickness)));
    const double half = thickness / 2;
    for (int i = 0; i < pieces; ++i) {
        const double from = static_cast<double>(i) / pieces, to = static_cast<double>(i + 1) / pieces;
        const double ax = x1 + (x2 - x1) * from, bx = x1 + (x2 - x1) * to;
        const double ay = y1 + (y2 - y1) * from, by = y1 + (y2 - y1) * to;
        block({std::min(ax, bx) - half, std::min(ay, by) - half, std::max(ax, bx) + half,
               std::max(ay, by) + half});
    }
}

std::optional<PlacedLabel> LabelPlacer::place(double x, double y, double radius, std::string_view text,
                                              double fontPixels) {
    const double width = textWidth(text, fontPixels);
    const double height = fontPixels * 1.2;
    // Beside the marker; then in rings farther out, where a line leads to it.
    for (const double out : {0.0, 16.0, 32.0, 52.0}) {
        const double gap = radius + 4 + out;
        const double corner = radius * 0.7 + 3 + out;
        const std::array<std::pair<double, double>, 8> corners{{{x + gap, y - height / 2},
                                                                {x - gap - width, y - height / 2},
                                                                {x - width / 2, y + gap},
                                                                {x - width / 2, y - gap - height},
                                                                {x + corner, y + corner},
                                                                {x - corner - width, y - corner - height},
                                                                {x + corner, y - corner - height},
                                                                {x - corner - width, y + corner}}};
        for (const auto& [left, top] : corners) {
            const Box box{left, top, left + width, top + height};
            if (!m_area.holds(box) || collisions(box) > 0) continue;
            block(box);
            return PlacedLabel{box,
                               left,
                               top + height * 0.78,
                               out > 0,
                               std::clamp(x, box.left, box.right),
                               std::clamp(y, box.top, box.bottom)};
        }
    }
    return std::nullopt;
}

int LabelPlacer::collisions(const Box& box) const {
    return static_cast<int>(std::ranges::count_if(m_taken, [&](const Box& b) { return b.overlaps(box); }));
}

} // namespace dormer::view
