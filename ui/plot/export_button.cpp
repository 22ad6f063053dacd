// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/export_button.h"

#include "ui/plot/chart_style.h"

#include <QFileDialog>
#include <QMenu>
#include <QPainter>

namespace dormer::ui::plot {
namespace {

constexpr QSize kSize{28, 24};

} // namespace

ExportButton::ExportButton(QWidget* parent) : QAbstractButton(parent) {
    setFixedSize(kSize);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setToolTip(QStringLiteral("Save the chart as a picture"));
    setAccessibleName(QStringLiteral("Export chart"));
    auto* menu = new QMenu(this);
    for (const char* ending : {"png", "svg", "pdf"}) {
        const QString suffix = QString::fromLatin1(ending);
        menu->addAction(suffix.toUpper(), this, [this, suffix] { emit exportWanted(suffix); });
    }
    connect(this, &QAbstractButton::clicked, menu,
            [this, menu] { menu->popup(mapToGlobal(QPoint(0, height()))); });
}

void ExportButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ChartStyle style = chartStyle(palette(), font());
    if (underMouse() || hasFocus() || isDown()) {
        painter.setPen(QPen(hasFocus() ? style.accent : style.border, 1));
        painter.setBrush(style.sunken);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
    const QPointF c = QRectF(rect()).center();
    painter.setPen(
        QPen(underMouse() ? style.text : style.muted, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(c + QPointF(0, -6), c + QPointF(0, 2));
    painter.drawPolyline(QPolygonF({c + QPointF(-3, -1), c + QPointF(0, 2), c + QPointF(3, -1)}));
    painter.drawPolyline(
        QPolygonF({c + QPointF(-6, 2), c + QPointF(-6, 6), c + QPointF(6, 6), c + QPointF(6, 2)}));
}

QString askPicturePath(QWidget* parent, const QString& name, const QString& ending) {
    QString path = QFileDialog::getSaveFileName(parent, QStringLiteral("Save the chart"),
                                                name + QLatin1Char('.') + ending,
                                                QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty()) path += QLatin1Char('.') + ending;
    return path;
}

} // namespace dormer::ui::plot
