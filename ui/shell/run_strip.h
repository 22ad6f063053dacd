// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sessions/run_history.h"

#include <QWidget>

class QHBoxLayout;

namespace dormer::ui::shell {

/// "app · 14:03:12 · 3.12 ms", what a card of a run says; and below the pointer program, device, counters,
/// file.
[[nodiscard]] QString runTitle(const sessions::Run& run);
[[nodiscard]] QString runFacts(const sessions::Run& run);

/// The last runs as cards, as many as fit, the one on screen last. A click on another makes it the baseline
/// that the one on screen is compared with, a click on the baseline compares with none.
class RunStrip : public QWidget {
    Q_OBJECT
public:
    explicit RunStrip(const sessions::RunHistory& history, QWidget* parent = nullptr);

signals:
    void baselineChosen(std::optional<std::size_t> run);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    /// Shows as many of the last cards as there is room for.
    void fit();
    void addCard(std::size_t run);

    const sessions::RunHistory& m_history;
    QHBoxLayout* m_row;
};

} // namespace dormer::ui::shell
