// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/chart_style.h"
#include "ui/roofline/chart_feed.h"

#include <QRectF>
#include <QWidget>

namespace dormer::ui::roofline {

/// One piece of the gutter, laid out.
struct GutterItem {
    enum class Kind { Title, Chip, More } kind = Kind::Chip;
    QString text;
    QString tip;
    QRectF box;
    const GutterGroup* group = nullptr; ///< of a chip
};

/// Lays the gutter out in rows of `width` pixels, at most `mostRows`.
[[nodiscard]] std::vector<GutterItem> gutterItems(const Gutter& gutter, verdict::Work work,
                                                  verdict::MemoryLevel level, const plot::ChartStyle& style,
                                                  double width, int mostRows);
void paintGutter(QPainter& painter, const std::vector<GutterItem>& items, const plot::ChartStyle& style,
                 const std::string& selectedLabel);
[[nodiscard]] double gutterHeight(const std::vector<GutterItem>& items);

/// Launches that have no place on the axes, by label, under the chart. A click selects the longest of a
/// label.
class ChartGutter : public QWidget {
    Q_OBJECT
public:
    explicit ChartGutter(QWidget* parent = nullptr);
    void setContent(const Gutter& gutter, verdict::Work work, verdict::MemoryLevel level);
    /// Label of the selected launch, empty when nothing is selected.
    void setSelectedLabel(const std::string& label);

signals:
    void launchClicked(session::LaunchIndex launch);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    [[nodiscard]] const GutterItem* itemAt(QPointF position) const;

    Gutter m_gutter;
    verdict::Work m_work = verdict::Work::Fp32;
    verdict::MemoryLevel m_level = verdict::MemoryLevel::Dram;
    std::string m_selectedLabel;
    std::vector<GutterItem> m_items;
};

} // namespace dormer::ui::roofline
