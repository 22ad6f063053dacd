// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/workloads/workload_tree.h"

#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/workloads/workload_delegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>

#include <algorithm>
#include <map>

namespace dormer::ui::workloads {
namespace {

/// A suite of more workloads than this opens folded.
constexpr qsizetype kOpenAtMost = 40;

bool isLeaf(const QTreeWidgetItem& item) {
    return item.childCount() == 0;
}

/// Calls `visit` with every workload below an item.
template <typename Visit>
void forLeaves(QTreeWidgetItem& item, const Visit& visit) {
    if (isLeaf(item)) return visit(item);
    for (int i = 0; i < item.childCount(); ++i)
        forLeaves(*item.child(i), visit);
}

template <typename Visit>
void forLeaves(const QTreeWidget& tree, const Visit& visit) {
    for (int i = 0; i < tree.topLevelItemCount(); ++i)
        forLeaves(*tree.topLevelItem(i), visit);
}

/// A family or a sweep. Its box follows those below it and sets those of them that are shown.
class Branch : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;

    [[nodiscard]] QVariant data(int column, int role) const override {
        if (role != kCountRole) return QTreeWidgetItem::data(column, role);
        int all = 0, checked = 0;
        forLeaves(const_cast<Branch&>(*this), [&](const QTreeWidgetItem& leaf) {
            ++all;
            checked += leaf.checkState(0) == Qt::Checked;
        });
        return checked == all ? QString::number(all) : QStringLiteral("%1 of %2").arg(checked).arg(all);
    }

    void setData(int column, int role, const QVariant& value) override {
        if (role != Qt::CheckStateRole) return QTreeWidgetItem::setData(column, role, value);
        std::vector<QTreeWidgetItem*> shown;
        bool all = true;
        forLeaves(*this, [&](QTreeWidgetItem& leaf) {
            if (leaf.isHidden())
                all = false;
            else
                shown.push_back(&leaf);
        });
        bool on = value.value<Qt::CheckState>() == Qt::Checked;
        // With hidden ones off the box stays partly on, and a click on that means "on": when everything shown
        // is on already, it can only mean "off".
        if (on && !all)
            on = !std::ranges::all_of(shown, [](auto* leaf) { return leaf->checkState(0) == Qt::Checked; });
        for (QTreeWidgetItem* leaf : shown)
            leaf->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
    }
};

QString hintOf(const instrument::launch::WorkloadInfo& workload) {
    QString hint =
        QStringLiteral("<p><b>%1</b></p><p>%2</p>")
            .arg(look::words(workload.path()).toHtmlEscaped(), look::words(workload.shows).toHtmlEscaped());
    if (workload.wrongByDesign) hint += QStringLiteral("<p>Its result is wrong, by design.</p>");
    QStringList parameters;
    for (const std::string& parameter : workload.parameters)
        parameters << look::words(parameter).toHtmlEscaped();
    if (!parameters.isEmpty())
        hint += QStringLiteral("<p>%1</p>").arg(parameters.join(QLatin1String("<br>")));
    return hint;
}

} // namespace

WorkloadTree::WorkloadTree(QWidget* parent) : QTreeWidget(parent) {
    setItemDelegate(new WorkloadDelegate(this));
    header()->hide();
    setIndentation(2 * look::kGrid);
    setSelectionMode(QAbstractItemView::NoSelection);
    setTextElideMode(Qt::ElideRight);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(this, &QTreeWidget::itemChanged, this, &WorkloadTree::chosenChanged);
}

QTreeWidgetItem* WorkloadTree::addFamily(const instrument::launch::WorkloadInfo& workload) {
    auto* family = new Branch(this, {look::words(workload.family)});
    family->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
    family->setData(0, kShowsRole, look::words(workload.title));
    family->setToolTip(
        0, QStringLiteral("<p><b>%1</b></p><p>%2</p>")
               .arg(look::words(workload.title.empty() ? workload.family : workload.title).toHtmlEscaped(),
                    look::words(workload.familyShows).toHtmlEscaped()));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    family->setFont(0, strong);
    return family;
}

void WorkloadTree::addWorkload(QTreeWidgetItem& parent, const instrument::launch::WorkloadInfo& workload) {
    auto* item = new QTreeWidgetItem(&parent, {look::words(workload.variant)});
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
    item->setData(0, kPathRole, look::words(workload.path()));
    item->setData(0, kShowsRole,
                  workload.wrongByDesign ? QStringLiteral("wrong by design: ") + look::words(workload.shows)
                                         : look::words(workload.shows));
    item->setData(
        0, kSearchRole,
        look::words(workload.path() + '\n' + workload.title + '\n' + workload.shows + '\n' + workload.sweep));
    item->setCheckState(0, Qt::Checked);
    item->setToolTip(0, hintOf(workload));
}

void WorkloadTree::setWorkloads(const std::vector<instrument::launch::WorkloadInfo>& workloads) {
    const QSignalBlocker quiet(this);
    clear();
    m_openBefore.clear();
    m_filtered = false;
    std::map<std::string, QTreeWidgetItem*> families;
    std::map<std::pair<std::string, std::string>, QTreeWidgetItem*> sweeps;
    for (const instrument::launch::WorkloadInfo& workload : workloads) {
        QTreeWidgetItem*& family = families[workload.family];
        if (family == nullptr) family = addFamily(workload);
        if (workload.sweep.empty()) {
            addWorkload(*family, workload);
            continue;
        }
        QTreeWidgetItem*& sweep = sweeps[{workload.family, workload.sweep}];
        if (sweep == nullptr) {
            sweep = new Branch(family, {look::words(workload.sweep)});
            sweep->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
        }
        addWorkload(*sweep, workload);
    }
    for (const auto& [name, sweep] : sweeps) {
        const QString first = sweep->child(0)->text(0), last = sweep->child(sweep->childCount() - 1)->text(0);
        sweep->setText(0, QStringLiteral("%1 (%2)").arg(look::words(name.second)).arg(sweep->childCount()));
        sweep->setData(0, kShowsRole,
                       first == last ? first : QStringLiteral("%1 \u2026 %2").arg(first, last));
        sweep->setToolTip(0, QStringLiteral("<p>Points of one sweep: they differ in a parameter, and become "
                                            "one table and one plot.</p>"));
    }
    m_total = static_cast<qsizetype>(workloads.size());
    foldAll();
    viewport()->update();
}

void WorkloadTree::foldAll() {
    collapseAll();
    if (m_total > kOpenAtMost) return;
    for (int i = 0; i < topLevelItemCount(); ++i)
        topLevelItem(i)->setExpanded(true);
}

QStringList WorkloadTree::chosen() const {
    QStringList paths;
    forLeaves(*this, [&](const QTreeWidgetItem& leaf) {
        if (leaf.checkState(0) == Qt::Checked) paths << leaf.data(0, kPathRole).toString();
    });
    return paths;
}

QStringList WorkloadTree::families() const {
    QStringList names;
    for (int f = 0; f < topLevelItemCount(); ++f)
        names << topLevelItem(f)->text(0);
    return names;
}

qsizetype WorkloadTree::shown() const {
    qsizetype count = 0;
    forLeaves(*this, [&](const QTreeWidgetItem& leaf) { count += leaf.isHidden() ? 0 : 1; });
    return count;
}

void WorkloadTree::choose(const QString& family) {
    {
        const QSignalBlocker quiet(this);
        if (family.isEmpty() && !m_filtered) foldAll();
        for (int f = 0; f < topLevelItemCount(); ++f) {
            QTreeWidgetItem* item = topLevelItem(f);
            const bool wanted = family.isEmpty() || item->text(0) == family;
            forLeaves(*item, [&](QTreeWidgetItem& leaf) {
                leaf.setCheckState(0, wanted ? Qt::Checked : Qt::Unchecked);
            });
            if (family.isEmpty()) continue;
            item->setExpanded(wanted);
            if (wanted) scrollToItem(item, QAbstractItemView::PositionAtTop);
        }
    }
    viewport()->update();
    emit chosenChanged();
}

void WorkloadTree::chooseShown() {
    {
        const QSignalBlocker quiet(this);
        forLeaves(*this, [](QTreeWidgetItem& leaf) {
            leaf.setCheckState(0, leaf.isHidden() ? Qt::Unchecked : Qt::Checked);
        });
    }
    viewport()->update();
    emit chosenChanged();
}

void WorkloadTree::setFilter(const QString& text) {
    const QStringList wanted = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto forBranches = [this](const auto& visit) {
        for (int f = 0; f < topLevelItemCount(); ++f) {
            QTreeWidgetItem* family = topLevelItem(f);
            for (int i = 0; i < family->childCount(); ++i)
                if (!isLeaf(*family->child(i))) visit(*family->child(i));
            visit(*family); // after its sweeps, whose visibility it takes part of
        }
    };
    if (!wanted.isEmpty() && !m_filtered) {
        m_openBefore.clear();
        forBranches([this](QTreeWidgetItem& branch) {
            if (branch.isExpanded()) m_openBefore.insert(&branch);
        });
    }
    forLeaves(*this, [&](QTreeWidgetItem& leaf) {
        const QString searched = leaf.data(0, kSearchRole).toString();
        leaf.setHidden(!std::ranges::all_of(
            wanted, [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); }));
    });
    forBranches([&](QTreeWidgetItem& branch) {
        bool any = false;
        for (int i = 0; i < branch.childCount(); ++i)
            any = any || !branch.child(i)->isHidden();
        branch.setHidden(!any);
        if (!wanted.isEmpty())
            branch.setExpanded(any);
        else if (m_filtered)
            branch.setExpanded(m_openBefore.contains(&branch));
    });
    m_filtered = !wanted.isEmpty();
}

void WorkloadTree::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const {
    if (!model()->hasChildren(index)) return;
    // The platform's arrow is hardly seen on a dark ground.
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(look::coloursFor(palette()).muted, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    // Beside the name, which is the first of two lines.
    const QPointF centre(rect.right() - indentation() / 2.0, rect.top() + fontMetrics().height() / 2.0 + 2);
    const QPointF along = isExpanded(index) ? QPointF(0, 2) : QPointF(2, 0);
    const QPointF across = isExpanded(index) ? QPointF(4, 0) : QPointF(0, 4);
    painter->drawPolyline(QPolygonF({centre - along - across, centre + along, centre - along + across}));
    painter->restore();
}

} // namespace dormer::ui::workloads
