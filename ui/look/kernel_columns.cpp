// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/kernel_columns.h"

#include <array>

namespace dormer::ui::look {

std::optional<SectorsPerRequest> sectorsPerRequest(const metrics::MetricEvaluator& metrics,
                                                   session::LaunchIndex launch) {
    struct Kind {
        std::string_view actual, ideal;
        bool stores;
    };
    static constexpr std::array kKinds{
        Kind{"global_load_sectors_per_request", "global_load_sectors_ideal_per_request", false},
        Kind{"global_store_sectors_per_request", "global_store_sectors_ideal_per_request", true}};
    const auto waste = [](const SectorsPerRequest& s) { return s.ideal ? s.actual / *s.ideal : 1.0; };
    std::optional<SectorsPerRequest> worse;
    for (const Kind& kind : kKinds) {
        const auto actual = metrics.value(launch, kind.actual);
        if (!actual) continue;
        const SectorsPerRequest found{
            .actual = *actual, .ideal = metrics.value(launch, kind.ideal), .ofStores = kind.stores};
        if (!worse || waste(found) > waste(*worse)) worse = found;
    }
    return worse;
}

QString definitionOf(std::string_view name) {
    const metrics::Metric* metric = metrics::findMetric(name);
    if (metric == nullptr) return {};
    const auto plain = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
    };
    QString html =
        QStringLiteral("<p><b>%1</b> &nbsp;%2</p><p>%3</p><p><tt>%4</tt></p>")
            .arg(plain(metric->title), plain(metric->name), plain(metric->meaning), plain(metric->formula));
    if (!metric->ncu.empty()) html += QStringLiteral("<p>Nsight Compute: %1</p>").arg(plain(metric->ncu));
    return html;
}

QString missingReason(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                      std::string_view metric) {
    const std::string& why = metrics.session().launch(launch).notCounted;
    if (!why.empty()) return QStringLiteral("not counted: %1").arg(QString::fromStdString(why));
    const std::string input = metrics.missingInput(launch, metric);
    if (input.empty()) return QStringLiteral("not defined here: the formula has no finite value");
    return QStringLiteral("not collected: %1").arg(QString::fromStdString(input));
}

QString dash() {
    return QStringLiteral("\u2013");
}

QString fixed(double value, int decimals) {
    return QString::number(value, 'f', decimals);
}

} // namespace dormer::ui::look
