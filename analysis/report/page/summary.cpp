// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/format.h"
#include "analysis/report/svg_elements.h"
#include "analysis/report/text.h"
#include "analysis/report/verdict_mark.h"

#include <fmt/format.h>

#include <iterator>

namespace dormer::analysis::page {

namespace {

std::string stackedBar(const ReportSummary& summary, double totalNs) {
    std::string out = R"(<div class="stack" role="img" aria-label="GPU time by verdict">)";
    for (const auto& share : summary.shares)
        out += fmt::format(R"(<i class="fill-{}" style="width:{:.2f}%" title="{}: {} of the GPU time"></i>)",
                           markOf(share.bound).cssClass, share.share * 100, boundWords(share.bound),
                           forPeople(share.share, Unit::Ratio));
    if (summary.unjudgedNs > 0 && totalNs > 0)
        out += fmt::format(R"(<i class="fill-rest" style="width:{:.2f}%" title="kernels not shown"></i>)",
                           summary.unjudgedNs / totalNs * 100);
    return out + "</div>";
}

std::string counts(const ReportSummary& summary) {
    std::string out = R"(<ul class="counts">)";
    for (const auto& share : summary.shares)
        out += fmt::format(R"(<li>{} {} <span class="muted">{} {}, {}</span></li>)", inlineMark(share.bound),
                           boundWords(share.bound), share.kernels, share.kernels == 1 ? "kernel" : "kernels",
                           forPeople(share.share, Unit::Ratio));
    return out + "</ul>";
}

} // namespace

std::string boundWords(Bound bound) {
    switch (bound) {
    case Bound::Memory:
        return "memory-bound";
    case Bound::Compute:
        return "compute-bound";
    case Bound::Latency:
        return "latency-bound";
    case Bound::Balanced:
        return "balanced";
    case Bound::Unknown:
        break;
    }
    return "not judged";
}

std::string inlineMark(Bound bound) {
    return fmt::format(
        R"(<svg class="m" width="13" height="13" viewBox="0 0 13 13" role="img" aria-label="{}">{}</svg>)",
        boundWords(bound), svgMarker(bound, 6.5, 6.5, 5.2));
}

std::string summary(const MetricEvaluator& metrics, const ReportRows& rows,
                    const std::vector<SourcePanel>& sources) {
    const ReportSummary facts = summarize(rows);
    return fmt::format(
        R"(<section class="panel summary" aria-label="Summary"><div class="lead"><div><p class="sentence">{}</p>)"
        R"(<p class="muted">{} {} of {} {}, {} {}</p></div><div>{}{}</div></div>{}</section>)",
        escapeMarkup(facts.sentence), rows.launches, rows.launches == 1 ? "launch" : "launches", rows.groups,
        rows.groups == 1 ? "kernel" : "kernels", forPeople(rows.totalNs, Unit::Nanoseconds),
        whereTimed(metrics.session()), stackedBar(facts, rows.totalNs), counts(facts),
        toDo(metrics, rows, sources));
}

} // namespace dormer::analysis::page
