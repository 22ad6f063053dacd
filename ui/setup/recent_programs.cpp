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
const QString kOptions = QStringLiteral("options");

} // namespace

QList<RecentProgram> recentPrograms() {
    QList<RecentProgram> programs;
    QSettings settings;
    const int count = settings.beginReadArray(kKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        programs << RecentProgram{{settings.value(kCommand).toString(),
                                   settings.value(kEnvironment).toString(),
                                   settings.value(kFolder).toString()},
                                  optionsFrom(settings.value(kOptions).toMap())};
    }
    settings.endArray();
    return programs;
}

void rememberProgram(const RecentProgram& recent) {
    QList<RecentProgram> programs = recentPrograms();
    programs.removeIf([&](const RecentProgram& each) { return each.program == recent.program; });
    programs.prepend(recent);
    programs = programs.mid(0, kMost);
    QSettings settings;
    settings.remove(kKey);
    settings.beginWriteArray(kKey, static_cast<int>(programs.size()));
    for (int i = 0; i < programs.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(kCommand, programs[i].program.command);
        settings.setValue(kEnvironment, programs[i].program.environment);
        settings.setValue(kFolder, programs[i].program.folder);
        settings.setValue(kOptions, changesOf(programs[i].options));
    }
    settings.endArray();
}

} // namespace dormer::ui::setup
