// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/details/utilization.h"

#include <QFrame>
#include <QWidget>

#include <vector>

namespace dormer::ui::details {

/// The headline of the article, on a ground tinted in the verdict's colour, with its marker.
class VerdictCard : public QWidget {
    Q_OBJECT
public:
    VerdictCard(verdict::Bound bound, QString headline, QString reason, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    verdict::Bound m_bound;
};

/// What a launch used of each resource, as bars.
class UtilizationBars : public QWidget {
    Q_OBJECT
public:
    explicit UtilizationBars(std::vector<view::details::UtilizationBar> bars, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] const std::vector<view::details::UtilizationBar>& bars() const { return m_bars; }
    /// Where a bar is painted; its figure stands right of it.
    [[nodiscard]] QRectF trackOf(std::size_t bar) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    std::vector<view::details::UtilizationBar> m_bars;
};

} // namespace dormer::ui::details
