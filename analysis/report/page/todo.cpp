// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/view/recommendations.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::report::page {

namespace {

/// Items at first, and folded below them.
constexpr std::size_t kMostOpen = 6, kMostItems = 50;
constexpr std::size_t kMostTextColumns = 300;

/// Links by the group's representative; kernels beyond the page's limit have none.
std::string kernelLink(const view::Recommendation& row, const view::KernelRows& rows, std::size_t index) {
    const std::string text = view::escapeMarkup(view::truncateMiddle(
        row.item.launch && index < rows.rows.size() ? view::fullLabel(rows.rows[index]) : row.kernel, 80));
    return row.item.launch && index < rows.rows.size() ? fmt::format("<a href=\"#k{}\">{}</a>", index, text)
                                                       : text;
}

std::string itemMarkup(const view::Recommendation& row, const view::KernelRows& rows,
                       const std::vector<SourcePanel>& sources) {
    const diagnosis::ToDo& item = row.item;
    const auto at = std::ranges::find_if(
        rows.rows, [&](const view::KernelRow& each) { return item.launch && each.launch == *item.launch; });
    const auto index = static_cast<std::size_t>(at - rows.rows.begin());
    static const SourcePanel kNone;
    std::string place;
    if (!item.finding.places.empty())
        place =
            " at " + placeLink(item.finding.places.front(), index < sources.size() ? sources[index] : kNone);
    const std::string savings = item.gainNs
                                    ? fmt::format(R"(<span class="gain nowrap">{}</span>)", row.savings)
                                    : R"(<span class="muted" title="No reliable estimate">–</span>)";
    return fmt::format(
        R"(<li><span><strong>{}</strong> in {}{}</span>{}<span class="muted">{}</span>)"
        R"(<span class="muted nowrap share">{}</span><span class="change">{}</span></li>)",
        view::escapeMarkup(view::truncateMiddle(row.title, 120)), kernelLink(row, rows, index), place,
        savings, view::escapeMarkup(view::truncateMiddle(row.evidence, kMostTextColumns)),
        view::escapeMarkup(row.share), proseMarkup(view::truncateMiddle(row.advice, kMostTextColumns)));
}

} // namespace

std::string toDo(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows,
                 const std::vector<SourcePanel>& sources) {
    std::vector<view::Recommendation> list = view::recommendations(diagnosis);
    if (list.size() > kMostItems) list.erase(list.begin() + kMostItems, list.end());
    std::string out =
        fmt::format(R"(<div class="panel-head"><h2>{}</h2></div>)", view::kRecommendationsTitle);
    if (list.empty()) out += fmt::format(R"(<p>{}</p>)", view::kNoRecommendations);
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = begin == 0 ? std::min(kMostOpen, list.size()) : list.size();
        std::string items =
            fmt::format(R"(<ol class="todo" start="{0}" style="--from:{1}">)", begin + 1, begin);
        for (; begin < end; ++begin)
            items += itemMarkup(list[begin], rows, sources);
        items += "</ol>";
        out += end <= kMostOpen
                   ? items
                   : fmt::format(R"(<details class="print-open"><summary>{} more</summary>{}</details>)",
                                 list.size() - kMostOpen, items);
    }
    if (const std::string why = view::whyNoPlaces(diagnosis.session()); !why.empty())
        out += fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(why));
    return out;
}

} // namespace dormer::report::page
