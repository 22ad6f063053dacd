// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/explain/explained.h"

#include "analysis/verdict/verdict.h"
#include "analysis/view/explain/explanation.h"
#include "ui/explain/doc_pages.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QSet>

#include <array>

namespace dormer::ui::explain {
namespace {

using look::words;

constexpr std::array kBounds{verdict::Bound::Memory, verdict::Bound::Compute, verdict::Bound::Latency,
                             verdict::Bound::Balanced, verdict::Bound::Unknown};
const QString kVerdicts = QStringLiteral("verdicts.md");

view::explain::ExplainedLaunch explainedIn(const sessions::SessionHub& hub) {
    return {&hub.diagnosis(), hub.selected()};
}

QString sectionText(const QString& page, const QString& anchor) {
    for (const DocSection& section : docSections())
        if (section.page == page && anchorOf(section.heading) == anchor) return section.text;
    return {};
}

Explanation documentation(const QString& target) {
    const QString page = target.section(QLatin1Char('#'), 0, 0), anchor = target.section(QLatin1Char('#'), 1);
    Explanation found{page, docPage(page), {}};
    for (const DocSection& section : docSections()) {
        if (section.page != page) continue;
        found.title = section.title;
        if (!anchor.isEmpty() && anchorOf(section.heading) == anchor) found.heading = section.heading;
    }
    return found;
}

/// What it means, by the documentation, and why the selected launch has it.
Explanation verdictOf(const QString& name, const sessions::SessionHub& hub) {
    for (const verdict::Bound bound : kBounds) {
        if (words(verdict::toString(bound)) != name) continue;
        const QString title = look::verdictWord(bound);
        QString page = QStringLiteral("# %1\n\n").arg(title);
        page[2] = page[2].toUpper();
        if (const auto launch = hub.selected(); launch && hub.verdict(*launch).bound == bound)
            page += words(view::explain::launchVerdict(explainedIn(hub)));
        return {title,
                page + QStringLiteral("## How verdicts are found\n") +
                    sectionText(kVerdicts, QStringLiteral("verdict")) +
                    QStringLiteral("\nAll of it: [How Dormer judges a launch](doc:%1)\n").arg(kVerdicts),
                {}};
    }
    return {};
}

void addKernels(const sessions::SessionHub& hub, QList<Item>& items) {
    for (const metrics::LaunchGroup& group : hub.diagnosis().groups())
        items << Item{.kind = Kind::Kernel,
                      .title = words(group.label),
                      .detail = look::verdictWord(hub.verdict(group.representative).bound),
                      .names = words(group.kernel),
                      .address = QStringLiteral("kernel:%1").arg(session::raw(group.representative))};
}

void addMetrics(QList<Item>& items) {
    for (const metrics::Metric& metric : metrics::metricCatalogue())
        items << Item{.kind = Kind::Metric,
                      .title = words(metric.title),
                      .detail = words(metric.name),
                      .names = words(metric.name) + QLatin1Char(' ') + words(metric.ncu),
                      .text = words(metric.meaning) + QLatin1Char(' ') + words(metric.formula),
                      .address = QStringLiteral("metric:%1").arg(words(metric.name))};
}

void addFindings(QList<Item>& items) {
    QSet<QString> codes;
    for (const findings::FindingText& finding : findings::findingCatalogue()) {
        const QString code = words(finding.code);
        if (codes.contains(code)) continue;
        codes.insert(code);
        items << Item{.kind = Kind::Finding,
                      .title = words(finding.title),
                      .detail = code,
                      .names = code + QLatin1Char(' ') + words(finding.rule),
                      .text = words(finding.advice),
                      .address = QStringLiteral("finding:%1").arg(code)};
    }
}

} // namespace

Explanation explanationOf(const QString& address, const sessions::SessionHub& hub) {
    const QString kind = address.section(QLatin1Char(':'), 0, 0), name = address.section(QLatin1Char(':'), 1);
    if (kind == QLatin1String("doc")) return documentation(name);
    if (kind == QLatin1String("verdict")) return verdictOf(name, hub);
    if (kind == QLatin1String("metric")) {
        const metrics::Metric* metric = metrics::findMetric(name.toStdString());
        if (metric == nullptr) return {};
        return {words(metric->title), words(view::explain::metricPage(*metric, explainedIn(hub))), {}};
    }
    if (kind == QLatin1String("finding")) {
        for (const findings::FindingText& finding : findings::findingCatalogue())
            if (words(finding.code) == name)
                return {words(finding.title),
                        words(view::explain::findingPage(finding.code, explainedIn(hub))),
                        {}};
        return {};
    }
    if (kind != QLatin1String("roof")) return {};
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        if (words(device::toString(resource)) == name)
            return {words(device::title(resource)),
                    words(view::explain::roofPage(resource, explainedIn(hub))),
                    {}};
    }
    return {};
}

QList<Item> explainedItems(const sessions::SessionHub& hub) {
    QList<Item> items;
    addKernels(hub, items);
    addMetrics(items);
    for (const verdict::Bound bound : kBounds) {
        QString title = look::verdictWord(bound);
        title[0] = title[0].toUpper();
        items << Item{.kind = Kind::Verdict,
                      .title = title,
                      .detail = {},
                      .names = QStringLiteral("verdict"),
                      .address = QStringLiteral("verdict:%1").arg(words(verdict::toString(bound)))};
    }
    addFindings(items);
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        items << Item{.kind = Kind::Roof,
                      .title = QStringLiteral("%1 roof").arg(words(device::title(resource))),
                      .detail = {},
                      .names = QStringLiteral("ceiling peak"),
                      .address = QStringLiteral("roof:%1").arg(words(device::toString(resource)))};
    }
    for (const DocSection& section : docSections())
        items << Item{.kind = Kind::Page,
                      .title = section.heading,
                      .detail = section.heading == section.title ? section.page : section.title,
                      .names = section.page,
                      .text = section.text,
                      .address = QStringLiteral("doc:%1#%2").arg(section.page, anchorOf(section.heading))};
    return items;
}

} // namespace dormer::ui::explain
