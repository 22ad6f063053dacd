// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"
#include "analysis/view/plot/label_layout.h"

#include <span>
#include <string>
#include <string_view>

/// Small pieces of SVG that the charts share.
namespace dormer::report {

/// Pixels with one decimal, none when whole.
[[nodiscard]] std::string px(double value);

struct TextStyle {
    double pixels = 12;
    std::string_view cssClass = "text"; ///< "text", "muted", "halo", ...
    std::string_view colour = "#1f2430";
    std::string_view anchor = "start";
    bool bold = false;
    double degrees = 0; ///< turned about its start
};
/// Text with its content escaped.
[[nodiscard]] std::string svgText(double x, double y, std::string_view text, const TextStyle& style);
/// The same in the middle of a box and turned as that is.
[[nodiscard]] std::string svgLabel(const view::plot::TurnedBox& box, std::string_view text, TextStyle style);
/// Escaped markup in which line breaks survive.
[[nodiscard]] std::string escapeLines(std::string_view text);

/// Width of text in a usual sans-serif face; on the wide side, so that real text keeps clear of its
/// neighbours.
[[nodiscard]] double textWidth(std::string_view text, double fontPixels);
/// The same, as layouts ask for it.
[[nodiscard]] view::plot::Measure measured(double fontPixels, bool bold = false);

/// "M0 0L1 0L1 1Z"
[[nodiscard]] std::string polygonPath(std::span<const view::plot::Spot> corners);

/// Marker of a verdict, centred; all shapes of one radius have the same area.
[[nodiscard]] std::string svgMarker(verdict::Bound bound, double x, double y, double radius);

} // namespace dormer::report
