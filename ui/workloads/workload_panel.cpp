// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/workloads/workload_panel.h"

#include "ui/look/theme.h"
#include "ui/workloads/workload_tree.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace dormer::ui::workloads {
namespace {

constexpr int kShownRecent = 6;

QLabel* title(const QString& words) {
    auto* label = new QLabel(words);
    label->setFont(look::headingFont(label->font(), 1));
    return label;
}

} // namespace

WorkloadPanel::WorkloadPanel(QWidget* parent)
    : QFrame(parent)
    , m_tree(new WorkloadTree)
    , m_filter(new QLineEdit)
    , m_count(new QLabel)
    , m_problem(new QLabel)
    , m_recentTitle(title("Recent"))
    , m_recent(new QListWidget) {
    m_count->setObjectName("muted");
    m_problem->setObjectName("muted");
    m_problem->setWordWrap(true);
    m_problem->hide();

    m_tree->setObjectName("workloads");
    m_tree->setMinimumWidth(23 * look::kGrid); // all else asks for what it needs
    m_tree->setAccessibleName("Workloads");
    connect(m_tree, &WorkloadTree::chosenChanged, this, [this] {
        updateCount();
        emit chosenChanged();
    });
    m_filter->setObjectName("workloadFilter");
    m_filter->setAccessibleName("Filter workloads");
    m_filter->setPlaceholderText("filter workloads");
    m_filter->setToolTip(
        "Shows workloads that hold every word. Enter chooses just these, Down goes to them.");
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_tree->setFilter(text);
        updateCount();
    });
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        if (m_tree->shown() > 0) m_tree->chooseShown();
    });

    m_recent->setObjectName("recent");
    m_recent->setAccessibleName("Recent files");
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_recent->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_recent, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { emit openRequested(item->data(Qt::UserRole).toString()); });
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { emit openRequested(item->data(Qt::UserRole).toString()); });

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(look::kGrid);
    layout->addWidget(m_problem);
    layout->addWidget(m_filter);
    layout->addWidget(m_count);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_recent);
    setRecent({});
}

void WorkloadPanel::setWorkloads(const std::vector<instrument::launch::WorkloadInfo>& workloads) {
    m_problem->hide();
    m_tree->setWorkloads(workloads);
    m_filter->clear();
    m_filter->setVisible(m_tree->total() > 0);
    updateCount();
    emit chosenChanged();
}

void WorkloadPanel::setProblem(const QString& problem) {
    setWorkloads({});
    m_problem->setText(problem);
    m_problem->show();
}

void WorkloadPanel::setRecent(const QStringList& files) {
    m_recent->clear();
    for (const QString& file : files.mid(0, kShownRecent)) {
        auto* item = new QListWidgetItem(QFileInfo(file).fileName(), m_recent);
        item->setData(Qt::UserRole, file);
        item->setToolTip(file);
    }
    m_recentTitle->setVisible(m_recent->count() > 0);
    m_recent->setVisible(m_recent->count() > 0);
    const int row = m_recent->count() > 0 ? m_recent->sizeHintForRow(0) : 0;
    m_recent->setFixedHeight(row * m_recent->count() + look::kGrid);
}

bool WorkloadPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_filter && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        m_tree->setFocus();
        if (!m_tree->currentItem() || m_tree->currentItem()->isHidden())
            m_tree->setCurrentItem(m_tree->itemAt(0, 0));
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void WorkloadPanel::updateCount() {
    const qsizetype chosen = m_tree->chosen().size();
    QString text = QStringLiteral("%1 of %2 chosen").arg(chosen).arg(m_tree->total());
    if (m_tree->shown() < m_tree->total()) text += QStringLiteral("\n%1 shown").arg(m_tree->shown());
    m_count->setText(text);
    m_count->setVisible(m_tree->total() > 0);
}

} // namespace dormer::ui::workloads
