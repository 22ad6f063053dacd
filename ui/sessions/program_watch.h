// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <map>

namespace dormer::ui::sessions {

/// Tells when files of a program are other ones: written in place, replaced by rename as linkers and editors
/// do, or removed and made anew. Changes are gathered until the files were left alone for a while.
class ProgramWatch : public QObject {
    Q_OBJECT
public:
    explicit ProgramWatch(QObject* parent = nullptr);

    /// Watches these files in place of those before; as they are now is not a change. None: stops.
    void watch(const QStringList& files);
    [[nodiscard]] QStringList files() const;
    /// How long files have to be left alone.
    void setQuietMs(int ms) { m_quiet.setInterval(ms); }

signals:
    /// All files are there and at least one is another.
    void changed();

private:
    /// What tells one version of a file from another.
    struct Version {
        qint64 size = -1; ///< -1: not there
        QDateTime written;
        bool operator==(const Version&) const = default;
    };
    [[nodiscard]] static Version versionOf(const QString& file);
    void look();
    void settle();

    QFileSystemWatcher m_watcher;
    QTimer m_quiet;
    std::map<QString, Version> m_known; ///< by file, as last told
    std::map<QString, Version> m_seen;  ///< as last looked at
};

} // namespace dormer::ui::sessions
