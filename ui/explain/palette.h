// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/explain/search.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace dormer::ui::explain {

class FoundModel;

/// The search over everything, above the window: type, choose with the arrow keys, Enter. Esc leaves it, as
/// does a click elsewhere.
class Palette : public QFrame {
    Q_OBJECT
public:
    /// Lies over `window`, which owns it.
    explicit Palette(QWidget* window);

    /// Empty and ready for typing.
    void open(QList<Item> items);
    /// What is listed at this moment, the best first.
    [[nodiscard]] QList<Item> listed() const;

signals:
    void chosen(const QString& address);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void arrange();
    void choose();
    void leave();
    [[nodiscard]] bool handleKey(int key);
    void step(int rows);

    QLineEdit* m_edit;
    QListView* m_list;
    QLabel* m_nothing;
    FoundModel* m_found;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace dormer::ui::explain
