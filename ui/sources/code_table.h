// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sources/code_model.h"

#include <QColor>
#include <QWidget>

#include <array>

class QScrollBar;
class QTableView;

namespace dormer::ui::look {
struct Colours;
} // namespace dormer::ui::look

namespace dormer::ui::sources {

/// Ground of a share in the gutter: the panel's, mixed by how much it is with vermilion for waste, the colour
/// of latency for stalls, blue for traffic, grey for instructions. Text of the theme's colour reads on all of
/// them.
[[nodiscard]] QColor heatColour(double share, Heat heat, const look::Colours& colours);

/// Lines of code with a gutter of what they cost, whose columns give way where the code would have no room.
/// The figures stay where they are while the text scrolls sideways.
class CodeTable : public QWidget {
    Q_OBJECT
public:
    explicit CodeTable(const QString& name, QWidget* parent = nullptr);

    void setSource(std::shared_ptr<const lines::KernelSource> source, std::optional<std::size_t> file);
    /// What the gutter shows.
    void setHeat(Heat heat);
    /// Makes a row the current one and brings it into view; tells nobody.
    void showRow(std::optional<std::size_t> row);
    /// Marks rows that belong to what is chosen beside, and brings one of them into view.
    void mark(const std::vector<std::size_t>& rows, std::optional<std::size_t> shown);
    [[nodiscard]] std::optional<std::size_t> row() const;
    [[nodiscard]] QTableView& view() { return *m_view; }
    [[nodiscard]] CodeModel& model() { return m_model; }

signals:
    /// A user chose a row.
    void rowChosen(std::size_t row);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void sizeColumns();
    void shareRoom();
    void sizeBar();
    void reveal(std::size_t row);

    CodeModel m_model;
    QTableView* m_view;
    QScrollBar* m_bar;                           ///< shifts the text alone
    std::optional<std::size_t> m_marked;         ///< the one of the marked rows that is in view
    std::array<int, CodeModel::Text> m_widths{}; ///< of the columns before the text, if shown
    bool m_showing = false;
};

} // namespace dormer::ui::sources
