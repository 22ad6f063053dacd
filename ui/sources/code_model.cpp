// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/code_model.h"

#include "analysis/metrics/format.h"
#include "ui/look/words.h"

#include <algorithm>

namespace dormer::ui::sources {
namespace {

QString count(std::uint64_t value) {
    return look::words(metrics::forPeople(static_cast<double>(value), metrics::Unit::Count));
}

/// All digits, for hovering.
QString against(std::uint64_t actual, std::uint64_t ideal, const char* what) {
    return QStringLiteral("%1 %2 (ideal %3)").arg(actual).arg(QLatin1String(what)).arg(ideal);
}

} // namespace

void CodeModel::setSource(std::shared_ptr<const lines::KernelSource> source,
                          std::optional<std::size_t> file) {
    beginResetModel();
    m_source = std::move(source);
    m_file = file;
    m_marked.clear();
    m_kinds = m_source ? costKinds(*m_source) : CostKinds{};
    m_wastes = m_source && std::ranges::any_of(m_source->code, [](const lines::CodeRow& row) {
                   return row.cost && row.cost->waste > 0;
               });
    std::size_t longest = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const std::string& text = textOf(static_cast<std::size_t>(row));
        if (text.size() + 4 * static_cast<std::size_t>(std::ranges::count(text, '\t')) > longest)
            longest = std::max(longest, expandTabs(text).size());
    }
    m_longest = static_cast<int>(longest);
    endResetModel();
}

void CodeModel::setMarked(const std::vector<std::size_t>& rows) {
    QSet<qsizetype> marked;
    for (const std::size_t row : rows)
        marked.insert(static_cast<qsizetype>(row));
    if (marked == m_marked) return;
    m_marked = std::move(marked);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {MarkedRole});
}

int CodeModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !m_source) return 0;
    return static_cast<int>(m_file ? m_source->files[*m_file].rows.size() : m_source->code.size());
}

int CodeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const lines::LineCost* CodeModel::costOf(std::size_t row) const {
    const auto& cost = m_file ? m_source->files[*m_file].rows[row].cost : m_source->code[row].cost;
    return cost ? &*cost : nullptr;
}

const std::string& CodeModel::textOf(std::size_t row) const {
    return m_file ? m_source->files[*m_file].rows[row].text : m_source->code[row].text;
}

QString CodeModel::numberOf(std::size_t row) const {
    if (m_file) return QString::number(m_source->files[*m_file].rows[row].number);
    const std::uint64_t pc = m_source->code[row].pc;
    // A position in PTX is a line of its text.
    return m_source->language == session::CodeLanguage::Ptx
               ? QString::number(pc)
               : QStringLiteral("%1").arg(pc, 4, 16, QLatin1Char('0'));
}

int CodeModel::widestNumber() const {
    return rowCount() == 0 ? 0 : static_cast<int>(numberOf(static_cast<std::size_t>(rowCount()) - 1).size());
}

bool CodeModel::hasColumn(Column column) const {
    switch (column) {
    case Share:
        return m_kinds.sectors || m_kinds.wavefronts;
    case Sectors:
    case SectorsIdeal:
        return m_kinds.sectors && !isCode();
    case Wavefronts:
    case WavefrontsIdeal:
        return m_kinds.wavefronts && !isCode();
    default:
        return true;
    }
}

double CodeModel::heatOf(const lines::LineCost& cost) const {
    return m_wastes ? cost.waste : cost.traffic;
}

QString CodeModel::figureOf(const lines::LineCost& cost, Column column) const {
    switch (column) {
    case Share: {
        const double share = m_wastes ? cost.waste : cost.traffic;
        return share > 0 ? look::words(metrics::forPeople(share, metrics::Unit::Ratio)) : QString();
    }
    case Sectors:
        return cost.sectors > 0 ? count(cost.sectors) : QString();
    case SectorsIdeal:
        return cost.sectors > 0 ? count(cost.sectorsIdeal) : QString();
    case Wavefronts:
        return cost.wavefronts > 0 ? count(cost.wavefronts) : QString();
    case WavefrontsIdeal:
        return cost.wavefronts > 0 ? count(cost.wavefrontsIdeal) : QString();
    default:
        return {};
    }
}

QString CodeModel::hintOf(std::size_t row) const {
    const lines::LineCost* cost = costOf(row);
    if (cost == nullptr) return {};
    QStringList parts;
    if (m_file && !m_source->files[*m_file].rows[row].what.empty())
        parts << look::words(m_source->files[*m_file].rows[row].what);
    if (cost->sectors > 0) parts << against(cost->sectors, cost->sectorsIdeal, "sectors");
    if (cost->wavefronts > 0) parts << against(cost->wavefronts, cost->wavefrontsIdeal, "wavefronts");
    parts << QStringLiteral("%1 executions by warps").arg(cost->executions);
    return parts.join(QLatin1Char('\n'));
}

QVariant CodeModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || !m_source) return {};
    const auto row = static_cast<std::size_t>(at.row());
    const auto column = static_cast<Column>(at.column());
    switch (role) {
    case Qt::DisplayRole:
        if (column == Number) return numberOf(row);
        if (column == Text) return look::words(expandTabs(textOf(row)));
        if (const lines::LineCost* cost = costOf(row)) return figureOf(*cost, column);
        return {};
    case Qt::ToolTipRole:
        return hintOf(row);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (column == Text ? Qt::AlignLeft : Qt::AlignRight));
    case HeatRole: {
        const lines::LineCost* cost = costOf(row);
        return cost == nullptr ? 0.0 : heatOf(*cost);
    }
    case WasteRole:
        return m_wastes;
    case MarkedRole:
        return m_marked.contains(at.row());
    default:
        return {};
    }
}

QVariant CodeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const struct {
        const char *title, *hint;
    } kHeads[ColumnCount] = {
        {"line", "Line of the file"},
        {"waste", "Share of the kernel's excessive traffic"},
        {"sectors", "32-byte sectors of global and local memory that its accesses moved"},
        {"ideal", "Ideal sectors: neighbouring lanes access neighbouring bytes"},
        {"wavefronts", "Shared-memory wavefronts of its accesses"},
        {"ideal", "Ideal wavefronts: no bank conflicts"},
        {"", "Text of the file"}};
    const auto& head = kHeads[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (section == Text ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const bool title = role == Qt::DisplayRole;
    if (section == Number && isCode())
        return title ? QStringLiteral("pc") : QStringLiteral("Position of the instruction in the kernel");
    if (section == Share && !m_wastes)
        return title ? QStringLiteral("traffic")
                     : QStringLiteral("Share of all that the kernel's lines move");
    if (section == Text && m_source)
        return m_file ? look::words(m_source->files[*m_file].name)
                      : look::words(toString(m_source->language)).toUpper();
    return QString::fromLatin1(title ? head.title : head.hint);
}

} // namespace dormer::ui::sources
