// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QProxyStyle>
#include <QPushButton>

namespace dormer::ui::look {

/// Fusion with check boxes that show on a dark ground too.
class DormerStyle : public QProxyStyle {
    Q_OBJECT
public:
    DormerStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

/// A box to choose from, as wide as what is chosen. A style sheet takes the arrow away, so it draws its own.
class PillCombo : public QComboBox {
    Q_OBJECT
public:
    explicit PillCombo(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Ends in an ellipsis where a plain label would cut a letter in two, and asks for no width.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A name to click. Where room is short its middle is elided; the tooltip has to hold all of it.
class ElidedLink : public QPushButton {
    Q_OBJECT
public:
    explicit ElidedLink(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Shows its text whole, at the right, or not at all, and asks for no width: for a sum that is nice to have.
class WholeLabel : public QLabel {
    Q_OBJECT
public:
    explicit WholeLabel(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace dormer::ui::look
