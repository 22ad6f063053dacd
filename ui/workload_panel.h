// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"

#include <QFrame>
#include <QStringList>

#include <vector>

class QLabel;
class QListWidget;
class QTreeWidget;

namespace dormer::ui {

/// The built-in suite with check boxes and what each workload shows, and the files opened lately.
class WorkloadPanel : public QFrame {
    Q_OBJECT
public:
    explicit WorkloadPanel(QWidget* parent = nullptr);

    /// Fills the tree; everything is chosen at first.
    void setWorkloads(const std::vector<instrument::WorkloadInfo>& workloads);
    /// The suite can't be listed: says why, in place of the tree.
    void setProblem(const QString& problem);
    void setRecent(const QStringList& files);

    /// Paths of the checked workloads, "family/variant".
    [[nodiscard]] QStringList chosen() const;
    [[nodiscard]] QStringList families() const;
    /// Checks one family alone; all of them for an empty name.
    void choose(const QString& family);
    [[nodiscard]] QTreeWidget& tree() { return *m_tree; }

signals:
    void chosenChanged();
    void openRequested(const QString& file);

private:
    void updateCount();

    QTreeWidget* m_tree;
    QLabel* m_count;
    QLabel* m_problem;
    QLabel* m_recentTitle;
    QListWidget* m_recent;
};

} // namespace dormer::ui
