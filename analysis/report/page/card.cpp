// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/format.h"
#include "analysis/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::analysis::page {

namespace {

constexpr std::size_t kAlwaysShown = 3; ///< bars of headroom, however little is used
constexpr double kIdle = 0.01;          ///< other resources below this share one line
constexpr std::size_t kMostPlaces = 5;  ///< of a finding
constexpr std::size_t kMostPlaceColumns = 400;
constexpr std::size_t kMostChainColumns = 100;
constexpr std::size_t kMostNameColumns = 2000; ///< of a full kernel name; longer ones lose their middle

std::string facts(const Session& session, const ReportRow& row) {
    const Launch& launch = session.launch(row.launch);
    const Kernel& kernel = session.kernelOf(row.launch);
    std::string text = fmt::format("grid {} · block {}", forPeople(launch.grid), forPeople(launch.block));
    if (kernel.registersPerThread > 0) text += fmt::format(" · {} registers", kernel.registersPerThread);
    if (const auto shared = kernel.staticSharedBytes + launch.dynamicSharedBytes; shared > 0)
        text += fmt::format(" · {} shared", forPeople(static_cast<double>(shared), Unit::Bytes));
    text += fmt::format(" · stream {}", launch.stream);
    const Process& process = session.processes()[launch.process];
    text += fmt::format(" · {}", toString(process.origin));
    if (launch.counted && process.passes > 0)
        text += fmt::format(" in {} {}", process.passes, process.passes == 1 ? "pass" : "passes");
    if (!launch.nvtx.empty() && launch.nvtx != row.label)
        text += " · NVTX " + truncateMiddle(launch.nvtx, 200);
    return text;
}

/// "AI 0.083 FLOP/B, left of the ridge at 14.7: both agree"
std::string textbook(const Verdict& verdict) {
    if (!verdict.intensity || !verdict.ridge) return {};
    const Unit unit =
        verdict.work == Work::Fp32 || verdict.work == Work::Fp64 ? Unit::FlopPerByte : Unit::OpPerByte;
    const bool left = *verdict.intensity < *verdict.ridge;
    std::string text =
        fmt::format("{} {} per DRAM byte, {} of the ridge at {} for the clocks it ran at",
                    forPeople(*verdict.intensity, Unit::None),
                    unit == Unit::FlopPerByte ? fmt::format("{} FLOP", title(verdict.work)) : "op",
                    left ? "left" : "right", forPeople(*verdict.ridge, Unit::None));
    if (verdict.agrees())
        text += ": both agree";
    else if (verdict.textbook)
        text += fmt::format("; the textbook would say {}-bound", toString(*verdict.textbook));
    return text;
}

std::string_view fillOf(Resource resource) {
    if (resource == Resource::IssueSlots) return "latency";
    return isMemory(resource) ? "memory" : "compute";
}

std::string headroom(const Verdict& verdict) {
    std::vector<std::pair<Resource, double>> known;
    for (int i = 0; i < kResourceCount; ++i)
        if (const auto& use = verdict.utilization[static_cast<std::size_t>(i)])
            known.emplace_back(static_cast<Resource>(i), *use);
    if (known.empty()) return {};
    std::ranges::stable_sort(known, std::greater{}, &std::pair<Resource, double>::second);
    std::string out = R"(<h4>Headroom</h4><div class="room">)";
    std::string idle;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const auto& [resource, use] = known[i];
        if (i >= kAlwaysShown && use < kIdle) {
            idle += fmt::format("{}{}", idle.empty() ? "" : ", ", title(resource));
            continue;
        }
        fmt::format_to(
            std::back_inserter(out),
            R"(<span>{}</span><span class="track"><i class="fill-{}" style="width:{:.1f}%"></i></span>)"
            R"(<span class="nowrap{}">{} of roof</span>)",
            title(resource), fillOf(resource), std::clamp(use, 0.0, 1.0) * 100, use > 1 ? " gain" : "",
            forPeople(use, Unit::Ratio));
    }
    out += "</div>";
    if (!idle.empty()) out += fmt::format(R"(<p class="muted">below 1 %: {}</p>)", idle);
    return out;
}

/// "vector_sum.cu:41 load: 32 sectors ...", each a link to its line.
std::string placeList(const Finding& finding, const SourcePanel& source) {
    if (finding.places.empty()) return {};
    std::string out = R"(<ul class="places">)";
    for (std::size_t i = 0; i < std::min(finding.places.size(), kMostPlaces); ++i) {
        const FindingPlace& place = finding.places[i];
        out += "<li>" + placeLink(place, source);
        if (finding.places.size() > 1 && place.share > 0)
            out +=
                fmt::format(R"( <span class="muted nowrap">{}</span>)", forPeople(place.share, Unit::Ratio));
        if (!place.what.empty()) out += " " + escapeMarkup(truncateMiddle(place.what, kMostPlaceColumns));
        if (!place.change.empty())
            out += fmt::format("<br/><span class=\"muted\">{}</span>",
                               proseMarkup(truncateMiddle(place.change, kMostPlaceColumns)));
        if (!place.chain.empty())
            out += fmt::format("<br/><span class=\"muted\">inlined at {}</span>",
                               escapeMarkup(truncateMiddle(place.chain, kMostChainColumns)));
        out += "</li>";
    }
    out += "</ul>";
    if (finding.places.size() > kMostPlaces)
        out += fmt::format(R"(<p class="muted">and {} more places</p>)", finding.places.size() - kMostPlaces);
    return out;
}

std::string findingCards(const ReportRow& row, const SourcePanel& source) {
    std::string out = "<h4>What to do</h4>";
    if (row.findings.empty())
        return out + R"(<p class="muted">Nothing found that the counters collected could show.</p>)";
    for (const Finding& finding : row.findings) {
        std::string gain;
        if (finding.gainNs && *finding.gainNs > 0)
            gain = fmt::format(R"(<span class="gain nowrap">−{} a launch</span>)",
                               forPeople(*finding.gainNs, Unit::Nanoseconds));
        fmt::format_to(
            std::back_inserter(out),
            R"(<div class="finding"><header><strong>{}</strong>{}</header><p>{}</p>{}<p class="muted">{}</p></div>)",
            escapeMarkup(finding.title), gain, escapeMarkup(finding.evidence), placeList(finding, source),
            proseMarkup(finding.advice));
    }
    return out;
}

std::string accessPictures(const ReportRow& row) {
    std::string out;
    if (wastesSectors(row))
        out += "<h4>One request, in 32-byte sectors</h4>" +
               unitsPicture(*row.sectorsPerRequest, *row.idealSectorsPerRequest,
                            fmt::format("{} sectors on average; the bytes asked for fit in {}",
                                        forPeople(*row.sectorsPerRequest, Unit::Count),
                                        forPeople(*row.idealSectorsPerRequest, Unit::Count)));
    if (hasConflicts(row))
        out += "<h4>One shared-memory access, in wavefronts</h4>" +
               unitsPicture(*row.conflictWays, 1,
                            fmt::format("{} passes on average where 1 would do",
                                        forPeople(*row.conflictWays, Unit::Count)));
    return out;
}

std::string metricTable(const MetricEvaluator& metrics, const ReportRow& row) {
    std::string lines, missing;
    for (const Metric& metric : metricCatalogue()) {
        if (const auto value = metrics.value(row.launch, metric))
            fmt::format_to(std::back_inserter(lines),
                           R"(<tr><td class="left">{}</td><td class="nowrap">{}</td></tr>)",
                           fmt::format(R"(<a href="#m-{0}">{0}</a>)", metric.name),
                           escapeMarkup(forPeople(*value, metric.unit)));
        else
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", metric.name);
    }
    if (!missing.empty())
        missing = fmt::format(R"(<p class="muted full-name">Inputs not collected: {}</p>)", missing);
    return lines.empty() ? missing
                         : fmt::format("<details><summary>All metrics</summary><table>{}</table>{}</details>",
                                       lines, missing);
}

std::string counterTable(const Session& session, const ReportRow& row) {
    std::string lines;
    const CounterTable& counters = session.counters();
    for (std::size_t column = 0; column < counters.names().size(); ++column)
        if (const auto value = counters.get(row.launch, column))
            fmt::format_to(std::back_inserter(lines),
                           R"(<tr><td class="left">{}</td><td class="nowrap">{}</td></tr>)",
                           escapeMarkup(counters.names()[column]), fmt::format("{:.10g}", *value));
    return lines.empty()
               ? std::string()
               : fmt::format("<details><summary>Raw counters</summary><table>{}</table></details>", lines);
}

} // namespace

std::string card(const MetricEvaluator& metrics, const ReportRow& row, std::size_t index,
                 const SourcePanel& source) {
    const Session& session = metrics.session();
    const Launch& launch = session.launch(row.launch);
    const Kernel& kernel = session.kernelOf(row.launch);
    const std::string& fullName = kernel.name.empty() ? kernel.mangledName : kernel.name;
    std::string out = fmt::format(
        R"(<article class="panel card" id="k{0}" data-row="{0}"><div class="panel-head"><h3>{1}</h3></div>)"
        R"(<p class="muted facts">{2} · {3}</p><code class="full-name">{4}</code>)",
        index, escapeMarkup(truncateMiddle(row.label, 200)),
        row.launches.size() == 1 ? "1 launch" : fmt::format("median of {} launches", row.launches.size()),
        escapeMarkup(facts(session, row)), escapeMarkup(truncateMiddle(fullName, kMostNameColumns)));

    const std::string aside = textbook(row.verdict);
    out += fmt::format(R"(<div class="verdict">{} <strong>{}</strong>{}</div>)",
                       inlineMark(row.verdict.bound), escapeMarkup(headline(row.verdict)),
                       aside.empty() ? "" : fmt::format(R"(<p class="muted">{}</p>)", escapeMarkup(aside)));
    if (!launch.notCounted.empty())
        out +=
            fmt::format(R"(<p class="muted">Counters are missing: {}</p>)", escapeMarkup(launch.notCounted));

    out += R"(<h4>Why</h4><ul class="why">)";
    for (const std::string& reason : evidence(metrics, row.launch, row.verdict))
        out += fmt::format("<li>{}</li>", escapeMarkup(reason));
    out += "</ul>" + headroom(row.verdict);
    if (const std::string picture = memoryPicture(metrics, row.launch); !picture.empty())
        out += "<h4>Where the bytes go</h4>" + picture;
    out += findingCards(row, source);
    // The source shows the worst access itself where its lanes are known.
    if (!source.hasPicture) out += accessPictures(row);
    out += metricTable(metrics, row) + counterTable(session, row);
    return out + "</article>\n";
}

std::string proseMarkup(std::string_view text) {
    const std::string escaped = escapeMarkup(text);
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

std::string placeLink(const FindingPlace& place, const SourcePanel& source) {
    const std::string anchor = source.anchor(place);
    const std::string text = escapeMarkup(truncateMiddle(place.place, 80));
    return anchor.empty() ? fmt::format("<span class=\"place\">{}</span>", text)
                          : fmt::format(R"(<a class="place" href="#{}">{}</a>)", anchor, text);
}

} // namespace dormer::analysis::page
