// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

/// Arithmetic of logarithmic axes. Plain C++: no widget and no Qt. All positions are decades, log10 of the
/// value.
namespace dormer::view::plot {

/// A stretch of a logarithmic axis, in decades.
struct Decades {
    double lower = 0;
    double upper = 1;
    [[nodiscard]] double span() const { return upper - lower; }
    [[nodiscard]] bool holds(double value) const { return value >= lower && value <= upper; }
    bool operator==(const Decades&) const = default;
};

/// Both axes of the chart.
struct ChartRange {
    Decades x; ///< work per byte
    Decades y; ///< work per second
    bool operator==(const ChartRange&) const = default;
};

/// From decades to pixels along one axis; `pixelAtLower` is the larger one on a vertical axis.
struct LogScale {
    Decades range;
    double pixelAtLower = 0;
    double pixelAtUpper = 1;
    [[nodiscard]] double toPixel(double decades) const;
    [[nodiscard]] double toDecades(double pixel) const;
    [[nodiscard]] double pixelsPerDecade() const;
};

/// Smallest and largest of what must be in view; empty when there is nothing.
struct Extent {
    std::optional<Decades> x;
    std::optional<Decades> y;
    void include(double xDecades, double yDecades);
};

/// View that shows the roofs as people expect them: three decades left of the ridge and at least one and a
/// half right of it, rounded to whole decades, and room above for the labels. Without roofs 0.01 to 1000
/// FLOP/byte and 10 G to 100 T. Points widen it by `kPointMargin`.
[[nodiscard]] ChartRange fitRange(std::optional<double> memoryPerSecond,
                                  std::optional<double> computePerSecond, const Extent& points);
inline constexpr double kPointMargin = 0.2; ///< decades kept free between a point and the edge

/// `current`, widened where a point lies outside; unchanged when all are inside.
[[nodiscard]] ChartRange widened(const ChartRange& current, const Extent& points);
/// One animation step from `current` to `target`: exponential approach with `tauMs`, ending exactly.
[[nodiscard]] ChartRange stepTowards(const ChartRange& current, const ChartRange& target, double elapsedMs,
                                     double tauMs = 60);
/// Whether two views are one on screen: closer than a millionth of a decade.
[[nodiscard]] bool sameView(const ChartRange& a, const ChartRange& b);
/// Zoom about a position; the span stays between a fifth of a decade and thirty decades.
[[nodiscard]] Decades zoomed(const Decades& range, double about, double factor);
/// Keeps a range that dragging or zooming made within the spans above.
[[nodiscard]] Decades limited(const Decades& range);

struct Ticks {
    std::vector<double> major; ///< values, not decades
    std::vector<double> minor;
};
/// Decades as major ticks, thinned to at most `mostMajor`; 2, 3, ... 9 as minor ones. Below a decade and a
/// half, 1-2-5 become major; below half a decade, evenly spaced round values.
[[nodiscard]] Ticks logTicks(const Decades& range, int mostMajor);
/// "0.01", "1", "1000", "10 k", "100 T", "1e-06": digits from 0.001 up to 9999, SI prefixes above.
[[nodiscard]] std::string tickLabel(double value);
/// Labelled ticks on the axes of a chart, at most.
inline constexpr int kMostXTicks = 9;
inline constexpr int kMostYTicks = 8;

} // namespace dormer::view::plot
