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

/// Whole percents; nothing where that is below half of one.
QString share(double part) {
    return part >= 0.0005 ? look::words(metrics::forPeople(part, metrics::Unit::Ratio)) : QString();
}

Qt::Alignment alignmentOf(CodeModel::Column column) {
    const bool isText = column == CodeModel::Text || column == CodeModel::StallReason;
    return Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight);
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
    std::size_t longest = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const std::string& text = textOf(static_cast<std::size_t>(row));
        if (text.size() + 4 * static_cast<std::size_t>(std::ranges::count(text, '\t')) > longest)
            longest = std::max(longest, expandTabs(text).size());
    }
    m_longest = static_cast<int>(longest);
    endResetModel();
}

void CodeModel::setHeat(Heat heat) {
    m_heat = heat;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, Share, Share);
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

template <typename Ask>
auto CodeModel::ofRow(std::size_t row, Ask ask) const {
    return m_file ? ask(m_source->files[*m_file].rows[row]) : ask(m_source->code[row]);
}

const lines::LineCost* CodeModel::costOf(std::size_t row) const {
    return ofRow(row, [](const auto& of) { return of.cost ? &*of.cost : nullptr; });
}

const lines::StallCost* CodeModel::stallsOf(std::size_t row) const {
    return ofRow(row, [](const auto& of) { return of.stalls ? &*of.stalls : nullptr; });
}

const std::string& CodeModel::textOf(std::size_t row) const {
    return *ofRow(row, [](const auto& of) { return &of.text; });
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
        return m_kinds.sectors || m_kinds.wavefronts || (m_source && m_source->samples > 0);
    case Stalled: // the gutter has the same
        return m_source && m_source->samples > 0 && m_heat != Heat::Stalls;
    case StallReason:
        return m_source && m_source->samples > 0;
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

double CodeModel::heatOf(std::size_t row) const {
    return ofRow(row, [this](const auto& of) { return view::details::heatOf(of, m_heat); });
}

QString CodeModel::figureOf(std::size_t row, Column column) const {
    if (column == Share) return share(heatOf(row));
    if (column == Stalled || column == StallReason) {
        const lines::StallCost* stalls = stallsOf(row);
        if (stalls == nullptr || share(stalls->stalled).isEmpty()) return {};
        return column == Stalled ? share(stalls->stalled) : look::words(stalls->reason);
    }
    const lines::LineCost* cost = costOf(row);
    if (cost == nullptr) return {};
    const bool isSector = column == Sectors || column == SectorsIdeal;
    if ((isSector ? cost->sectors : cost->wavefronts) == 0) return {};
    switch (column) {
    case Sectors:
        return count(cost->sectors);
    case SectorsIdeal:
        return count(cost->sectorsIdeal);
    case Wavefronts:
        return count(cost->wavefronts);
    case WavefrontsIdeal:
        return count(cost->wavefrontsIdeal);
    default:
        return {};
    }
}

QString CodeModel::hintOf(std::size_t row) const {
    QStringList parts;
    const std::string waiting =
        ofRow(row, [](const auto& of) { return view::details::stallText(of.stalls); });
    if (!waiting.empty()) parts << look::words(waiting);
    const lines::LineCost* cost = costOf(row);
    if (cost == nullptr) return parts.join(QLatin1Char('\n'));
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
        return figureOf(row, column);
    case Qt::ToolTipRole:
        return hintOf(row);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(column));
    case HeatRole:
        return heatOf(row);
    case KindRole:
        return static_cast<int>(m_heat);
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
        {"", ""},
        {"stalls", "Share of the kernel's sampled warps that wait here"},
        {"mostly by", "The state that most of the warps which wait here are in"},
        {"sectors", "32-byte sectors of global and local memory that its accesses moved"},
        {"ideal", "Ideal sectors: neighbouring lanes access neighbouring bytes"},
        {"wavefronts", "Shared-memory wavefronts of its accesses"},
        {"ideal", "Ideal wavefronts: no bank conflicts"},
        {"", "Text of the file"}};
    const auto& head = kHeads[section];
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(alignmentOf(static_cast<Column>(section)));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const bool title = role == Qt::DisplayRole;
    if (section == Number && isCode())
        return title ? QStringLiteral("pc") : QStringLiteral("Position of the instruction in the kernel");
    if (section == Share && m_source) {
        const view::details::HeatText text = view::details::textOf(m_heat, *m_source);
        return look::words(title ? text.title : text.tooltip);
    }
    if (section == Text && m_source)
        return m_file ? look::words(m_source->files[*m_file].name)
                      : look::words(toString(m_source->language)).toUpper();
    return QString::fromLatin1(title ? head.title : head.hint);
}

} // namespace dormer::ui::sources
