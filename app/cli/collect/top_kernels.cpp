// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/top_kernels.h"

#include "analysis/metrics/format.h"
#include "analysis/view/kernel_table.h"
#include "analysis/view/text.h"
#include "app/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace dormer::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostShown = 8;
constexpr std::size_t kMostInLine = 3;
constexpr std::chrono::milliseconds kTerminalInterval{1000};
constexpr std::chrono::milliseconds kFileInterval{2000};
constexpr int kCostLimit = 20; ///< drawing takes at most one part in so many of the time

std::size_t terminalColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string percent(double share) {
    return metrics::forPeople(share, metrics::Unit::Ratio);
}

std::string fitted(std::string text, std::size_t width) {
    return width == 0 ? text : view::truncateMiddle(text, width);
}

} // namespace

std::vector<std::string> topKernels(const diagnosis::Diagnosis& diagnosis, std::size_t most,
                                    std::size_t width) {
    const std::vector<metrics::LaunchGroup>& groups = diagnosis.groups();
    double totalNs = 0;
    for (const metrics::LaunchGroup& group : groups)
        totalNs += group.totalNs;
    std::vector<std::string> lines{fitted(view::launchTotals(diagnosis, totalNs), width)};
    if (!(totalNs > 0)) return lines;
    std::vector<std::array<std::string, 3>> rows;
    std::size_t widest = 0;
    for (const std::size_t i : metrics::longestFirst(groups, most)) {
        const metrics::LaunchGroup& group = groups[i];
        if (!(group.totalNs > 0)) break;
        rows.push_back({percent(group.totalNs / totalNs),
                        verdict::headline(diagnosis.judged(group.representative)), oneLine(group.label)});
        widest = std::max(widest, rows.back()[1].size());
    }
    for (const auto& [share, bound, label] : rows)
        lines.push_back(fitted(fmt::format("{:>8}  {:<{}}  {}", share, bound, widest, label), width));
    return lines;
}

TopKernels::TopKernels(bool enabled, bool terminal)
    : m_enabled(enabled)
    , m_terminal(terminal)
    , m_next(Clock::now() + (terminal ? kTerminalInterval : kFileInterval)) {}

void TopKernels::update(const diagnosis::Diagnosis& diagnosis) {
    if (!due() || diagnosis.session().launches().empty()) return;
    const Clock::time_point before = Clock::now();
    draw(diagnosis);
    const Clock::time_point after = Clock::now();
    m_next = after + std::max<Clock::duration>(m_terminal ? kTerminalInterval : kFileInterval,
                                               kCostLimit * (after - before));
}

void TopKernels::draw(const diagnosis::Diagnosis& diagnosis) {
    if (!m_terminal) {
        std::string text;
        for (const std::string& line : topKernels(diagnosis, kMostInLine, 0)) {
            if (!text.empty()) text += "; ";
            for (const char c : line) // columns are for those who see them below each other
                if (c != ' ' || !(text.empty() || text.ends_with(' '))) text += c;
        }
        say(text);
        return;
    }
    const std::vector<std::string> lines = topKernels(diagnosis, kMostShown, terminalColumns() - 1);
    clear();
    for (const std::string& line : lines)
        fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
    m_onScreen = lines.size();
}

void TopKernels::clear() {
    if (m_onScreen == 0) return;
    // Up to the first of them, and from there all is erased.
    fmt::print(stderr, "\x1b[{}F\x1b[J", m_onScreen);
    std::fflush(stderr);
    m_onScreen = 0;
}

} // namespace dormer::cli
