// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/annotated_source.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;

namespace dormer::ui::look {
class ElidedLink;
} // namespace dormer::ui::look

namespace dormer::ui::pattern {
class LanePictureView;
} // namespace dormer::ui::pattern

namespace dormer::ui::tables {
class FactTable;
} // namespace dormer::ui::tables

namespace dormer::ui::sources {

/// The memory accesses of one line with their numbers, and the picture of the one that is chosen.
class AccessPanel : public QWidget {
    Q_OBJECT
public:
    explicit AccessPanel(QWidget* parent = nullptr);

    /// Accesses by index into KernelSource::accesses; the worst is chosen. `title` says whose they are,
    /// `what` what they do.
    void setAccesses(std::shared_ptr<const lines::KernelSource> source, std::vector<std::size_t> accesses,
                     const QString& title, const QString& what);
    /// How much warps wait at what is chosen, and for which instruction; each may be empty.
    void setStalls(const QString& sentence, const QString& producer);
    [[nodiscard]] tables::FactTable& table() { return *m_table; }
    [[nodiscard]] pattern::LanePictureView& picture() { return *m_picture; }

signals:
    /// The instruction that is waited for is to be seen.
    void producerAsked();

private:
    QWidget* drawing();
    void choose(std::optional<std::size_t> access);

    std::shared_ptr<const lines::KernelSource> m_source;
    QLabel* m_title;
    QLabel* m_what;
    QLabel* m_stalls;
    look::ElidedLink* m_producer;
    tables::FactTable* m_table;
    pattern::LanePictureView* m_picture;
    QLabel* m_headline;
    QLabel* m_caption; ///< whether these lanes were seen, or are typical
};

} // namespace dormer::ui::sources
