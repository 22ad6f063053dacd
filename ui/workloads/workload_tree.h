// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"

#include <QSet>
#include <QStringList>
#include <QTreeWidget>

#include <vector>

namespace dormer::ui::workloads {

/// Families, their workloads, and the points of a sweep folded under one node, all with check boxes. A box of
/// a branch stands for what is shown below it: while a filter is on, what it hides stays as it was.
class WorkloadTree : public QTreeWidget {
    Q_OBJECT
public:
    explicit WorkloadTree(QWidget* parent = nullptr);

    /// Fills the tree; everything is chosen at first. A large suite opens with its families folded.
    void setWorkloads(const std::vector<instrument::launch::WorkloadInfo>& workloads);

    /// Paths of the checked workloads, "family/variant", in the suite's order.
    [[nodiscard]] QStringList chosen() const;
    [[nodiscard]] QStringList families() const;
    /// Workloads in all.
    [[nodiscard]] qsizetype total() const { return m_total; }
    /// Workloads the filter lets through.
    [[nodiscard]] qsizetype shown() const;

    /// Checks one family alone; all of them for an empty name.
    void choose(const QString& family);
    /// Checks what the filter lets through and nothing else.
    void chooseShown();
    /// Shows workloads that hold every word in their path, their family's title or what they show; all
    /// without words.
    void setFilter(const QString& text);

signals:
    void chosenChanged();

protected:
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;

private:
    QTreeWidgetItem* addFamily(const instrument::launch::WorkloadInfo& workload);
    void addWorkload(QTreeWidgetItem& parent, const instrument::launch::WorkloadInfo& workload);
    void foldAll();

    qsizetype m_total = 0;
    bool m_filtered = false;
    QSet<QTreeWidgetItem*> m_openBefore; ///< branches that were open when filtering began
};

} // namespace dormer::ui::workloads
