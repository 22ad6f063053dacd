// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/roofline_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dormer::ui::roofline {
namespace {

constexpr std::size_t kBounds = 5;

std::size_t slot(verdict::Bound bound) {
    return static_cast<std::size_t>(bound);
}

} // namespace

void PointSet::clear() {
    *this = PointSet();
}

void PointSet::put(const ChartPoint& point) {
    const std::size_t launch = session::raw(point.launch);
    if (launch >= m_position.size()) m_position.resize(launch + launch / 2 + 16, -1);
    if (m_position[launch] < 0) {
        m_position[launch] = static_cast<std::int32_t>(m_points.size());
        m_points.push_back(point);
        if (!m_stale) account(point);
        return;
    }
    ChartPoint& known = m_points[static_cast<std::size_t>(m_position[launch])];
    const double appeared = known.appearedMs;
    known = point;
    known.appearedMs = appeared;
    m_stale = true;
}

void PointSet::remove(session::LaunchIndex launch) {
    if (session::raw(launch) >= m_position.size() || m_position[session::raw(launch)] < 0) return;
    const auto position = static_cast<std::size_t>(m_position[session::raw(launch)]);
    m_position[session::raw(launch)] = -1;
    if (position + 1 != m_points.size()) {
        m_points[position] = m_points.back();
        m_position[session::raw(m_points[position].launch)] = static_cast<std::int32_t>(position);
    }
    m_points.pop_back();
    m_stale = true;
}

const ChartPoint* PointSet::find(session::LaunchIndex launch) const {
    if (session::raw(launch) >= m_position.size() || m_position[session::raw(launch)] < 0) return nullptr;
    return &m_points[static_cast<std::size_t>(m_position[session::raw(launch)])];
}

void PointSet::account(const ChartPoint& point) const {
    if (!point.shown) return;
    ++m_shown;
    m_longestNs = std::max(m_longestNs, point.durationNs);
    m_extent.include(point.x, point.y);
}

void PointSet::refresh() const {
    if (!m_stale) return;
    m_shown = 0;
    m_longestNs = 0;
    m_extent = {};
    for (const ChartPoint& point : m_points)
        account(point);
    m_stale = false;
}

int PointSet::shownCount() const {
    refresh();
    return m_shown;
}
double PointSet::longestNs() const {
    refresh();
    return m_longestNs;
}
const view::plot::Extent& PointSet::extent() const {
    refresh();
    return m_extent;
}

double markerDiameter(double durationNs, double longestNs) {
    if (!(durationNs > 0) || !(longestNs > 0)) return kLeastMarker;
    return std::max(kLeastMarker, kMostMarker * std::sqrt(std::min(1.0, durationNs / longestNs)));
}

std::span<const Marker> MarkerBinner::bin(std::span<const ChartPoint> points, const view::plot::LogScale& x,
                                          const view::plot::LogScale& y, double longestNs,
                                          double settledBeforeMs, std::size_t exactUpTo, double cellPixels) {
    // Markers at the edge show in part, so the view is taken a marker wider.
    const double marginX = kMostMarker / x.pixelsPerDecade(), marginY = kMostMarker / y.pixelsPerDecade();
    const view::plot::Decades wideX{x.range.lower - marginX, x.range.upper + marginX};
    const view::plot::Decades wideY{y.range.lower - marginY, y.range.upper + marginY};
    const double cellsX = x.pixelsPerDecade() / cellPixels, cellsY = y.pixelsPerDecade() / cellPixels;
    const double baseX = std::floor(wideX.lower * cellsX), baseY = std::floor(wideY.lower * cellsY);
    const auto columns = static_cast<std::size_t>(wideX.span() * cellsX) + 2;
    const auto rows = static_cast<std::size_t>(wideY.span() * cellsY) + 2;
    const bool exact = points.size() <= exactUpTo;

    m_markers.clear();
    m_longest.clear();
    if (!exact) m_cells.assign(columns * rows * kBounds, -1);
    for (const ChartPoint& point : points) {
        if (!point.shown || point.appearedMs > settledBeforeMs || !wideX.holds(point.x) ||
            !wideY.holds(point.y)) {
            continue;
        }
        std::int32_t* cell = nullptr;
        if (!exact) {
            const auto column = static_cast<std::size_t>(std::floor(point.x * cellsX) - baseX);
            const auto row = static_cast<std::size_t>(std::floor(point.y * cellsY) - baseY);
            cell = &m_cells[(row * columns + column) * kBounds + slot(point.bound)];
            if (*cell >= 0) {
                const auto known = static_cast<std::size_t>(*cell);
                Marker& marker = m_markers[known];
                ++marker.count;
                if (point.durationNs > m_longest[known]) {
                    m_longest[known] = point.durationNs;
                    marker.launch = point.launch;
                    marker.x = point.x;
                    marker.y = point.y;
                }
                continue;
            }
            *cell = static_cast<std::int32_t>(m_markers.size());
        }
        m_markers.push_back({point.x, point.y, kLeastMarker, point.launch, point.bound, 1});
        m_longest.push_back(point.durationNs);
    }

    // Counting sort by whole pixels of diameter, largest first.
    std::array<std::size_t, static_cast<std::size_t>(kMostMarker) + 2> starts{};
    const auto sizeClass = [](const Marker& marker) {
        return static_cast<std::size_t>(kMostMarker) - static_cast<std::size_t>(marker.diameter);
    };
    for (std::size_t i = 0; i < m_markers.size(); ++i) {
        Marker& marker = m_markers[i];
        marker.x = x.toPixel(marker.x);
        marker.y = y.toPixel(marker.y);
        marker.diameter = markerDiameter(m_longest[i], longestNs);
        ++starts[sizeClass(marker) + 1];
    }
    for (std::size_t i = 1; i < starts.size(); ++i)
        starts[i] += starts[i - 1];
    m_sorted.resize(m_markers.size());
    for (const Marker& marker : m_markers)
        m_sorted[starts[sizeClass(marker)]++] = marker;
    return m_sorted;
}

const Marker* markerAt(std::span<const Marker> markers, double x, double y, double slack) {
    const Marker* view::plot::nearest = nullptr;
    double least = slack;
    // Small markers come last and are drawn on top: of several under the pointer, the top one is meant.
    for (auto it = markers.rbegin(); it != markers.rend(); ++it) {
        const double distance = std::hypot(it->x - x, it->y - y) - it->diameter / 2;
        if (distance <= 0) return &*it;
        if (distance < least) {
            least = distance;
            view::plot::nearest = &*it;
        }
    }
    return view::plot::nearest;
}

const Marker* markerTowards(std::span<const Marker> markers, double x, double y, Direction direction) {
    const Marker* best = nullptr;
    double least = std::numeric_limits<double>::max();
    for (const Marker& marker : markers) {
        const double dx = marker.x - x, dy = marker.y - y;
        const bool sideways = direction == Direction::Left || direction == Direction::Right;
        const bool forward = direction == Direction::Right || direction == Direction::Down;
        const double along = (sideways ? dx : dy) * (forward ? 1 : -1), across = std::abs(sideways ? dy : dx);
        if (along < 0.5 || across > along) continue;
        // What lies straight ahead is preferred to what is a little nearer but aside.
        const double distance = along + 2 * across;
        if (distance < least) {
            least = distance;
            best = &marker;
        }
    }
    return best;
}

double fadeIn(double ageMs) {
    const double t = std::clamp(ageMs / kFadeMs, 0.0, 1.0);
    return 1 - (1 - t) * (1 - t);
}

std::optional<double> speedup(double durationNs, std::optional<double> gainNs) {
    if (!gainNs || !(durationNs > 0) || *gainNs <= 0 || *gainNs >= durationNs) return std::nullopt;
    const double times = durationNs / (durationNs - *gainNs);
    return times >= 1.05 ? std::optional(times) : std::nullopt;
}

} // namespace dormer::ui::roofline
