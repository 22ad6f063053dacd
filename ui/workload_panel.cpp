// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/workload_panel.h"

#include "ui/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <map>

namespace dormer::ui {
namespace {

constexpr int kShownRecent = 6;

constexpr int kPathRole = Qt::UserRole;
constexpr int kShowsRole = Qt::UserRole + 1;

/// A workload's name, and below it what it shows.
class WorkloadDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        if (!shows(index).isEmpty())
            size.rheight() += QFontMetrics(smallFont(option.font)).height() + kGrid / 4;
        return size;
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const QString words = shows(index);
        if (words.isEmpty()) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        const QFont small = smallFont(option.font);
        const QFontMetrics metrics(small);
        QStyleOptionViewItem name = option;
        name.rect.setHeight(option.rect.height() - metrics.height());
        QStyledItemDelegate::paint(painter, name, index);
        initStyleOption(&name, index);
        const QStyle* style = option.widget->style();
        const int left = style->subElementRect(QStyle::SE_ItemViewItemText, &name, option.widget).left() + 3;
        const QRect below(left, name.rect.bottom() - 1, option.rect.right() - left, metrics.height());
        painter->save();
        painter->setFont(small);
        painter->setPen(coloursFor(option.palette).muted);
        painter->drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(words, Qt::ElideRight, below.width()));
        painter->restore();
    }

private:
    [[nodiscard]] static QString shows(const QModelIndex& index) { return index.data(kShowsRole).toString(); }
};

QLabel* title(const QString& words) {
    auto* label = new QLabel(words);
    label->setFont(headingFont(label->font(), 1));
    return label;
}

} // namespace

WorkloadPanel::WorkloadPanel(QWidget* parent)
    : QFrame(parent)
    , m_tree(new QTreeWidget)
    , m_count(new QLabel)
    , m_problem(new QLabel)
    , m_recentTitle(title("Recent"))
    , m_recent(new QListWidget) {
    setObjectName("panel");
    m_count->setObjectName("muted");
    m_problem->setObjectName("muted");
    m_problem->setWordWrap(true);
    m_problem->hide();

    m_tree->setObjectName("workloads");
    m_tree->setAccessibleName("Workloads");
    m_tree->setItemDelegate(new WorkloadDelegate(m_tree));
    m_tree->header()->hide();
    m_tree->setIndentation(2 * kGrid);
    m_tree->setSelectionMode(QAbstractItemView::NoSelection);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_tree, &QTreeWidget::itemChanged, this, [this] {
        updateCount();
        emit chosenChanged();
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

    auto* head = new QHBoxLayout;
    head->addWidget(title("Workloads"));
    head->addStretch();
    head->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(head);
    layout->addWidget(m_problem);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_recent);
    setRecent({});
}

void WorkloadPanel::setWorkloads(const std::vector<instrument::WorkloadInfo>& workloads) {
    const QSignalBlocker quiet(m_tree);
    m_tree->clear();
    m_problem->hide();
    m_tree->show();
    std::map<std::string, QTreeWidgetItem*> families;
    for (const instrument::WorkloadInfo& workload : workloads) {
        QTreeWidgetItem*& family = families[workload.family];
        if (family == nullptr) {
            family = new QTreeWidgetItem(m_tree, {QString::fromStdString(workload.family)});
            family->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
            QFont strong = font();
            strong.setWeight(QFont::DemiBold);
            family->setFont(0, strong);
        }
        const QString shows = QString::fromStdString(workload.shows);
        auto* item = new QTreeWidgetItem(family, {QString::fromStdString(workload.variant)});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        item->setData(0, kPathRole, QString::fromStdString(workload.path()));
        item->setData(0, kShowsRole, shows);
        item->setCheckState(0, Qt::Checked);
        QString hint = shows;
        for (const std::string& parameter : workload.parameters)
            hint += QLatin1Char('\n') + QString::fromStdString(parameter);
        item->setToolTip(0, hint);
    }
    m_tree->expandAll();
    updateCount();
    emit chosenChanged();
}

void WorkloadPanel::setProblem(const QString& problem) {
    m_problem->setText(problem);
    m_problem->show();
    const QSignalBlocker quiet(m_tree);
    m_tree->clear();
    updateCount();
    emit chosenChanged();
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
    m_recent->setFixedHeight(row * m_recent->count() + kGrid);
}

QStringList WorkloadPanel::chosen() const {
    QStringList paths;
    for (int f = 0; f < m_tree->topLevelItemCount(); ++f) {
        const QTreeWidgetItem* family = m_tree->topLevelItem(f);
        for (int v = 0; v < family->childCount(); ++v)
            if (family->child(v)->checkState(0) == Qt::Checked)
                paths << family->child(v)->data(0, kPathRole).toString();
    }
    return paths;
}

QStringList WorkloadPanel::families() const {
    QStringList names;
    for (int f = 0; f < m_tree->topLevelItemCount(); ++f)
        names << m_tree->topLevelItem(f)->text(0);
    return names;
}

void WorkloadPanel::choose(const QString& family) {
    {
        const QSignalBlocker quiet(m_tree);
        for (int f = 0; f < m_tree->topLevelItemCount(); ++f) {
            QTreeWidgetItem* item = m_tree->topLevelItem(f);
            const bool wanted = family.isEmpty() || item->text(0) == family;
            for (int v = 0; v < item->childCount(); ++v)
                item->child(v)->setCheckState(0, wanted ? Qt::Checked : Qt::Unchecked);
            item->setExpanded(wanted);
        }
    }
    m_tree->viewport()->update();
    updateCount();
    emit chosenChanged();
}

void WorkloadPanel::updateCount() {
    const auto count = chosen().size();
    m_count->setText(m_tree->topLevelItemCount() == 0 ? QString() : QStringLiteral("%1 chosen").arg(count));
}

} // namespace dormer::ui
