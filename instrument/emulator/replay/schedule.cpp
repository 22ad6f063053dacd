// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/schedule.h"

#include <algorithm>
#include <queue>

namespace dormer::emulator::replay {

namespace {

/// Longest way from each instruction's issue to the block's end.
std::vector<double> heights(const std::vector<Scheduled>& all) {
    std::vector<double> height(all.size()), behind(all.size()); // behind: from its result on
    for (std::size_t i = all.size(); i-- > 0;) {
        height[i] = std::max(height[i], all[i].latency + behind[i]);
        for (const Scheduled::Edge& edge : all[i].edges) {
            double& of = edge.forResult ? behind[edge.before] : height[edge.before];
            of = std::max(of, height[i]);
        }
    }
    return height;
}

} // namespace

std::vector<std::uint32_t> schedule(const std::vector<Scheduled>& all) {
    const auto count = static_cast<std::uint32_t>(all.size());
    const std::vector<double> height = heights(all);
    std::vector<std::vector<Scheduled::Edge>> after(count); // Edge::before: the later one
    std::vector<std::uint32_t> missing(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        missing[i] = static_cast<std::uint32_t>(all[i].edges.size());
        for (const Scheduled::Edge& edge : all[i].edges)
            after[edge.before].push_back({i, edge.forResult});
    }
    // By time, then in program order; and those whose time has come: highest first, then in program order.
    using Timed = std::pair<double, std::uint32_t>;
    std::priority_queue<Timed, std::vector<Timed>, std::greater<>> waiting;
    const auto lower = [&height](std::uint32_t a, std::uint32_t b) {
        return height[a] < height[b] || (height[a] == height[b] && a > b);
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(lower)> ready(lower);
    std::vector<double> start(count);
    for (std::uint32_t i = 0; i < count; ++i)
        if (missing[i] == 0) ready.push(i);
    std::vector<std::uint32_t> order;
    order.reserve(count);
    double now = 0;
    while (order.size() < count) {
        while (!waiting.empty() && waiting.top().first <= now) {
            ready.push(waiting.top().second);
            waiting.pop();
        }
        if (ready.empty()) {
            now = waiting.top().first;
            continue;
        }
        const std::uint32_t chosen = ready.top();
        ready.pop();
        order.push_back(chosen);
        const double issued = now;
        now += all[chosen].issue;
        for (const Scheduled::Edge& edge : after[chosen]) {
            double& at = start[edge.before];
            at = std::max(at, edge.forResult ? issued + all[chosen].latency : now);
            if (--missing[edge.before] == 0) waiting.emplace(at, edge.before);
        }
    }
    return order;
}

} // namespace dormer::emulator::replay
