// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"
#include "analysis/view/plot/axis_math.h"

#include <span>
#include <vector>

/// The chart's points, and which markers stand for them on screen. Plain C++.
namespace dormer::ui::roofline {

/// One launch on the chart. Positions are kept as decades, so that panning needs no logarithms.
struct ChartPoint {
    session::LaunchIndex launch{};
    verdict::Bound bound = verdict::Bound::Unknown;
    double x = 0; ///< decades of work per byte
    double y = 0; ///< decades of work per second
    double durationNs = 0;
    double appearedMs = 0;   ///< on the chart's own clock; for fading in
    std::uint32_t label = 0; ///< launches of one label share their text
    bool shown = true;       ///< passes the filter
};

/// Points by launch. Adding, replacing and finding take constant time.
class PointSet {
public:
    void clear();
    /// Adds a point, or moves the one of the same launch, which keeps its time of appearance.
    void put(const ChartPoint& point);
    void remove(session::LaunchIndex launch);
    [[nodiscard]] const ChartPoint* find(session::LaunchIndex launch) const;
    [[nodiscard]] std::span<const ChartPoint> all() const { return m_points; }
    template <typename Accepts>
    void filter(const Accepts& accepts) {
        for (ChartPoint& point : m_points)
            point.shown = accepts(point.launch);
        m_stale = true;
    }

    [[nodiscard]] int shownCount() const;
    /// Of the points shown; sizes are relative to the longest.
    [[nodiscard]] double longestNs() const;
    [[nodiscard]] const view::plot::Extent& extent() const;

private:
    void refresh() const;
    void account(const ChartPoint& point) const;

    std::vector<ChartPoint> m_points;
    std::vector<std::int32_t> m_position; ///< by launch; -1 = not here
    mutable bool m_stale = false;
    mutable int m_shown = 0;
    mutable double m_longestNs = 0;
    mutable view::plot::Extent m_extent;
};

inline constexpr double kLeastMarker = 7; ///< diameter in pixels
inline constexpr double kMostMarker = 25;
/// Area by time: the longest launch gets kMostMarker, and none less than kLeastMarker.
[[nodiscard]] double markerDiameter(double durationNs, double longestNs);

/// What is drawn: one point, or the longest of several that fall into one cell with the same verdict.
struct Marker {
    double x = 0, y = 0; ///< pixels
    double diameter = kLeastMarker;
    session::LaunchIndex launch{};
    verdict::Bound bound = verdict::Bound::Unknown;
    std::uint32_t count = 1; ///< launches it stands for
};

/// Chooses the markers for a view. Up to `exactUpTo` points each get their own. Beyond, space is cut into
/// square cells tied to the axes' values, not to the window, so that panning regroups nothing.
class MarkerBinner {
public:
    /// Points in view that appeared before `settledBeforeMs`, the largest markers first so that small ones
    /// stay visible on top. The result is valid until the next call.
    [[nodiscard]] std::span<const Marker> bin(std::span<const ChartPoint> points,
                                              const view::plot::LogScale& x, const view::plot::LogScale& y,
                                              double longestNs, double settledBeforeMs,
                                              std::size_t exactUpTo = 1500, double cellPixels = 7);

private:
    std::vector<std::int32_t> m_cells; ///< marker of a cell and verdict, or -1
    std::vector<Marker> m_markers;
    std::vector<Marker> m_sorted;
    std::vector<double> m_longest; ///< duration of the point each marker shows
};

/// The marker under a position, or the nearest within `slack` pixels of its edge.
[[nodiscard]] const Marker* markerAt(std::span<const Marker> markers, double x, double y, double slack);

enum class Direction { Left, Right, Up, Down };
/// The next marker in a direction: the nearest within 45 degrees of it, else null.
[[nodiscard]] const Marker* markerTowards(std::span<const Marker> markers, double x, double y,
                                          Direction direction);

/// How opaque a point is, 0..1, `ageMs` after it appeared.
[[nodiscard]] double fadeIn(double ageMs);
inline constexpr double kFadeMs = 200;

/// What a gain of `gainNs` would make of a launch: how many times faster. Absent when the gain is not a part
/// of the duration, or below 5 %.
[[nodiscard]] std::optional<double> speedup(double durationNs, std::optional<double> gainNs);

} // namespace dormer::ui::roofline
