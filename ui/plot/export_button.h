// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>

namespace dormer::ui::plot {

/// An arrow into a tray, as everywhere for saving; opens a menu of picture formats.
class ExportButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit ExportButton(QWidget* parent = nullptr);

signals:
    void exportWanted(const QString& ending); ///< "png", "svg", "pdf"

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Asks where to save a picture with this ending, named `name` at first. Empty when the user thinks better of
/// it.
[[nodiscard]] QString askPicturePath(QWidget* parent, const QString& name, const QString& ending);

} // namespace dormer::ui::plot
