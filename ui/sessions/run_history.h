// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QObject>
#include <QStringList>

#include <optional>
#include <vector>

namespace dormer::ui::sessions {

/// What was run, or opened, and how.
struct Run {
    QString program;          ///< as typed, "12 workloads", or the name of the file that was opened
    QString device;           ///< "Emulated · h100"; empty for an opened file
    QString set;              ///< of counters; likewise
    QDateTime time;           ///< it began, or was opened
    QStringList files{};      ///< its session
    double kernelNs = 0;      ///< time of its launches; 0 while it runs
    std::size_t launches = 0; ///< likewise
};

/// The runs of this window, oldest first: the one on screen, and the one it is compared with.
class RunHistory : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] const std::vector<Run>& runs() const { return m_runs; }
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    [[nodiscard]] std::optional<std::size_t> baseline() const { return m_baseline; }
    /// Whether this is what ran last, so that what is on screen is to become the baseline.
    [[nodiscard]] bool isAgain(const Run& run) const;

    /// A run is on screen now. With `again` the one before is the baseline if anything came of it, else what
    /// was compared with stays; without it there is none.
    void begin(Run run, bool again);
    /// What came of the run on screen.
    void conclude(std::size_t launches, double kernelNs);
    void setBaseline(std::optional<std::size_t> run);

signals:
    void changed();

private:
    std::vector<Run> m_runs;
    std::optional<std::size_t> m_current, m_baseline;
};

} // namespace dormer::ui::sessions
