// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/learn/progress.h"

#include <QSettings>

namespace dormer::ui::learn {
namespace {

const QString kKey = QStringLiteral("course/%1");
const QString kRight = QStringLiteral("right");
const QString kWrong = QStringLiteral("wrong");

} // namespace

Progress progressIn(const QString& family) {
    const QString value = QSettings().value(kKey.arg(family)).toString();
    return value == kRight ? Progress::Right : value == kWrong ? Progress::Wrong : Progress::Open;
}

void remember(const QString& family, bool right) {
    if (progressIn(family) != Progress::Right)
        QSettings().setValue(kKey.arg(family), right ? kRight : kWrong);
}

} // namespace dormer::ui::learn
