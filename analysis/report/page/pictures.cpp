// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dormer::report::page {

std::string unitsPicture(double actual, double ideal, std::string_view caption) {
    constexpr double kMost = 64; // a request has 32 lanes, each at most two sectors wide
    constexpr int kPerRow = 32;
    const auto count = static_cast<int>(std::min(std::round(actual), kMost));
    const auto needed = static_cast<int>(std::min(std::max(std::round(ideal), 1.0), kMost));
    if (count < 1) return {};
    const int lines = (count + kPerRow - 1) / kPerRow;
    std::string out = fmt::format(
        R"(<p class="muted">{}</p><svg class="units" viewBox="0 0 418 {}" role="img" aria-label="{}">)",
        view::escapeMarkup(caption), lines * 15, view::escapeMarkup(caption));
    for (int i = 0; i < count; ++i)
        fmt::format_to(
            std::back_inserter(out), R"(<rect class="{}" x="{}" y="{}" width="10" height="11" rx="2"/>)",
            i < needed ? "unit-used" : "unit-waste", px(1 + i % kPerRow * 13), 1 + i / kPerRow * 15);
    return out + "</svg>";
}

} // namespace dormer::report::page
