// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"
#include "analysis/view/timeline/raster.h"
#include "analysis/view/timeline/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::report {

using namespace view::timeline;

namespace {

constexpr std::size_t kMostTitle = 24, kLeastPicture = 20;

/// A column of a terminal, filled from below in eighths; a dot where nothing is known.
std::string_view block(std::optional<double> share) {
    constexpr std::array<std::string_view, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (!share) return "·";
    // What is there at all is seen.
    const double eighths = *share > 0 ? std::max(1.0, std::round(*share * 8)) : 0;
    return kBlocks[static_cast<std::size_t>(std::clamp(eighths, 0.0, 8.0))];
}

std::string picture(const TimelineRow& row, const Window& window) {
    std::vector<std::optional<double>> shares;
    if (row.kind == RowKind::Activity) {
        shares.resize(static_cast<std::size_t>(window.width));
        for (const DrawnStep& step : drawnSteps(row, window))
            for (auto column = static_cast<std::size_t>(step.left);
                 column < shares.size() && static_cast<double>(column) < step.right; ++column)
                shares[column] = step.mean;
    } else {
        const std::vector<double> covered = coveredShares(row, window);
        shares.assign(covered.begin(), covered.end());
    }
    std::string out;
    for (const std::optional<double>& share : shares)
        out += block(share);
    while (out.ends_with(' '))
        out.pop_back();
    return out;
}

std::string rowsText(const Timeline& timeline, std::size_t columns) {
    std::size_t widest = 0;
    for (const TimelineRow& row : timeline.rows)
        widest = std::max(widest, view::displayWidth(view::truncateMiddle(row.title, kMostTitle)));
    const std::size_t wide = std::max(kLeastPicture, columns > widest + 2 ? columns - widest - 2 : 0);
    const Window window = windowOf(timeline, static_cast<double>(wide));
    std::string out, scope;
    for (const TimelineRow& row : timeline.rows) {
        if (row.scope != scope && !row.scope.empty()) out += view::cleanText(row.scope) + '\n';
        scope = row.scope;
        const std::string title = view::truncateMiddle(row.title, kMostTitle);
        std::string line = fmt::format("{}{}  {}", std::string(widest - view::displayWidth(title), ' '),
                                       title, picture(row, window));
        out += line + '\n';
    }
    const std::string end =
        tickText(static_cast<double>(timeline.lengthNs), static_cast<double>(timeline.lengthNs));
    const std::size_t rest = view::displayWidth(end) + 1;
    return out + fmt::format("{}0{}{}\n", std::string(widest + 2, ' '),
                             std::string(wide > rest ? wide - rest : 1, ' '), end);
}

} // namespace

std::string timelineTableText(const diagnosis::Diagnosis& diagnosis, std::size_t columns) {
    const Timeline timeline = timelineOf(diagnosis.session());
    if (timeline.empty()) return {};
    return fmt::format("Timeline · {}\n\n{}\n{}", session::provenance(diagnosis.session()),
                       rowsText(timeline, columns),
                       alignedTable(gpuTimeTable(diagnosis.session(), timeline)));
}

std::string timelineMarkdownText(const diagnosis::Diagnosis& diagnosis) {
    const Timeline timeline = timelineOf(diagnosis.session());
    if (timeline.empty()) return {};
    return fmt::format("## Where the GPU's time went\n\n{}",
                       markdownTable(gpuTimeTable(diagnosis.session(), timeline)));
}

} // namespace dormer::report
