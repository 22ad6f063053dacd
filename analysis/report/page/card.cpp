// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/access/excess.h"
#include "analysis/metrics/format.h"
#include "analysis/view/details/details_facts.h"
#include "analysis/view/details/finding_text.h"
#include "analysis/view/recommendations.h"
#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::report::page {

namespace {

constexpr std::size_t kMostPlaceColumns = 400;
constexpr std::size_t kMostChainColumns = 100;
constexpr std::size_t kMostNameColumns = 2000; ///< of a full kernel name; longer ones lose their middle

std::string utilizationBars(const session::Session& session, const view::KernelRow& row) {
    const view::details::Utilization used = view::details::utilization(session, row.launch, row.verdict);
    if (used.bars.empty()) return {};
    std::string out = fmt::format("<h4>{}</h4>{}", view::details::kUtilizationTitle, shareBars(used.bars));
    if (!used.idle.empty()) out += fmt::format(R"(<p class="muted">{}</p>)", used.idle);
    return out;
}

std::string muted(std::string_view markup) {
    return fmt::format("<br/><span class=\"muted\">{}</span>", markup);
}

/// "vector_sum.cu:41 62 % · load: 32 sectors ...", each a link to its line.
std::string placeList(const view::details::FindingText& finding, const SourcePanel& source) {
    if (finding.places.empty()) return {};
    std::string out = R"(<ul class="places">)";
    for (const view::details::FindingPlaceText& place : finding.places) {
        out += fmt::format("<li>{} {}", placeLink(place.at, source),
                           view::escapeMarkup(view::truncateMiddle(place.evidence, kMostPlaceColumns)));
        if (!place.at.change.empty())
            out += muted(proseMarkup(view::truncateMiddle(place.at.change, kMostPlaceColumns)));
        if (!place.inlined.empty())
            out += muted(view::escapeMarkup(view::truncateMiddle(place.inlined, kMostChainColumns)));
        out += "</li>";
    }
    out += "</ul>";
    if (!finding.morePlaces.empty()) out += fmt::format(R"(<p class="muted">{}</p>)", finding.morePlaces);
    return out;
}

std::string findingCards(const session::Session& session, const view::KernelRow& row,
                         const SourcePanel& source) {
    std::string out = fmt::format("<h4>{}</h4>", view::details::recommendationsHeading(row.findings.size()));
    if (row.findings.empty())
        return out + fmt::format(R"(<p class="muted">{}</p>)",
                                 view::escapeMarkup(view::noRecommendations(session)));
    // Those without an estimate stand last; below others they are folded.
    const auto withGain = static_cast<std::size_t>(
        std::ranges::count_if(row.findings, [](const auto& each) { return each.totalGainNs.has_value(); }));
    const bool fold = withGain > 0 && withGain < row.findings.size();
    std::size_t at = 0;
    for (const diagnosis::GroupFinding& each : row.findings) {
        const view::details::FindingText finding = view::details::findingText(session, each);
        if (fold && at++ == withGain)
            out += fmt::format("<details><summary>{} without estimated savings</summary>",
                               row.findings.size() - withGain);
        std::string savings;
        if (!finding.savings.empty())
            savings = fmt::format(R"(<span class="gain nowrap" title="{}">{}</span>)",
                                  view::details::kFindingSavingsTip, finding.savings);
        fmt::format_to(
            std::back_inserter(out),
            R"(<div class="finding"><header><strong>{}</strong>{}</header><p>{}</p>{}<p class="muted">{}</p></div>)",
            view::escapeMarkup(finding.title), savings, view::escapeMarkup(finding.evidence),
            placeList(finding, source), proseMarkup(finding.advice));
    }
    if (fold) out += "</details>";
    return out;
}

std::string accessPictures(const metrics::MetricEvaluator& metrics, const view::KernelRow& row) {
    const auto people = [](double value) { return metrics::forPeople(value, metrics::Unit::Count); };
    std::string out;
    const auto sectors = view::sectorsPerRequest(metrics, row.launch);
    if (sectors && access::isExcess(sectors->actual, sectors->ideal))
        out += "<h4>One request, in 32-byte sectors</h4>" +
               unitsPicture(sectors->actual, *sectors->ideal,
                            fmt::format("{} sectors/request on average (ideal {})", people(sectors->actual),
                                        people(*sectors->ideal)));
    const auto& ways = row.cell(view::KernelColumn::Conflicts).value;
    if (access::isExcess(ways, 1.0))
        out += "<h4>One shared-memory access, in wavefronts</h4>" +
               unitsPicture(*ways, 1,
                            fmt::format("{} wavefronts per request on average (ideal 1)", people(*ways)));
    return out;
}

/// Folded below its title, with markup for the label of each fact.
std::string factTable(std::string_view title, const std::vector<view::details::Fact>& facts,
                      const auto& label) {
    if (facts.empty()) return {};
    std::string lines;
    for (const view::details::Fact& fact : facts)
        fmt::format_to(std::back_inserter(lines),
                       R"(<tr><td class="left">{}</td><td class="nowrap">{}</td></tr>)", label(fact),
                       view::escapeMarkup(fact.value));
    return fmt::format("<details><summary>{}</summary><table>{}</table></details>", title, lines);
}

std::string factTables(const view::details::DetailsFacts& facts, FactSheet* sheet) {
    constexpr const char *kMetrics = "All metrics", *kCounters = "Raw counters";
    // The page's script fills in what is in the sheet.
    const auto empty = [](const char* title, const char* key) {
        return fmt::format(R"(<details data-facts="{}"><summary>{}</summary></details>)", key, title);
    };
    if (sheet != nullptr) sheet->add(facts);
    std::string out;
    if (sheet == nullptr) // what each means, the script takes from the definitions
        out = factTable(kMetrics, facts.metrics, [](const view::details::Fact& fact) {
            return fmt::format(R"(<a href="#m-{0}">{0}</a>)", fact.label);
        });
    else if (!facts.metrics.empty())
        out = empty(kMetrics, "metrics");
    if (!facts.missing.empty())
        out += fmt::format(R"(<p class="muted full-name">Inputs not collected: {}</p>)", facts.missing);
    if (sheet != nullptr) return facts.counters.empty() ? out : out + empty(kCounters, "counters");
    return out + factTable(kCounters, facts.counters,
                           [](const view::details::Fact& fact) { return view::escapeMarkup(fact.label); });
}

} // namespace

std::string card(const diagnosis::Diagnosis& diagnosis, const view::KernelRow& row, std::size_t index,
                 const SourcePanel& source, FactSheet* sheet) {
    const session::Session& session = diagnosis.session();
    const session::Launch& launch = session.launch(row.launch);
    const session::Kernel& kernel = session.kernelOf(row.launch);
    const view::details::DetailsFacts facts = view::details::detailsFacts(diagnosis.metrics(), row.launch);
    const std::string& fullName = kernel.name.empty() ? kernel.mangledName : kernel.name;
    std::string out = fmt::format(
        R"(<article class="panel card" id="k{0}" data-row="{0}"><div class="panel-head"><h3>{1}</h3></div>)"
        R"(<p class="muted facts">{2} · {3}</p><code class="full-name">{4}</code>)",
        index, view::escapeMarkup(view::truncateMiddle(row.label, 200)),
        row.launches.size() == 1 ? "1 launch" : fmt::format("median of {} launches", row.launches.size()),
        view::escapeMarkup(view::details::inOneLine(facts.configuration)),
        view::escapeMarkup(view::truncateMiddle(fullName, kMostNameColumns)));

    out += fmt::format(R"(<div class="verdict">{} <strong>{}</strong><p class="muted">{}</p></div>)",
                       inlineMark(row.verdict.bound), view::escapeMarkup(verdict::headline(row.verdict)),
                       facts.time);
    if (!launch.notCounted.empty())
        out += fmt::format(R"(<p class="muted">Counters are missing: {}</p>)",
                           view::escapeMarkup(launch.notCounted));

    out += R"(<h4>Evidence</h4><ul class="why">)";
    for (const std::string& reason : verdict::evidence(diagnosis.metrics(), row.launch, row.verdict))
        out += fmt::format("<li>{}</li>", view::escapeMarkup(reason));
    out += "</ul>" + utilizationBars(session, row);
    out += stallTables(session, launch.kernel);
    if (const std::string picture = memoryPicture(diagnosis, row.launch); !picture.empty())
        out += "<h4>Memory chart</h4>" + picture;
    out += findingCards(session, row, source);
    // The source shows the worst access itself where its lanes are known.
    if (!source.hasPicture) out += accessPictures(diagnosis.metrics(), row);
    out += factTables(facts, sheet);
    return out + "</article>\n";
}

std::string shareBars(const std::vector<view::details::UtilizationBar>& bars) {
    std::string out = R"(<div class="room">)";
    for (const view::details::UtilizationBar& bar : bars) {
        const std::string_view side = view::markOf(bar.side).cssClass;
        const auto fill = [&](double share, std::string_view pale) {
            return fmt::format(R"(<i class="fill-{}{}" style="width:{:.1f}%"></i>)", side, pale,
                               std::clamp(share, 0.0, 1.0) * 100);
        };
        fmt::format_to(
            std::back_inserter(out),
            R"(<span title="{}">{}</span><span class="track">{}{}</span><span class="nowrap{}">{}</span>)",
            view::escapeMarkup(bar.tooltip), view::escapeMarkup(bar.name),
            bar.solid ? fill(bar.share, " pale") : "", fill(bar.solid.value_or(bar.share), ""),
            bar.share > 1 ? " gain" : "", bar.text);
    }
    return out + "</div>";
}

std::string proseMarkup(std::string_view text) {
    const std::string escaped = view::escapeMarkup(text);
    std::string out;
    for (std::size_t at = 0; at < escaped.size();) {
        const std::size_t begin = escaped.find('`', at);
        const std::size_t end = begin == std::string::npos ? begin : escaped.find('`', begin + 1);
        if (end == std::string::npos) return out + escaped.substr(at);
        out += escaped.substr(at, begin - at) + "<code>" + escaped.substr(begin + 1, end - begin - 1) +
               "</code>";
        at = end + 1;
    }
    return out;
}

std::string placeLink(const findings::FindingPlace& place, const SourcePanel& source) {
    const std::string anchor = source.anchor(place);
    const std::string text = view::escapeMarkup(view::truncateMiddle(place.place, 80));
    return anchor.empty() ? fmt::format("<span class=\"place\">{}</span>", text)
                          : fmt::format(R"(<a class="place" href="#{}">{}</a>)", anchor, text);
}

} // namespace dormer::report::page
