// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/style.h"

#include "ui/look/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>
#include <QStylePainter>

namespace dormer::ui::look {
namespace {

constexpr double kBoxSize = 14;
constexpr int kPadding = 12;
constexpr int kChevron = 8;
constexpr int kArrowRoom = 28; ///< the style sheet's drop-down and the frame around it

void drawCheckBox(QPainter& painter, const QRectF& area, QStyle::State state, const Colours& colours) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF box(0, 0, kBoxSize, kBoxSize);
    box.moveCenter(area.center());
    box.adjust(0.5, 0.5, -0.5, -0.5);
    const bool on = state.testFlag(QStyle::State_On);
    const bool partly = state.testFlag(QStyle::State_NoChange);
    painter.setPen(QPen(on || partly ? colours.accent : colours.muted, 1));
    painter.setBrush(on || partly ? colours.accent : colours.panel);
    painter.drawRoundedRect(box, 3.5, 3.5);
    painter.setPen(QPen(colours.onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (on) {
        QPainterPath mark(box.topLeft() + QPointF(3, 6.8));
        mark.lineTo(box.topLeft() + QPointF(5.6, 9.4));
        mark.lineTo(box.topLeft() + QPointF(10, 3.8));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(mark);
    } else if (partly) {
        painter.drawLine(box.center() - QPointF(3, 0), box.center() + QPointF(3, 0));
    }
    painter.restore();
}

} // namespace

DormerStyle::DormerStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void DormerStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    if (element == PE_IndicatorItemViewItemCheck || element == PE_IndicatorCheckBox)
        drawCheckBox(*painter, option->rect, option->state, coloursFor(option->palette));
    else
        QProxyStyle::drawPrimitive(element, option, painter, widget);
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
}

ElidedLink::ElidedLink(const QString& text, QWidget* parent) : QPushButton(text, parent) {
    setObjectName("link");
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

QSize ElidedLink::minimumSizeHint() const {
    constexpr int kLeastLetters = 12;
    return {kLeastLetters * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void ElidedLink::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    if (const int wanted = sizeHint().width(); width() < wanted) {
        const int frame = wanted - fontMetrics().horizontalAdvance(text());
        option.text = fontMetrics().elidedText(text(), Qt::ElideMiddle, width() - frame);
    }
    painter.drawControl(QStyle::CE_PushButton, option);
}

WholeLabel::WholeLabel(QWidget* parent) : QLabel(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void WholeLabel::paintEvent(QPaintEvent* event) {
    if (sizeHint().width() <= width()) QLabel::paintEvent(event);
}

PillCombo::PillCombo(QWidget* parent) : QComboBox(parent) {
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QComboBox::currentTextChanged, this, [this] { updateGeometry(); });
}

QSize PillCombo::sizeHint() const {
    return {fontMetrics().horizontalAdvance(currentText()) + 2 * kPadding + kArrowRoom,
            QComboBox::sizeHint().height()};
}

void PillCombo::paintEvent(QPaintEvent* event) {
    QComboBox::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(coloursFor(palette()).muted, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF tip(width() - kPadding - kChevron / 2.0, height() / 2.0 + 2);
    QPainterPath chevron(tip + QPointF(-kChevron / 2.0, -kChevron / 2.0));
    chevron.lineTo(tip);
    chevron.lineTo(tip + QPointF(kChevron / 2.0, -kChevron / 2.0));
    painter.drawPath(chevron);
}

} // namespace dormer::ui::look
