// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/details_parts.h"

#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"

#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::details {
namespace {

constexpr int kMarkerSize = 14;
constexpr int kMarkerColumn = 5 * look::kGrid;
constexpr int kBarHeight = 8;
constexpr double kPale = 0.45;

QColor tinted(const QColor& ground, const QColor& colour, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return QColor(mix(ground.red(), colour.red()), mix(ground.green(), colour.green()),
                  mix(ground.blue(), colour.blue()));
}

/// Wraps, and foreign names in it stay text.
QString tipOf(const view::details::UtilizationBar& bar) {
    return QStringLiteral("<p>%1</p>")
        .arg(look::words(bar.tooltip).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br/>")));
}

} // namespace

VerdictCard::VerdictCard(verdict::Bound bound, QString headline, QString reason, QWidget* parent)
    : QWidget(parent), m_bound(bound) {
    setAccessibleName(headline);
    auto* title = new QLabel(std::move(headline));
    title->setFont(look::headingFont(font(), 3));
    title->setWordWrap(true);
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMarkerColumn, 3 * look::kGrid / 2, 2 * look::kGrid, 3 * look::kGrid / 2);
    layout->setSpacing(look::kGrid / 2);
    layout->addWidget(title);
    if (!reason.isEmpty()) {
        auto* line = new QLabel(std::move(reason));
        line->setFont(look::smallFont(font()));
        line->setWordWrap(true);
        layout->addWidget(line);
    }
}

void VerdictCard::paintEvent(QPaintEvent*) {
    const bool dark = look::isDark(palette());
    const QColor ground =
        tinted(look::coloursFor(palette()).panel, look::verdictColor(m_bound, dark), dark ? 0.22 : 0.12);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(rect(), look::kPanelRadius, look::kPanelRadius);
    const double middle =
        layout()->itemAt(0)->geometry().top() + QFontMetrics(look::headingFont(font(), 3)).height() / 2.0;
    look::paintVerdict(painter, QPointF(kMarkerColumn / 2.0 + 2, middle), m_bound, kMarkerSize, dark, ground);
}

UtilizationBars::UtilizationBars(std::vector<view::details::UtilizationBar> bars, QWidget* parent)
    : QWidget(parent), m_bars(std::move(bars)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFont(look::smallFont(font()));
}

int UtilizationBars::rowHeight() const {
    return fontMetrics().height() + look::kGrid / 2;
}

QSize UtilizationBars::sizeHint() const {
    return {30 * look::kGrid, rowHeight() * static_cast<int>(m_bars.size())};
}

QRectF UtilizationBars::trackOf(std::size_t bar) const {
    int names = 0, numbers = fontMetrics().horizontalAdvance("100.0 %");
    for (const view::details::UtilizationBar& each : m_bars) {
        names = std::max(names, fontMetrics().horizontalAdvance(look::words(each.name)));
        numbers = std::max(numbers, fontMetrics().horizontalAdvance(look::words(each.text)));
    }
    names += 3 * look::kGrid / 2;
    const double middle = (static_cast<double>(bar) + 0.5) * rowHeight();
    return {static_cast<double>(names), middle - kBarHeight / 2.0,
            static_cast<double>(std::max(look::kGrid, width() - names - numbers - look::kGrid)), kBarHeight};
}

void UtilizationBars::paintEvent(QPaintEvent*) {
    const look::Colours& colours = look::coloursFor(palette());
    const bool dark = look::isDark(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const view::details::UtilizationBar& bar = m_bars[i];
        const QRectF row(0, static_cast<double>(i) * rowHeight(), width(), rowHeight());
        painter.setPen(colours.muted);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, look::words(bar.name));
        const QRectF track = trackOf(i);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.track);
        painter.drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
        const QColor colour = look::verdictColor(bar.side, dark);
        const auto fill = [&](double share, const QColor& with) {
            if (share <= 0) return;
            painter.setBrush(with);
            const QRectF filled(track.left(), track.top(),
                                std::max(track.width() * std::min(share, 1.0), 2.0), kBarHeight);
            const double radius = std::min(kBarHeight / 2.0, filled.width() / 2);
            painter.drawRoundedRect(filled, radius, radius);
        };
        if (bar.solid) fill(bar.share, tinted(colours.track, colour, kPale));
        fill(bar.solid.value_or(bar.share), colour);
        painter.setPen(bar.share > 1 ? colours.gain : colours.text);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, look::words(bar.text));
    }
}

bool UtilizationBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto row = static_cast<std::size_t>(help->pos().y() / std::max(1, rowHeight()));
    QToolTip::showText(help->globalPos(), row < m_bars.size() ? tipOf(m_bars[row]) : QString(), this);
    return true;
}

} // namespace dormer::ui::details
