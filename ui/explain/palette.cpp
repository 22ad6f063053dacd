// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/explain/palette.h"

#include "ui/explain/found_model.h"
#include "ui/look/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::explain {
namespace {

constexpr int kWidth = 88 * look::kGrid;
constexpr int kTop = 8 * look::kGrid;
constexpr int kMostRows = 12;

} // namespace

Palette::Palette(QWidget* window)
    : QFrame(window)
    , m_edit(new QLineEdit)
    , m_list(new QListView)
    , m_nothing(new QLabel("Nothing is named so, and no page says it."))
    , m_found(new FoundModel(this)) {
    setObjectName("panel");
    setAccessibleName("Search everything");
    setAutoFillBackground(true);
    m_edit->setObjectName("paletteSearch");
    m_edit->setPlaceholderText("Search commands, kernels, metrics, findings, roofs and the documentation");
    m_edit->setAccessibleName("Search commands, kernels, metrics and the documentation");
    m_list->setObjectName("paletteFound");
    m_list->setAccessibleName("Found");
    m_list->setModel(m_found);
    m_list->setItemDelegate(new FoundDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus); // keys go to the field
    m_nothing->setObjectName("muted");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(look::kGrid, look::kGrid, look::kGrid, look::kGrid);
    layout->setSpacing(look::kGrid);
    layout->addWidget(m_edit);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_nothing);
    hide();
    connect(m_edit, &QLineEdit::textChanged, this, &Palette::search);
    connect(m_list, &QListView::clicked, this, &Palette::choose);
    m_edit->installEventFilter(this);
    window->installEventFilter(this);
}

void Palette::open(QList<Item> items) {
    if (!isVisible()) m_before = QApplication::focusWidget();
    m_found->setItems(std::move(items));
    m_edit->clear();
    search();
    show();
    raise();
    m_edit->setFocus();
}

QList<Item> Palette::listed() const {
    QList<Item> items;
    for (int row = 0; row < m_found->rowCount(); ++row)
        items << m_found->item(row);
    return items;
}

void Palette::search() {
    m_found->search(m_edit->text());
    m_list->setCurrentIndex(m_found->index(0, 0));
    m_list->setVisible(m_found->rowCount() > 0);
    m_nothing->setVisible(m_found->rowCount() == 0);
    arrange();
}

void Palette::arrange() {
    const int rows = std::min(kMostRows, m_found->rowCount());
    m_list->setFixedHeight(rows * m_list->sizeHintForRow(0) + 2);
    const int width = std::min(kWidth, parentWidget()->width() - 2 * kTop);
    setFixedWidth(width);
    layout()->activate();
    resize(width, sizeHint().height());
    move((parentWidget()->width() - width) / 2, kTop);
}

void Palette::choose() {
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid()) return;
    const QString address = m_found->item(index.row()).address;
    leave();
    emit chosen(address);
}

void Palette::leave() {
    const bool hadFocus = m_edit->hasFocus();
    hide();
    if (hadFocus && m_before) m_before->setFocus();
}

void Palette::step(int rows) {
    if (m_found->rowCount() == 0) return;
    const int row = std::clamp(m_list->currentIndex().row() + rows, 0, m_found->rowCount() - 1);
    m_list->setCurrentIndex(m_found->index(row, 0));
}

bool Palette::handleKey(int key) {
    switch (key) {
    case Qt::Key_Escape:
        leave();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose();
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_PageDown:
        step(kMostRows);
        return true;
    case Qt::Key_PageUp:
        step(-kMostRows);
        return true;
    default:
        return false;
    }
}

bool Palette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible()) arrange();
        return false;
    }
    if (event->type() == QEvent::FocusOut && QApplication::activePopupWidget() == nullptr) hide();
    // Esc would stop a run, were it not taken here.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)->key());
}

} // namespace dormer::ui::explain
