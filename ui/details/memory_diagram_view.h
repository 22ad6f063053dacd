// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/memory_layout.h"

#include <QWidget>

namespace dormer::ui::details {

/// How a launch's bytes travel between SM and DRAM. Arrows are as thick as the bytes; what is beyond the
/// ideal is vermilion. Definitions come while the mouse is on a part.
class MemoryDiagramView : public QWidget {
    Q_OBJECT
public:
    explicit MemoryDiagramView(verdict::MemoryDiagram diagram, QWidget* parent = nullptr);

    [[nodiscard]] const verdict::MemoryDiagram& diagram() const { return m_diagram; }
    [[nodiscard]] QString hintAt(QPointF position) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] view::plot::MemoryLayout layoutFor(int width) const;
    void paintStation(QPainter& painter, const view::plot::MemoryLayout::Station& station) const;
    void paintFlow(QPainter& painter, const view::plot::MemoryLayout::Flow& flow) const;

    verdict::MemoryDiagram m_diagram;
};

} // namespace dormer::ui::details
