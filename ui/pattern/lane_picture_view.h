// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/pattern_picture.h"
#include "analysis/view/plot/lane_layout.h"

#include <QWidget>

#include <optional>

namespace dormer::ui::look {
struct Colours;
} // namespace dormer::ui::look

namespace dormer::ui::pattern {

/// Colours of the picture, those of the SVG: blue is requested, vermilion is what it costs too much.
struct LaneColours {
    QColor used, onUsed;         ///< words that lanes ask for; figures on them
    QColor conflict, onConflict; ///< those of a bank of which several words are requested
    QColor wasted, wastedEdge;   ///< moved, not requested
    QColor wastedFlat;           ///< the same where there is no room for an edge
    QColor idle, idleEdge;
    QColor lane, laneEdge;
};
[[nodiscard]] const LaneColours& laneColours(const look::Colours& colours);

/// The lanes of a warp and the 128-byte rows they touch: cache lines of four sectors, or rows of the 32
/// banks. Points out a lane's words while the mouse is on it.
class LanePictureView : public QWidget {
    Q_OBJECT
public:
    /// `compact`: many rows are flat, for a picture beside other things.
    explicit LanePictureView(bool compact, QWidget* parent = nullptr);

    /// Nothing is drawn without a pattern.
    void setPattern(std::optional<access::LanePattern> pattern);
    [[nodiscard]] const std::optional<access::LanePattern>& pattern() const { return m_pattern; }
    [[nodiscard]] view::plot::LaneLayout layoutNow() const;
    /// What stands under the mouse there, in words; empty between the boxes.
    [[nodiscard]] QString hintAt(QPointF position) const;
    /// What the colours mean, and how many lanes are off.
    [[nodiscard]] QString legend() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintLanes(QPainter& painter, const view::plot::LaneLayout& layout) const;
    void paintWires(QPainter& painter, const view::plot::LaneLayout& layout) const;
    void paintRows(QPainter& painter, const view::plot::LaneLayout& layout) const;
    [[nodiscard]] double nameWidth() const;
    void setPointed(std::uint32_t lanes);

    bool m_compact;
    std::optional<access::LanePattern> m_pattern;
    std::vector<access::PictureRow> m_rows;
    std::array<unsigned, access::kWarpLanes> m_banks{};
    std::uint32_t m_pointed = 0; ///< lanes under the mouse, or whose word is
};

} // namespace dormer::ui::pattern
