// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_export.h"

#include "ui/roofline/chart_header.h"

#include <QFileInfo>
#include <QImage>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <cmath>

namespace dormer::ui::roofline {
namespace {

constexpr int kMargin = 20;
constexpr int kTitleHeight = 58;
constexpr int kFooterHeight = 30;
constexpr int kScreenDpi = 96; ///< fonts are laid out for it, on paper too
constexpr double kPngScale = 2;

QSize pageSize(const ChartPage& page) {
    const int gutter = static_cast<int>(std::ceil(gutterHeight(page.gutter)));
    return {page.plot.width() + 2 * kMargin,
            page.plot.height() + gutter + (gutter > 0 ? 8 : 0) + kTitleHeight + kFooterHeight + kMargin};
}

void paintPage(QCPPainter& painter, const ChartPage& page, QCustomPlot& plot) {
    const QSize size = pageSize(page);
    painter.fillRect(QRect({0, 0}, size), page.style.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont heading = page.style.bold;
    heading.setPointSizeF(heading.pointSizeF() + 2);
    painter.setFont(heading);
    painter.setPen(page.style.text);
    painter.drawText(QRect(kMargin, 12, size.width() - 2 * kMargin, 24), Qt::AlignLeft | Qt::AlignVCenter,
                     page.title);
    paintLegend(painter, QPointF(kMargin, 46), size.width() - 2 * kMargin, page.style, page.areaIsTime);

    painter.save();
    painter.translate(kMargin, kTitleHeight);
    plot.toPainter(&painter, page.plot.width(), page.plot.height());
    painter.restore();

    painter.save();
    painter.translate(kMargin, kTitleHeight + page.plot.height() + 8);
    paintGutter(painter, page.gutter, page.style, page.selectedLabel);
    painter.restore();

    const QRect footer(kMargin, size.height() - kFooterHeight, size.width() - 2 * kMargin, kFooterHeight);
    painter.setPen(page.style.border);
    painter.drawLine(footer.topLeft(), footer.topRight());
    painter.setFont(page.style.small);
    painter.setPen(page.style.muted);
    painter.drawText(footer, Qt::AlignLeft | Qt::AlignVCenter, page.provenance);
    painter.drawText(footer, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("Dormer"));
}

QString failure(const QString& path, const QString& why) {
    return QStringLiteral("cannot write %1: %2").arg(path, why);
}

/// Draws onto any device that writes into a QIODevice, and keeps the old file if anything fails.
template <typename Draw>
QString writeWith(const QString& path, const Draw& draw) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failure(path, file.errorString());
    if (!draw(file)) return failure(path, QStringLiteral("the picture could not be drawn"));
    if (!file.commit()) return failure(path, file.errorString());
    return {};
}

} // namespace

QString writeChartPage(const QString& path, const ChartPage& page, QCustomPlot& plot) {
    const QString ending = QFileInfo(path).suffix().toLower();
    const QSize size = pageSize(page);
    if (ending == QLatin1String("png")) {
        return writeWith(path, [&](QIODevice& file) {
            QImage image(size * kPngScale, QImage::Format_RGB32);
            image.setDevicePixelRatio(kPngScale);
            QCPPainter painter(&image);
            paintPage(painter, page, plot);
            return painter.end() && image.save(&file, "PNG");
        });
    }
    if (ending == QLatin1String("svg")) {
        return writeWith(path, [&](QIODevice& file) {
            QSvgGenerator generator;
            generator.setOutputDevice(&file);
            generator.setResolution(kScreenDpi);
            generator.setSize(size);
            generator.setViewBox(QRect({0, 0}, size));
            generator.setTitle(page.title);
            generator.setDescription(page.provenance);
            QCPPainter painter;
            if (!painter.begin(&generator)) return false;
            painter.setMode(QCPPainter::pmVectorized);
            paintPage(painter, page, plot);
            return painter.end();
        });
    }
    if (ending == QLatin1String("pdf")) {
        return writeWith(path, [&](QIODevice& file) {
            QPdfWriter writer(&file);
            writer.setResolution(kScreenDpi);
            writer.setTitle(page.title);
            writer.setCreator(QStringLiteral("Dormer, ") + page.provenance);
            writer.setPageMargins(QMarginsF(0, 0, 0, 0));
            // A point is 1/72 inch, a pixel here 1/96.
            writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / kScreenDpi, QPageSize::Point, QString(),
                                         QPageSize::ExactMatch));
            QCPPainter painter;
            if (!painter.begin(&writer)) return false;
            painter.setMode(QCPPainter::pmVectorized);
            paintPage(painter, page, plot);
            return painter.end();
        });
    }
    return failure(path, QStringLiteral("the ending must be .png, .svg or .pdf"));
}

} // namespace dormer::ui::roofline
