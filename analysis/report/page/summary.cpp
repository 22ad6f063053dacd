// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/metrics/format.h"
#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <iterator>

namespace dormer::report::page {

namespace {

std::string stackedBar(const view::ReportSummary& summary) {
    std::string out = R"(<div class="stack" role="img" aria-label="GPU time by verdict">)";
    for (const auto& share : summary.shares)
        out +=
            fmt::format(R"(<i class="fill-{}" style="width:{:.2f}%" title="{}: {} of the GPU time"></i>)",
                        view::markOf(share.bound).cssClass, share.share * 100, view::markOf(share.bound).word,
                        metrics::forPeople(share.share, metrics::Unit::Ratio));
    return out + "</div>";
}

std::string counts(const view::ReportSummary& summary) {
    std::string out = R"(<ul class="counts">)";
    for (const auto& share : summary.shares)
        out += fmt::format(R"(<li>{} {} <span class="muted">{} {}, {}</span></li>)", inlineMark(share.bound),
                           view::markOf(share.bound).word, share.kernels,
                           share.kernels == 1 ? "kernel" : "kernels",
                           metrics::forPeople(share.share, metrics::Unit::Ratio));
    return out + "</ul>";
}

} // namespace

std::string inlineMark(verdict::Bound bound) {
    return fmt::format(
        R"(<svg class="m" width="13" height="13" viewBox="0 0 13 13" role="img" aria-label="{}">{}</svg>)",
        view::markOf(bound).word, svgMarker(bound, 6.5, 6.5, 5.2));
}

std::string summary(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows,
                    const std::vector<SourcePanel>& sources) {
    const view::ReportSummary facts = view::summarize(rows);
    return fmt::format(
        R"(<section class="panel summary" aria-label="Summary"><div class="lead"><div><p class="sentence">{}</p>)"
        R"(<p class="muted">{} {} of {} {}, {} {}</p></div><div>{}{}</div></div>{}</section>)",
        view::escapeMarkup(facts.sentence), rows.launches, rows.launches == 1 ? "launch" : "launches",
        rows.groups, rows.groups == 1 ? "kernel" : "kernels",
        metrics::forPeople(rows.totalNs, metrics::Unit::Nanoseconds),
        session::whereTimed(diagnosis.session()), stackedBar(facts), counts(facts),
        toDo(diagnosis, rows, sources));
}

} // namespace dormer::report::page
