// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/environment.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

namespace dormer::ui::sessions {
namespace {

constexpr double kProbeSeconds = 5;

/// A source tree has samples/ three folders above build/<preset>/bin, an installed one in share/dormer.
QString findSample() {
    QDir folder(QCoreApplication::applicationDirPath());
    for (int level = 0; level < 5; ++level) {
        for (const char* place : {"samples", "share/dormer/samples"}) {
            const QDir samples(folder.filePath(QLatin1String(place)));
            const QStringList found = samples.entryList({"*.dormer"}, QDir::Files, QDir::Name);
            if (!found.isEmpty()) return samples.filePath(found.front());
        }
        if (!folder.cdUp()) break;
    }
    return {};
}

} // namespace

Environment systemEnvironment() {
    const instrument::launch::Installation installation = instrument::launch::findInstallation();
    return {
        .installation = installation,
        .probeGpus = [installation] { return instrument::launch::probeGpus(installation, kProbeSeconds); },
        .listWorkloads = [installation] { return instrument::launch::listWorkloads(installation); },
        .sessionFolder =
            QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"),
        .sampleRecording = findSample()};
}

} // namespace dormer::ui::sessions
