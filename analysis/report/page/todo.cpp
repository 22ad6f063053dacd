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

/// Items begin to end, numbered on from those before.
std::string itemList(const std::vector<view::Recommendation>& list, std::size_t begin, std::size_t end,
                     const view::KernelRows& rows, const std::vector<SourcePanel>& sources) {
    std::string items = fmt::format(R"(<ol class="todo" start="{0}" style="--from:{1}">)", begin + 1, begin);
    for (; begin < end; ++begin)
        items += itemMarkup(list[begin], rows, sources);
    return items + "</ol>";
}

std::string folded(std::string_view summary, const std::string& markup) {
    return fmt::format(R"(<details class="print-open"><summary>{}</summary>{}</details>)",
                       view::escapeMarkup(summary), markup);
}

} // namespace

std::string toDo(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows,
                 const std::vector<SourcePanel>& sources) {
    const std::vector<view::Recommendation> list = view::recommendations(diagnosis);
    const std::size_t open = std::min(view::openCount(list), kMostItems);
    std::string out =
        fmt::format(R"(<div class="panel-head"><h2>{}</h2></div>)", view::kRecommendationsTitle);
    if (list.empty())
        out += fmt::format(R"(<p>{}</p>)", view::escapeMarkup(view::noRecommendations(diagnosis.session())));
    else
        out += itemList(list, 0, std::min(kMostOpen, open), rows, sources);
    if (open > kMostOpen)
        out +=
            folded(fmt::format("{} more", open - kMostOpen), itemList(list, kMostOpen, open, rows, sources));
    if (const std::string text = view::foldedText(list); !text.empty()) {
        const std::size_t begin = view::openCount(list);
        out += folded(text, itemList(list, begin, std::min(list.size(), begin + kMostItems), rows, sources));
    }
    if (const std::string why = view::whyNoPlaces(diagnosis.session(), list); !why.empty())
        out += fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(why));
    return out;
}

} // namespace dormer::report::page
