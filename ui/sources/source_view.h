// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sessions/session_hub.h"
#include "ui/sources/code_rows.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace dormer::ui::sources {

class AccessPanel;
class CodeTable;
class SourceHead;

/// The selected launch's kernel: source with what each line costs, its instructions beside it, and the
/// accesses of the chosen line below. Nothing is worked out while it is hidden.
class SourceView : public QWidget {
    Q_OBJECT
public:
    explicit SourceView(sessions::SessionHub& hub, QWidget* parent = nullptr);

    [[nodiscard]] const lines::KernelSource* source() const { return m_source.get(); }
    [[nodiscard]] CodeTable& lines() { return *m_lines; }
    [[nodiscard]] CodeTable& code() { return *m_code; }
    [[nodiscard]] AccessPanel& accesses() { return *m_accesses; }
    /// File and line that are chosen, "transpose.cu:54"; empty without.
    [[nodiscard]] QString chosenPlace() const;
    /// Puts the cursor where the text to find is typed.
    void startFind();
    /// The next line that wastes something, or the one before.
    void stepHot(bool down);
    /// Shows the instruction that what is chosen waits for, if it waits for one.
    void showProducer();
    /// Shows what changed since the last time; happens by itself soon after, while the view is visible.
    void flush();

signals:
    /// The next run is to count per line.
    void linesRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void later();
    void showLaunches(std::vector<session::LaunchIndex> launches);
    void showFile(std::size_t file, std::optional<std::size_t> row);
    void showPlace(const sessions::SourcePlace& place);
    void chooseCode(std::size_t row);
    void describeRow(std::size_t row);
    template <typename Row>
    void describeStalls(const Row& row);
    void describeHead();
    void find(bool down, bool further);
    void showNothing(const QString& why, bool canCount = false);

    sessions::SessionHub& m_hub;
    QStackedWidget* m_pages; ///< a sentence, or the code
    QLabel* m_nothing;
    QPushButton* m_count; ///< below the sentence, where counts per line can be had
    SourceHead* m_head;
    QLabel* m_hint;
    QSplitter* m_columns;
    CodeTable* m_lines;
    CodeTable* m_code;
    AccessPanel* m_accesses;
    QTimer m_timer;
    bool m_stale = true;
    bool m_recount = false;                       ///< launches shown have other counts now
    std::vector<session::LaunchIndex> m_launches; ///< those whose counts are shown
    std::shared_ptr<const lines::KernelSource> m_source;
    std::size_t m_file = 0;
    Heat m_heat = Heat::Waste;                    ///< what makes a row hot
    std::optional<std::size_t> m_waitsFor;        ///< row of the code that what is chosen waits for
    std::optional<sessions::SourcePlace> m_asked; ///< to be shown when the view is
};

} // namespace dormer::ui::sources
