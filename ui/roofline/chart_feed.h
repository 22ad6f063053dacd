// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/launch_signature.h"
#include "ui/roofline/roofline_points.h"

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::roofline {

/// Launches of one label that have no place on the axes.
struct GutterGroup {
    std::string label;
    std::uint32_t labelId = 0;
    std::uint32_t launches = 0;
    double totalNs = 0;
    double longestNs = -1;
    session::LaunchIndex longest{};
    verdict::Bound bound = verdict::Bound::Unknown; ///< of the longest
};

struct Gutter {
    std::vector<GutterGroup> withoutWork;    ///< did none of the chosen work, most time first
    std::vector<GutterGroup> withoutTraffic; ///< worked, but moved no byte at the chosen level
    int notCounted = 0;                      ///< counters missing, or not here yet
    int otherDevices = 0;                    ///< ran on another GPU than the one whose roofs are drawn
    [[nodiscard]] int listed() const;
};

/// Text of a label on the chart: what stands there for all launches of one kernel and workload.
struct ChartLabel {
    std::uint32_t id = 0;
    double totalNs = 0;
    session::LaunchIndex longest{};
};

/// Turns the hub's launches into points and gutter entries, a slice of time at a time: a large session never
/// blocks the event loop, and a live one costs what arrives.
class ChartFeed {
public:
    explicit ChartFeed(const sessions::SessionHub& hub) : m_hub(hub) {}

    /// Forgets everything and queues all launches.
    void restart();
    void enqueue(session::LaunchIndex launch);
    /// Queues all launches again, keeping what is on screen until each is placed anew.
    void requeue();
    [[nodiscard]] bool pending() const { return !m_queue.empty(); }
    /// Places queued launches until the queue is empty or `budgetMs` is spent. Returns whether anything
    /// changed.
    bool advance(double budgetMs, double nowMs);

    /// Takes effect with the next restart().
    void choose(verdict::Work work, verdict::MemoryLevel level);
    void setFilter(std::function<bool(session::LaunchIndex)> accepts);
    void refreshRoofs();

    [[nodiscard]] const verdict::Roofline& roofline() const { return m_roofline; }
    [[nodiscard]] const PointSet& points() const { return m_points; }
    [[nodiscard]] const Gutter& gutter() const;
    /// Labels of points shown, most time first.
    [[nodiscard]] const std::vector<ChartLabel>& labels() const;
    [[nodiscard]] std::string labelText(std::uint32_t id) const;
    /// Label of a launch that was placed; empty before that.
    [[nodiscard]] std::string labelTextOf(session::LaunchIndex launch) const;

private:
    enum class Place : std::uint8_t { None, Point, WithoutWork, WithoutTraffic, NotCounted, OtherDevice };
    struct Entry {
        Place place = Place::None;
        std::uint32_t label = 0;
        double durationNs = 0;
    };

    void enqueueOne(session::LaunchIndex launch);
    void place(session::LaunchIndex launch, double nowMs);
    std::uint32_t labelOf(session::LaunchIndex launch);
    [[nodiscard]] bool accepts(session::LaunchIndex launch) const { return !m_accepts || m_accepts(launch); }

    const sessions::SessionHub& m_hub;
    verdict::Roofline m_roofline;
    std::function<bool(session::LaunchIndex)> m_accepts;
    PointSet m_points;
    std::vector<Entry> m_entries; ///< by launch
    std::deque<session::LaunchIndex> m_queue;
    std::vector<bool> m_queued; ///< by launch
    /// By kernel and workload: a label is of all shapes.
    std::unordered_map<session::LaunchSignature, std::uint32_t, session::LaunchSignatureHash> m_labelIds;
    std::vector<session::LaunchIndex> m_labelled; ///< by label, its first launch
    mutable bool m_gutterStale = false;
    mutable Gutter m_gutter;
    mutable bool m_labelsStale = false;
    mutable std::vector<ChartLabel> m_labels;
};

} // namespace dormer::ui::roofline
