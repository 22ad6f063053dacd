// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/annotated_source.h"

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

    /// Names the files with their shares, and what the counts are of.
    void describe(const lines::KernelSource& source, std::size_t launches);
    void setFile(std::size_t file);
    [[nodiscard]] QLineEdit& find() { return *m_find; }
    /// Whether the words are nowhere in the file: they are marked, no dialog says so.
    void setMissing(bool missing);

signals:
    void fileChosen(std::size_t file);
    void hotLineAsked(bool down);
    /// `further`: not the line that is chosen already.
    void findAsked(bool down, bool further);

private:
    QComboBox* m_files;
    QLabel* m_about;
    QLineEdit* m_find;
};

} // namespace dormer::ui::sources
