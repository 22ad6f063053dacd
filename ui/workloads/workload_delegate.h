// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace dormer::ui::workloads {

/// What the items of the workload tree hold besides their name.
inline constexpr int kPathRole = Qt::UserRole;       ///< "family/variant", of workloads only
inline constexpr int kShowsRole = Qt::UserRole + 1;  ///< the second line
inline constexpr int kSearchRole = Qt::UserRole + 2; ///< what a filter looks through, of workloads only
inline constexpr int kCountRole = Qt::UserRole + 3;  ///< "12" or "3 of 12", of branches only

/// A workload's or a family's name, below it what it shows, and at its right how many are chosen.
class WorkloadDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace dormer::ui::workloads
