// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/program_watch.h"

#include <QFileInfo>

#include <algorithm>

namespace dormer::ui::sessions {
namespace {

/// A linker writes a large program for about so long without a pause.
constexpr int kQuietMs = 400;

} // namespace

ProgramWatch::ProgramWatch(QObject* parent) : QObject(parent) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietMs);
    connect(&m_quiet, &QTimer::timeout, this, &ProgramWatch::settle);
    // A file that is replaced is lost to the watcher; its folder tells of the new one.
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &ProgramWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &ProgramWatch::look);
}

ProgramWatch::Version ProgramWatch::versionOf(const QString& file) {
    const QFileInfo info(file); // of what a link leads to
    return info.exists() ? Version{info.size(), info.lastModified()} : Version{};
}

QStringList ProgramWatch::files() const {
    QStringList files;
    for (const auto& [file, version] : m_known)
        files << file;
    return files;
}

void ProgramWatch::watch(const QStringList& files) {
    m_quiet.stop();
    const QStringList old = m_watcher.files() + m_watcher.directories();
    if (!old.isEmpty()) m_watcher.removePaths(old);
    m_known.clear();
    QStringList paths;
    for (const QString& file : files) {
        m_known[file] = versionOf(file);
        paths << file << QFileInfo(file).absolutePath();
        if (const QString real = QFileInfo(file).canonicalFilePath(); !real.isEmpty())
            paths << QFileInfo(real).absolutePath();
    }
    paths.removeDuplicates();
    m_seen = m_known;
    if (!paths.isEmpty()) m_watcher.addPaths(paths);
}

void ProgramWatch::look() {
    std::map<QString, Version> now;
    for (const auto& [file, version] : m_known) {
        now[file] = versionOf(file);
        if (now[file].size >= 0 && !m_watcher.files().contains(file)) m_watcher.addPath(file);
    }
    if (now == m_seen) return; // another file of the folder
    m_seen = std::move(now);
    m_quiet.start();
}

void ProgramWatch::settle() {
    look();
    if (m_quiet.isActive() || m_seen == m_known) return;
    const bool complete = std::ranges::all_of(m_seen, [](const auto& each) { return each.second.size > 0; });
    if (!complete) return; // the folder tells when it is back
    m_known = m_seen;
    emit changed();
}

} // namespace dormer::ui::sessions
