// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <chrono>
#include <set>
#include <string>

namespace dormer::cli {

/// "counting roofline/scale: pass 2 of 5, launch 7 of 38, about 3 s left". A total of 0 is left out.
[[nodiscard]] std::string progressText(const session::Progress& progress, double secondsLeft);

/// "less than 1 s", "about 12 s", "about 3 min".
[[nodiscard]] std::string roughly(double seconds);

/// One line on stderr that follows the collection: rewritten in place on a terminal, else a new line a
/// second.
class ProgressLine {
public:
    /// `workloads`: how many were chosen, for the estimate.
    ProgressLine(bool enabled, bool terminal, std::size_t workloads);

    void update(const session::Progress& progress);
    /// A workload's launch came in: its predecessor is done.
    void workloadSeen(const std::string& workload);
    /// What the whole run may take, once its first workload has been timed; 0 before that.
    [[nodiscard]] double secondsInAll(const session::Progress& progress) const;
    /// Takes the line off the terminal before something else is printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double secondsLeft(const session::Progress& progress) const;

    bool m_enabled;
    bool m_terminal;
    std::size_t m_workloads;
    std::set<std::string> m_seen;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_lastShown;
    std::string m_lastPhase;
    bool m_onScreen = false;
};

} // namespace dormer::cli
