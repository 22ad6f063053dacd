// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sources/code_rows.h"

#include <QAbstractTableModel>
#include <QSet>

#include <memory>

namespace dormer::ui::sources {

/// Rows of a source file, or of a kernel's instructions, with what they cost. Texts are made when they are
/// looked at: a file may have any number of lines. Holds no widgets.
class CodeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Number,
        Share,
        Stalled,
        StallReason,
        Sectors,
        SectorsIdeal,
        Wavefronts,
        WavefrontsIdeal,
        Text,
        ColumnCount
    };
    /// HeatRole: 0..1; KindRole: Heat as int, what it is of; MarkedRole: belongs to what is chosen beside.
    enum Role { HeatRole = Qt::UserRole, KindRole, MarkedRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// A file of the kernel's source by index into KernelSource::files; absent: its instructions.
    void setSource(std::shared_ptr<const lines::KernelSource> source, std::optional<std::size_t> file);
    /// What the gutter shows.
    void setHeat(Heat heat);
    [[nodiscard]] Heat heat() const { return m_heat; }
    void setMarked(const std::vector<std::size_t>& rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Letters of the longest text, tabs expanded; counted once.
    [[nodiscard]] int longestText() const { return m_longest; }
    /// Letters of the widest number in front.
    [[nodiscard]] int widestNumber() const;
    [[nodiscard]] bool hasColumn(Column column) const;
    [[nodiscard]] bool isCode() const { return !m_file; }
    [[nodiscard]] const lines::KernelSource* source() const { return m_source.get(); }

private:
    template <typename Ask>
    [[nodiscard]] auto ofRow(std::size_t row, Ask ask) const;
    [[nodiscard]] const lines::LineCost* costOf(std::size_t row) const;
    [[nodiscard]] const lines::StallCost* stallsOf(std::size_t row) const;
    [[nodiscard]] const std::string& textOf(std::size_t row) const;
    [[nodiscard]] QString numberOf(std::size_t row) const;
    [[nodiscard]] QString figureOf(std::size_t row, Column column) const;
    [[nodiscard]] QString hintOf(std::size_t row) const;
    [[nodiscard]] double heatOf(std::size_t row) const;

    std::shared_ptr<const lines::KernelSource> m_source;
    std::optional<std::size_t> m_file;
    CostKinds m_kinds;
    Heat m_heat = Heat::Waste;
    int m_longest = 0;
    QSet<qsizetype> m_marked;
};

} // namespace dormer::ui::sources
