// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"

#include <QFrame>
#include <QStringList>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace dormer::ui::workloads {

class WorkloadTree;

/// The built-in suite with check boxes, a filter and how many are chosen, and the files opened lately.
class WorkloadPanel : public QFrame {
    Q_OBJECT
public:
    explicit WorkloadPanel(QWidget* parent = nullptr);

    /// Fills the tree; everything is chosen at first.
    void setWorkloads(const std::vector<instrument::launch::WorkloadInfo>& workloads);
    /// The suite can't be listed: says why, in place of the tree.
    void setProblem(const QString& problem);
    void setRecent(const QStringList& files);

    [[nodiscard]] WorkloadTree& tree() { return *m_tree; }
    [[nodiscard]] const WorkloadTree& tree() const { return *m_tree; }

signals:
    void chosenChanged();
    void openRequested(const QString& file);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateCount();

    WorkloadTree* m_tree;
    QLineEdit* m_filter;
    QLabel* m_count;
    QLabel* m_problem;
    QLabel* m_recentTitle;
    QListWidget* m_recent;
};

} // namespace dormer::ui::workloads
