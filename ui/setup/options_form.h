// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/setup/run_setup.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace dormer::ui::setup {

/// The collect options as controls, folded under one line until somebody wants them.
class OptionsForm : public QWidget {
    Q_OBJECT
public:
    explicit OptionsForm(QWidget* parent = nullptr);

    /// What the controls say; the counter set is chosen elsewhere.
    [[nodiscard]] RunOptions options() const;
    /// Sets all controls, those that can't be used just now too.
    void setOptions(const RunOptions& options);
    /// Disables what can't be used and says why on hover.
    void setUnavailable(const Unavailable& unavailable);
    /// What the next run will do, below the controls.
    void setEstimate(const QString& text);
    [[nodiscard]] bool unfolded() const;
    void setUnfolded(bool unfolded);
    /// Ticks the counts per line.
    void chooseLines();

signals:
    void changed();
    void foldedOrUnfolded();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Choice {
        const char* text;
        const char* value; ///< of RunOptions; empty for what is chosen at first
    };
    void addFields();
    void addChoices();
    QLineEdit* addField(const char* name, const QString& title, const QString& hint, const char* help);
    QComboBox* addChoice(const char* name, const QString& title, std::initializer_list<Choice> choices,
                         const char* help);
    void addRow(const QString& title, QWidget& control, const char* name, const char* help);
    void onChange();
    void fitEstimate();

    QPushButton* m_fold;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    QCheckBox* m_lines;
    QCheckBox* m_stalls;
    QCheckBox* m_allThreads;
    QCheckBox* m_flush;
    QLineEdit* m_kernels = nullptr;
    QLineEdit* m_nvtx = nullptr;
    QLineEdit* m_launches = nullptr;
    QComboBox* m_replay = nullptr;
    QLineEdit* m_budget = nullptr;
    QComboBox* m_check = nullptr;
    QComboBox* m_onFault = nullptr;
    QLineEdit* m_timeLimit = nullptr;
    QLineEdit* m_size = nullptr;
    QLineEdit* m_repeat = nullptr;
    QComboBox* m_sizes = nullptr;
    QLabel* m_estimate;
};

} // namespace dormer::ui::setup
