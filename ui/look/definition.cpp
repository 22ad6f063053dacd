// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/definition.h"

namespace dormer::ui::look {

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

} // namespace dormer::ui::look
