// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/recent_programs.h"

#include <QSettings>

namespace dormer::ui::setup {
namespace {

constexpr qsizetype kMost = 8;
const QString kKey = QStringLiteral("recentPrograms");
const QString kCommand = QStringLiteral("command");
const QString kEnvironment = QStringLiteral("environment");
const QString kFolder = QStringLiteral("folder");

} // namespace

QList<TypedProgram> recentPrograms() {
    QList<TypedProgram> programs;
    QSettings settings;
    const int count = settings.beginReadArray(kKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        programs << TypedProgram{settings.value(kCommand).toString(), settings.value(kEnvironment).toString(),
                                 settings.value(kFolder).toString()};
    }
    settings.endArray();
    return programs;
}

void rememberProgram(const TypedProgram& program) {
    QList<TypedProgram> programs = recentPrograms();
    programs.removeAll(program);
    programs.prepend(program);
    programs = programs.mid(0, kMost);
    QSettings settings;
    settings.remove(kKey);
    settings.beginWriteArray(kKey, static_cast<int>(programs.size()));
    for (int i = 0; i < programs.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(kCommand, programs[i].command);
        settings.setValue(kEnvironment, programs[i].environment);
        settings.setValue(kFolder, programs[i].folder);
    }
    settings.endArray();
}

} // namespace dormer::ui::setup
