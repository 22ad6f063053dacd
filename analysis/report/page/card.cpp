// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/access/excess.h"
#include "analysis/metrics/format.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::report::page {

namespace {

constexpr std::size_t kAlwaysShown = 3; ///< bars of headroom, however little is used
constexpr double kIdle = 0.01;          ///< other resources below this share one line
constexpr std::size_t kMostPlaces = 5;  ///< of a finding
constexpr std::size_t kMostPlaceColumns = 400;
constexpr std::size_t kMostChainColumns = 100;
constexpr std::size_t kMostNameColumns = 2000; ///< of a full kernel name; longer ones lose their middle

std::string facts(const session::Session& session, const view::KernelRow& row) {
    const session::Launch& launch = session.launch(row.launch);
    const session::Kernel& kernel = session.kernelOf(row.launch);
    std::string text =
        fmt::format("grid {} · block {}", metrics::forPeople(launch.grid), metrics::forPeople(launch.block));
    if (kernel.registersPerThread > 0) text += fmt::format(" · {} registers", kernel.registersPerThread);
    if (const auto shared = kernel.staticSharedBytes + launch.dynamicSharedBytes; shared > 0)
        text += fmt::format(" · {} shared",
                            metrics::forPeople(static_cast<double>(shared), metrics::Unit::Bytes));
    text += fmt::format(" · stream {}", launch.stream);
    const session::Process& process = session.processes()[launch.process];
    text += fmt::format(" · {}", session::toString(process.origin));
    if (launch.counted && process.passes > 0)
        text += fmt::format(" in {} {}", process.passes, process.passes == 1 ? "pass" : "passes");
    if (!launch.nvtx.empty() && launch.nvtx != row.label)
        text += " · NVTX " + view::truncateMiddle(launch.nvtx, 200);
    return text;
}

/// "AI 0.083 FLOP/B, left of the ridge at 14.7: both agree"
std::string textbook(const verdict::Verdict& verdict) {
    if (!verdict.intensity || !verdict.ridge) return {};
    const metrics::Unit unit = verdict.work == verdict::Work::Fp32 || verdict.work == verdict::Work::Fp64
                                   ? metrics::Unit::FlopPerByte
                                   : metrics::Unit::OpPerByte;
    const bool left = *verdict.intensity < *verdict.ridge;
    std::string text = fmt::format(
        "{} {} per DRAM byte, {} of the ridge at {} for the clocks it ran at",
        metrics::forPeople(*verdict.intensity, metrics::Unit::None),
        unit == metrics::Unit::FlopPerByte ? fmt::format("{} FLOP", verdict::title(verdict.work)) : "op",
        left ? "left" : "right", metrics::forPeople(*verdict.ridge, metrics::Unit::None));
    if (verdict.agrees())
        text += ": both agree";
    else if (verdict.textbook)
        text += fmt::format("; the textbook would say {}-bound", verdict::toString(*verdict.textbook));
    return text;
}

std::string_view fillOf(device::Resource resource) {
    if (resource == device::Resource::IssueSlots) return "latency";
    return device::isMemory(resource) ? "memory" : "compute";
}

std::string headroom(const verdict::Verdict& verdict) {
    std::vector<std::pair<device::Resource, double>> known;
    for (int i = 0; i < device::kResourceCount; ++i)
        if (const auto& use = verdict.utilization[static_cast<std::size_t>(i)])
            known.emplace_back(static_cast<device::Resource>(i), *use);
    if (known.empty()) return {};
    std::ranges::stable_sort(known, std::greater{}, &std::pair<device::Resource, double>::second);
    std::string out = R"(<h4>Headroom</h4><div class="room">)";
    std::string idle;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const auto& [resource, use] = known[i];
        if (i >= kAlwaysShown && use < kIdle) {
            idle += fmt::format("{}{}", idle.empty() ? "" : ", ", device::title(resource));
            continue;
        }
        fmt::format_to(
            std::back_inserter(out),
            R"(<span>{}</span><span class="track"><i class="fill-{}" style="width:{:.1f}%"></i></span>)"
            R"(<span class="nowrap{}">{} of roof</span>)",
            device::title(resource), fillOf(resource), std::clamp(use, 0.0, 1.0) * 100,
            use > 1 ? " gain" : "", metrics::forPeople(use, metrics::Unit::Ratio));
    }
    out += "</div>";
    if (!idle.empty()) out += fmt::format(R"(<p class="muted">below 1 %: {}</p>)", idle);
    return out;
}

/// "vector_sum.cu:41 load: 32 sectors ...", each a link to its line.
std::string placeList(const findings::Finding& finding, const SourcePanel& source) {
    if (finding.places.empty()) return {};
    std::string out = R"(<ul class="places">)";
    for (std::size_t i = 0; i < std::min(finding.places.size(), kMostPlaces); ++i) {
        const findings::FindingPlace& place = finding.places[i];
        out += "<li>" + placeLink(place, source);
        if (finding.places.size() > 1 && place.share > 0)
            out += fmt::format(R"( <span class="muted nowrap">{}</span>)",
                               metrics::forPeople(place.share, metrics::Unit::Ratio));
        if (!place.what.empty())
            out += " " + view::escapeMarkup(view::truncateMiddle(place.what, kMostPlaceColumns));
        if (!place.change.empty())
            out += fmt::format("<br/><span class=\"muted\">{}</span>",
                               proseMarkup(view::truncateMiddle(place.change, kMostPlaceColumns)));
        if (!place.chain.empty())
            out += fmt::format("<br/><span class=\"muted\">inlined at {}</span>",
                               view::escapeMarkup(view::truncateMiddle(place.chain, kMostChainColumns)));
        out += "</li>";
    }
    out += "</ul>";
    if (finding.places.size() > kMostPlaces)
        out += fmt::format(R"(<p class="muted">and {} more places</p>)", finding.places.size() - kMostPlaces);
    return out;
}

std::string findingCards(const view::KernelRow& row, const SourcePanel& source) {
    std::string out = "<h4>What to do</h4>";
    if (row.findings.empty())
        return out + R"(<p class="muted">Nothing found that the counters collected could show.</p>)";
    for (const findings::Finding& finding : row.findings) {
        std::string gain;
        if (finding.gainNs && *finding.gainNs > 0)
            gain = fmt::format(R"(<span class="gain nowrap">−{} a launch</span>)",
                               metrics::forPeople(*finding.gainNs, metrics::Unit::Nanoseconds));
        fmt::format_to(
            std::back_inserter(out),
            R"(<div class="finding"><header><strong>{}</strong>{}</header><p>{}</p>{}<p class="muted">{}</p></div>)",
            view::escapeMarkup(finding.title), gain, view::escapeMarkup(finding.evidence),
            placeList(finding, source), proseMarkup(finding.advice));
    }
    return out;
}

std::string accessPictures(const metrics::MetricEvaluator& metrics, const view::KernelRow& row) {
    const auto people = [](double value) { return metrics::forPeople(value, metrics::Unit::Count); };
    std::string out;
    const auto sectors = view::sectorsPerRequest(metrics, row.launch);
    if (sectors && access::isExcess(sectors->actual, sectors->ideal))
        out += "<h4>One request, in 32-byte sectors</h4>" +
               unitsPicture(sectors->actual, *sectors->ideal,
                            fmt::format("{} sectors on average (ideal {})", people(sectors->actual),
                                        people(*sectors->ideal)));
    const auto& ways = row.cell(view::KernelColumn::Conflicts).value;
    if (access::isExcess(ways, 1.0))
        out += "<h4>One shared-memory access, in wavefronts</h4>" +
               unitsPicture(*ways, 1, fmt::format("{} wavefronts on average (ideal 1)", people(*ways)));
    return out;
}

std::string metricTable(const metrics::MetricEvaluator& metrics, const view::KernelRow& row) {
    std::string lines, missing;
    for (const metrics::Metric& metric : metrics::metricCatalogue()) {
        if (const auto value = metrics.value(row.launch, metric))
            fmt::format_to(std::back_inserter(lines),
                           R"(<tr><td class="left">{}</td><td class="nowrap">{}</td></tr>)",
                           fmt::format(R"(<a href="#m-{0}">{0}</a>)", metric.name),
                           view::escapeMarkup(metrics::forPeople(*value, metric.unit)));
        else
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", metric.name);
    }
    if (!missing.empty())
        missing = fmt::format(R"(<p class="muted full-name">Inputs not collected: {}</p>)", missing);
    return lines.empty() ? missing
                         : fmt::format("<details><summary>All metrics</summary><table>{}</table>{}</details>",
                                       lines, missing);
}

std::string counterTable(const session::Session& session, const view::KernelRow& row) {
    std::string lines;
    const session::CounterTable& counters = session.counters();
    for (std::size_t column = 0; column < counters.names().size(); ++column)
        if (const auto value = counters.get(row.launch, column))
            fmt::format_to(std::back_inserter(lines),
                           R"(<tr><td class="left">{}</td><td class="nowrap">{}</td></tr>)",
                           view::escapeMarkup(counters.names()[column]), fmt::format("{:.10g}", *value));
    return lines.empty()
               ? std::string()
               : fmt::format("<details><summary>Raw counters</summary><table>{}</table></details>", lines);
}

} // namespace

std::string card(const diagnosis::Diagnosis& diagnosis, const view::KernelRow& row, std::size_t index,
                 const SourcePanel& source) {
    const session::Session& session = diagnosis.session();
    const session::Launch& launch = session.launch(row.launch);
    const session::Kernel& kernel = session.kernelOf(row.launch);
    const std::string& fullName = kernel.name.empty() ? kernel.mangledName : kernel.name;
    std::string out = fmt::format(
        R"(<article class="panel card" id="k{0}" data-row="{0}"><div class="panel-head"><h3>{1}</h3></div>)"
        R"(<p class="muted facts">{2} · {3}</p><code class="full-name">{4}</code>)",
        index, view::escapeMarkup(view::truncateMiddle(row.label, 200)),
        row.launches.size() == 1 ? "1 launch" : fmt::format("median of {} launches", row.launches.size()),
        view::escapeMarkup(facts(session, row)),
        view::escapeMarkup(view::truncateMiddle(fullName, kMostNameColumns)));

    const std::string aside = textbook(row.verdict);
    out += fmt::format(R"(<div class="verdict">{} <strong>{}</strong>{}</div>)",
                       inlineMark(row.verdict.bound), view::escapeMarkup(verdict::headline(row.verdict)),
                       aside.empty() ? ""
                                     : fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(aside)));
    if (!launch.notCounted.empty())
        out += fmt::format(R"(<p class="muted">Counters are missing: {}</p>)",
                           view::escapeMarkup(launch.notCounted));

    out += R"(<h4>Why</h4><ul class="why">)";
    for (const std::string& reason : verdict::evidence(diagnosis.metrics(), row.launch, row.verdict))
        out += fmt::format("<li>{}</li>", view::escapeMarkup(reason));
    out += "</ul>" + headroom(row.verdict);
    if (const std::string picture = memoryPicture(diagnosis, row.launch); !picture.empty())
        out += "<h4>Memory chart</h4>" + picture;
    out += findingCards(row, source);
    // The source shows the worst access itself where its lanes are known.
    if (!source.hasPicture) out += accessPictures(diagnosis.metrics(), row);
    out += metricTable(diagnosis.metrics(), row) + counterTable(session, row);
    return out + "</article>\n";
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
