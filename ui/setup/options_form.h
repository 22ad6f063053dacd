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

namespace dormer::ui::setup {

/// The collect options as controls, folded under one line until somebody wants them.
class OptionsForm : public QWidget {
    Q_OBJECT
public:
    explicit OptionsForm(QWidget* parent = nullptr);

    /// Writes what the controls say into the setup's options.
    void fill(RunSetup& setup) const;
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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addFields(QGridLayout& grid);
    QLineEdit* addField(QGridLayout& grid, const char* name, const QString& title, const QString& hint,
                        const QString& tip);
    void onChange();
    void fitEstimate();

    QPushButton* m_fold;
    QWidget* m_body;
    QCheckBox* m_lines;
    QCheckBox* m_stalls;
    QCheckBox* m_allThreads;
    QCheckBox* m_flush;
    QLineEdit* m_kernels;
    QLineEdit* m_nvtx;
    QLineEdit* m_launches;
    QLineEdit* m_timeLimit;
    QLineEdit* m_size;
    QLineEdit* m_repeat;
    QComboBox* m_sizes;
    QLabel* m_estimate;
};

} // namespace dormer::ui::setup
