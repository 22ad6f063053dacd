// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/report/page/assets.h"
#include "analysis/report/page/page.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::report {

namespace {

/// Nothing may be loaded from anywhere, whatever a name in the session holds.
constexpr std::string_view kPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src "
                                     "'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string header(const metrics::MetricEvaluator& metrics, std::string_view title) {
    const session::Session& session = metrics.session();
    std::string facts;
    for (const auto& [what, value] : view::reportFacts(metrics)) {
        if (what != "driver" && what != "counter set" && what != "counters" && what != "date") continue;
        facts += fmt::format("{}{}{}", facts.empty() ? "" : " · ", what == "date" ? "" : what + " ", value);
    }
    return fmt::format(
        R"(<header class="bar"><span class="brand">Dormer</span><h1>{}</h1><span class="muted">{}</span>)"
        R"(<span class="origin good">{}</span></header>)",
        view::escapeMarkup(view::truncateMiddle(title, 120)), view::escapeMarkup(facts),
        view::escapeMarkup(view::truncateMiddle(session::provenance(session), 160)));
}

/// Packed together: enough for equal markup to be found again, few enough to be unpacked at once.
constexpr std::size_t kPackedTogether = 32;

/// The first `open` as they are; sources and cards of the others packed.
std::string cards(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows,
                  const std::vector<page::SourcePanel>& sources, std::size_t open) {
    page::FactSheet sheet;
    page::FactSheet* const packedFacts = page::isPacked(rows) ? &sheet : nullptr;
    std::string out, pack;
    for (std::size_t i = 0, first = open; i < sources.size(); ++i) {
        const std::string card = page::card(diagnosis, rows.rows[i], i, sources[i], packedFacts);
        if (i < open) {
            out += card;
            continue;
        }
        pack += sources[i].html + card;
        if (i + 1 - first < kPackedTogether && i + 1 < sources.size()) continue;
        out += page::packed(pack, fmt::format(R"(data-first="{}" data-end="{}")", first, i + 1));
        first = i + 1;
        pack.clear();
    }
    if (packedFacts == nullptr) return out;
    return out + page::packed(sheet.json(), R"(class="facts")") +
           "<noscript><p class=\"muted\">The other kernels' evidence and the other charts need "
           "JavaScript.</p></noscript>";
}

} // namespace

std::string htmlReport(const diagnosis::Diagnosis& diagnosis, std::string_view title) {
    const view::KernelRows rows = view::kernelRows(diagnosis, page::kMostKernels);
    std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
    out += fmt::format(R"(<meta http-equiv="Content-Security-Policy" content="{}">)", kPolicy);
    out +=
        R"(<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="generator" content="Dormer">)";
    out += fmt::format("<title>{} · Dormer</title>", view::escapeMarkup(view::truncateMiddle(title, 120)));
    out.append("<style>\n").append(page::kReportStyle).append(page::kReportPrintStyle).append("</style>");
    // Before the body, so that nothing jumps: without scripts the page shows everything at once.
    out += "<script>document.documentElement.classList.add('js')</script></head>\n<body>";
    out += header(diagnosis.metrics(), title);
    const std::vector<page::SourcePanel> sources = page::sourcePanels(diagnosis.session(), rows);
    out += "<main>\n" + page::summary(diagnosis, rows, sources);
    out +=
        "<div class=\"story\"><div class=\"work\">" + page::charts(diagnosis, rows) + page::kernelTable(rows);
    const std::size_t open = page::isPacked(rows) ? page::kUnpackedOfMany : sources.size();
    for (std::size_t i = 0; i < open; ++i)
        out += sources[i].html;
    out += R"(<span class="sources-end" hidden=""></span>)" + page::timeline(diagnosis, rows) +
           page::sweeps(diagnosis, rows) + page::transfers(diagnosis.session()) +
           page::provenancePanels(diagnosis);
    out += "</div><div class=\"cards\">\n";
    out += cards(diagnosis, rows, sources, open) + "</div></div>\n" + page::definitions(diagnosis, rows);
    out.append("</main>\n<script>\n").append(page::kReportScript).append("</script></body></html>\n");
    return out;
}

} // namespace dormer::report
