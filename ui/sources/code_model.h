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
    enum Column { Number, Share, Sectors, SectorsIdeal, Wavefronts, WavefrontsIdeal, Text, ColumnCount };
    /// HeatRole: 0..1, WasteRole: of waste, else of traffic; MarkedRole: belongs to what is chosen beside.
    enum Role { HeatRole = Qt::UserRole, WasteRole, MarkedRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// A file of the kernel's source by index into KernelSource::files; absent: its instructions.
    void setSource(std::shared_ptr<const lines::KernelSource> source, std::optional<std::size_t> file);
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
    [[nodiscard]] const lines::LineCost* costOf(std::size_t row) const;
    [[nodiscard]] const std::string& textOf(std::size_t row) const;
    [[nodiscard]] QString numberOf(std::size_t row) const;
    [[nodiscard]] QString figureOf(const lines::LineCost& cost, Column column) const;
    [[nodiscard]] QString hintOf(std::size_t row) const;
    [[nodiscard]] double heatOf(const lines::LineCost& cost) const;

    std::shared_ptr<const lines::KernelSource> m_source;
    std::optional<std::size_t> m_file;
    CostKinds m_kinds;
    bool m_wastes = false; ///< heat is waste; else, as nothing is wasted, traffic
    int m_longest = 0;
    QSet<qsizetype> m_marked;
};

} // namespace dormer::ui::sources
