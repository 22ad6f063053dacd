// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/metrics/metric_topics.h"
#include "analysis/verdict/verify.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::report::page {

namespace {

constexpr std::size_t kMostListed = 200;     ///< notes and answers; programs can send any number
constexpr std::size_t kMostOpenAnswers = 40; ///< a longer table scrolls by itself

std::string answersPanel(const metrics::MetricEvaluator& metrics) {
    std::vector<verdict::Answer> answers = verdict::verify(metrics);
    if (answers.empty()) return {};
    // What broke is what people look for.
    std::ranges::stable_partition(answers, [](const verdict::Answer& answer) { return !answer.held; });
    const auto held = std::ranges::count_if(answers, &verdict::Answer::held);
    std::string out = fmt::format(
        R"(<section class="panel" aria-label="Expected values"><div class="panel-head"><h2>Expected values</h2>)"
        R"(<span class="right {}">{} of {} PASS</span></div><div class="scroll{}"><table><thead><tr><th class="left">workload</th>)"
        R"(<th class="left">expected</th><th class="left">reported</th><th></th></tr></thead><tbody>)",
        static_cast<std::size_t>(held) == answers.size() ? "good" : "gain", held, answers.size(),
        answers.size() > kMostOpenAnswers ? " long" : "");
    for (std::size_t i = 0; i < std::min(answers.size(), kMostListed); ++i)
        fmt::format_to(
            std::back_inserter(out),
            R"(<tr><td class="left">{}</td><td class="left">{}</td><td class="left">{}</td><td class="{}">{}</td></tr>)",
            view::escapeMarkup(answers[i].workload), view::escapeMarkup(answers[i].what),
            view::escapeMarkup(answers[i].reported), answers[i].held ? "good" : "gain",
            answers[i].held ? "✓ PASS" : "✗ FAIL");
    out += "</tbody></table></div>";
    if (answers.size() > kMostListed)
        out += fmt::format(R"(<p class="muted">The first {} of {}; the JSON export has all.</p>)",
                           kMostListed, answers.size());
    return out + "</section>";
}

std::string notesPanel(const session::Session& session) {
    if (session.notes().empty()) return {};
    std::string out = R"(<section class="panel" aria-label="Notes"><h2>Notes</h2><ul class="why">)";
    for (std::size_t i = 0; i < std::min(session.notes().size(), kMostListed); ++i)
        out += fmt::format("<li>{}</li>",
                           view::escapeMarkup(view::truncateMiddle(session.notes()[i].text, 600)));
    if (session.notes().size() > kMostListed)
        out += fmt::format("<li>and {} more</li>", session.notes().size() - kMostListed);
    return out + "</ul></section>";
}

void appendMetric(std::string& out, const metrics::Metric& metric) {
    fmt::format_to(std::back_inserter(out),
                   R"(<div id="m-{}"><dt>{}</dt><dd>{}</dd><dd><code>{}</code></dd>)", metric.name,
                   metric.name, view::escapeMarkup(metric.meaning), view::escapeMarkup(metric.formula));
    const std::string_view unit = metrics::unitSymbol(metric.unit);
    std::string foot = unit.empty() || unit == "1" ? std::string() : fmt::format("unit {}", unit);
    if (!metric.ncu.empty())
        foot += fmt::format("{}Nsight Compute: {}", foot.empty() ? "" : " · ", metric.ncu);
    if (!foot.empty()) out += fmt::format(R"(<dd class="muted">{}</dd>)", view::escapeMarkup(foot));
    out += "</div>";
}

} // namespace

std::string provenancePanels(const diagnosis::Diagnosis& diagnosis) {
    std::string out =
        R"(<div class="pair"><section class="panel" aria-label="How it was measured"><h2>How it was measured</h2><dl class="facts-list">)";
    for (const auto& [what, value] : view::reportFacts(diagnosis.metrics()))
        out += fmt::format("<dt>{}</dt><dd>{}</dd>", view::escapeMarkup(what),
                           view::escapeMarkup(view::truncateMiddle(value, 400)));
    return out + "</dl></section>" + notesPanel(diagnosis.session()) + "</div>" +
           answersPanel(diagnosis.metrics());
}

std::string definitions(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows) {
    std::string out =
        R"(<section class="panel" id="definitions" aria-label="Definitions"><h2>Definitions</h2>)"
        R"(<p class="muted">Every number is one of these formulas over hardware counters. What was not collected is a dash, never zero.</p>)";
    const auto isShown = [&](std::string_view name) {
        return std::ranges::any_of(rows.rows, [&](const view::KernelRow& row) {
            return diagnosis.metrics().value(row.launch, name).has_value();
        });
    };
    for (const metrics::MetricTopic& topic : metrics::metricTopics()) {
        std::string entries;
        for (const metrics::Metric& metric : topic.metrics)
            if (isShown(metric.name)) appendMetric(entries, metric);
        if (!entries.empty())
            out += fmt::format(
                R"(<details class="print-open"><summary>{}</summary><dl class="defs">{}</dl></details>)",
                view::escapeMarkup(topic.title), entries);
    }
    return out + "</section>";
}

} // namespace dormer::report::page
