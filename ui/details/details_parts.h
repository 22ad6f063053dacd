// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

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

/// One resource's share of its roof. `share` may pass 1: the bar then stays full and the number says so.
struct HeadroomBar {
    QString name;
    double share = 0;
    verdict::Bound side = verdict::Bound::Unknown; ///< colour: memory, compute or latency
    QString hint;
};

/// Bars of all resources that were measured.
class HeadroomBars : public QWidget {
    Q_OBJECT
public:
    explicit HeadroomBars(std::vector<HeadroomBar> bars, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] const std::vector<HeadroomBar>& bars() const { return m_bars; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    std::vector<HeadroomBar> m_bars;
};

} // namespace dormer::ui::details
