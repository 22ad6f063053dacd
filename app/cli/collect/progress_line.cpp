// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/progress_line.h"

#include "app/cli/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace dormer::cli {

namespace {

constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::milliseconds kFileInterval{1000};

} // namespace

std::string roughly(double seconds) {
    if (seconds < 1) return "less than 1 s";
    if (seconds < 120) return fmt::format("about {:.0f} s", seconds);
    return fmt::format("about {:.0f} min", seconds / 60);
}

std::string progressText(const session::Progress& progress, double secondsLeft) {
    std::string text = progress.phase;
    if (!progress.workload.empty()) text += " " + progress.workload;
    text += ":";
    if (progress.passes > 0 && progress.pass > 0)
        text += fmt::format(" pass {} of {},", progress.pass, progress.passes);
    if (progress.launchesExpected > 0)
        text +=
            fmt::format(" launch {} of {},", std::min(progress.launchesDone + 1, progress.launchesExpected),
                        progress.launchesExpected);
    if (secondsLeft > 0) text += fmt::format(" {} left,", roughly(secondsLeft));
    text.pop_back(); // the last comma, or the colon
    return text;
}

ProgressLine::ProgressLine(bool enabled, bool terminal, std::size_t workloads)
    : m_enabled(enabled), m_terminal(terminal), m_workloads(workloads) {}

double ProgressLine::secondsLeft(const session::Progress& progress) const {
    // The collector knows the sequence at hand; from the second workload on, those behind it can be told too.
    if (m_seen.size() < 2 || m_seen.size() > m_workloads) return progress.secondsLeft;
    const double elapsed = std::chrono::duration<double>(Clock::now() - m_start).count();
    const auto done = static_cast<double>(m_seen.size() - 1);
    return elapsed / done * (static_cast<double>(m_workloads) - done);
}

double ProgressLine::secondsInAll(const session::Progress& progress) const {
    // The collector has timed the first sequence and tells what counting it will take; the others are taken
    // to cost as much a workload.
    if (progress.pass < 1 || progress.secondsLeft <= 0 || m_seen.empty()) return 0;
    const double elapsed = std::chrono::duration<double>(Clock::now() - m_start).count();
    return (elapsed + progress.secondsLeft) *
           std::max(1.0, static_cast<double>(m_workloads) / static_cast<double>(m_seen.size()));
}

void ProgressLine::workloadSeen(const std::string& workload) {
    if (!workload.empty()) m_seen.insert(workload);
}

void ProgressLine::update(const session::Progress& progress) {
    if (!m_enabled) return;
    const Clock::time_point now = Clock::now();
    const std::string phase = progress.phase + progress.workload;
    if (phase == m_lastPhase && now - m_lastShown < (m_terminal ? kTerminalInterval : kFileInterval)) return;
    m_lastShown = now;
    m_lastPhase = phase;
    // Of a run of many, how far it is stands where the eye finds it while the rest changes.
    const std::string done = m_workloads > 1 && !m_seen.empty()
                                 ? fmt::format("[{}/{}] ", std::min(m_seen.size(), m_workloads), m_workloads)
                                 : std::string();
    const std::string text = done + oneLine(progressText(progress, secondsLeft(progress)));
    if (m_terminal)
        fmt::print(stderr, "\r\x1b[K{}", text);
    else
        fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
    m_onScreen = m_terminal;
}

void ProgressLine::clear() {
    if (!m_onScreen) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    m_onScreen = false;
}

} // namespace dormer::cli
