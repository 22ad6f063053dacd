// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

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

/// Marker of a verdict, centred; all shapes of one radius have about the same area.
[[nodiscard]] std::string svgMarker(verdict::Bound bound, double x, double y, double radius);

} // namespace dormer::report
