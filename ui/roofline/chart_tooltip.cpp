// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_tooltip.h"

#include "analysis/metrics/format.h"
#include "analysis/view/plot/roof_geometry.h"
#include "ui/sessions/session_hub.h"

#include <cmath>

namespace dormer::ui::roofline {

QString chartTooltip(const sessions::SessionHub& hub, const ChartFeed& feed, const Marker& marker) {
    const ChartPoint* point = feed.points().find(marker.launch);
    if (!point) return {};
    const verdict::Roofline& roofline = feed.roofline();
    QString rows;
    const auto row = [&](const QString& name, const std::string& value) {
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td></tr>")
                    .arg(name, QString::fromStdString(value).toHtmlEscaped());
    };
    row(QStringLiteral("intensity"),
        metrics::forPeople(std::pow(10, point->x), view::plot::intensityUnit(roofline.work)));
    row(QStringLiteral("rate"), view::plot::rateText(std::pow(10, point->y), roofline.work));
    for (const view::plot::Roof& roof : view::plot::roofs(roofline)) {
        if (const auto attainable = roof.attainable(point->x)) {
            row(roof.measured ? QStringLiteral("of the measured roof")
                              : QStringLiteral("of the theoretical roof"),
                metrics::forPeople(std::pow(10, point->y - *attainable), metrics::Unit::Ratio));
        }
    }
    row(QStringLiteral("time"), metrics::forPeople(point->durationNs, metrics::Unit::Nanoseconds));

    const std::string kernel = session::shortKernelName(hub.session().kernelOf(marker.launch).name);
    QString text =
        QStringLiteral("<b>%1</b>").arg(QString::fromStdString(feed.labelText(point->label)).toHtmlEscaped());
    if (!hub.session().launch(marker.launch).workload.empty()) {
        text += QStringLiteral("<br>") + QString::fromStdString(kernel).toHtmlEscaped();
    }
    text +=
        QStringLiteral("<br>%1<table cellspacing='0'>%2</table>")
            .arg(QString::fromStdString(verdict::headline(hub.verdict(marker.launch))).toHtmlEscaped(), rows);
    if (marker.count > 1) text += QStringLiteral("and %1 more launches here: zoom in").arg(marker.count - 1);
    return text;
}

} // namespace dormer::ui::roofline
