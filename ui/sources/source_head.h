// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sources/code_rows.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace dormer::ui::sources {

/// The bar above the source: which file, what is shown, from hot line to hot line, and words to find.
class SourceHead : public QWidget {
    Q_OBJECT
public:
    explicit SourceHead(QWidget* parent = nullptr);

    /// Names the files with their shares, what the counts are of, and what the gutter can show; what it
    /// showed stays where it can. Returns what it shows.
    [[nodiscard]] Heat describe(const lines::KernelSource& source, std::size_t launches);
    void setFile(std::size_t file);
    [[nodiscard]] QLineEdit& find() { return *m_find; }
    /// Whether the words are nowhere in the file: they are marked, no dialog says so.
    void setMissing(bool missing);

signals:
    void heatChosen(Heat heat);
    void fileChosen(std::size_t file);
    void hotLineAsked(bool down);
    /// `further`: not the line that is chosen already.
    void findAsked(bool down, bool further);

private:
    void nameFiles(const lines::KernelSource& source, Heat heat);

    QComboBox* m_files;
    QComboBox* m_heat;
    std::optional<Heat> m_wanted; ///< what a user chose
    QLabel* m_about;
    QLineEdit* m_find;
};

} // namespace dormer::ui::sources
