// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/roofline.h"
#include "ui/plot/chart_style.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QButtonGroup;
class QPainter;

namespace dormer::ui::roofline {

/// A rounded choice; the checked one is filled.
class ChipButton : public QAbstractButton {
    Q_OBJECT
public:
    ChipButton(const QString& text, bool accented, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_accented;
};

/// Shapes with their words in one row, and what size means if it means time and there is room to say so.
void paintLegend(QPainter& painter, QPointF leftMiddle, double room, const plot::ChartStyle& style,
                 bool areaIsTime = true);

/// Memory level, kind of work, export; the legend below.
class ChartHeader : public QWidget {
    Q_OBJECT
public:
    explicit ChartHeader(QWidget* parent = nullptr);

    void setChoice(verdict::Work work, verdict::MemoryLevel level);

signals:
    void workChosen(verdict::Work work);
    void levelChosen(verdict::MemoryLevel level);
    void exportWanted(const QString& ending); ///< "png", "svg", "pdf"

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_levels;
    QButtonGroup* m_works;
};

} // namespace dormer::ui::roofline
