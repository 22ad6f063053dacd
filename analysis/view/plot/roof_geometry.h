// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/roofline.h"
#include "analysis/view/plot/axis_math.h"
#include "analysis/view/plot/label_layout.h"

#include <string>
#include <vector>

/// Shapes and words of the roofs, from ceilings to decades.
namespace dormer::view::plot {

/// One roof: a slope of constant bytes/s up to its ridge, then flat at constant work/s. Either side may be
/// unknown.
struct Roof {
    bool measured = false;
    std::optional<double> memory;  ///< log10 of bytes/s
    std::optional<double> compute; ///< log10 of work/s
    /// A side that only completes the other one is not drawn: it stands in the other roof already.
    bool drawsSlope = true;
    bool drawsFlat = true;
    /// Decades of intensity where slope and flat meet.
    [[nodiscard]] std::optional<double> ridge() const;
    /// Decades of work/s attainable at an intensity.
    [[nodiscard]] std::optional<double> attainable(double intensity) const;
    /// The least intensity at which a rate is attainable; absent above the compute roof or when the memory
    /// side is unknown.
    [[nodiscard]] std::optional<double> leastIntensity(double rate) const;
};

struct Segment {
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0; ///< decades
};

/// Theoretical roof first, then the measured one. A side measured alone is completed by the theoretical other
/// side for its ridge.
[[nodiscard]] std::vector<Roof> roofs(const verdict::Roofline& roofline);
/// Slope of a roof within the view; absent when it is not visible.
[[nodiscard]] std::optional<Segment> slopeIn(const Roof& roof, const ChartRange& view);
[[nodiscard]] std::optional<Segment> flatIn(const Roof& roof, const ChartRange& view);
/// Corners of what is drawn of a roof within the view, in decades from left to right; empty when it is not
/// visible.
[[nodiscard]] std::vector<Spot> outlineIn(const Roof& roof, const ChartRange& view);
/// From the ridge down to the lower edge.
[[nodiscard]] std::optional<Segment> ridgeIn(const Roof& roof, const ChartRange& view);

/// Polygons under a roof in decades, left and right of its ridge; empty where there is no ridge.
struct Shades {
    std::vector<Spot> memory, compute;
};
[[nodiscard]] Shades shadesIn(const Roof& roof, const ChartRange& view);

/// View that shows these roofs and points, see fitRange().
[[nodiscard]] ChartRange fittedView(const verdict::Roofline& roofline, const Extent& points);

/// "DRAM 4.33 TB/s measured · 4.80 theoretical", or "DRAM 4.80 TB/s theoretical"; empty when nothing is
/// known.
[[nodiscard]] std::string memoryRoofLabel(const verdict::Roofline& roofline);
/// "FP32 63.5 TFLOP/s measured · 66.9 theoretical".
[[nodiscard]] std::string computeRoofLabel(const verdict::Roofline& roofline);
/// The same in few letters, for short lines: "DRAM 4.33 TB/s", the measured one if there is one.
[[nodiscard]] std::string shortMemoryRoofLabel(const verdict::Roofline& roofline);
[[nodiscard]] std::string shortComputeRoofLabel(const verdict::Roofline& roofline);
/// "ridge 14.7 FLOP/B".
[[nodiscard]] std::string ridgeLabel(double ridge, verdict::Work work);

/// "FLOP/s", "op/s", "inst/s".
[[nodiscard]] std::string_view rateUnit(verdict::Work work);
/// Whether a kind of work counts floating-point operations.
[[nodiscard]] bool isFlop(verdict::Work work);
/// Unit of work per byte.
[[nodiscard]] metrics::Unit intensityUnit(verdict::Work work);
/// "arithmetic intensity, FLOP per DRAM byte".
[[nodiscard]] std::string intensityAxisTitle(verdict::Work work, verdict::MemoryLevel level);
/// "Roofline: FP32 work over DRAM traffic".
[[nodiscard]] std::string chartTitle(const verdict::Roofline& roofline);
/// "1.23 TFLOP/s".
[[nodiscard]] std::string rateText(double perSecond, verdict::Work work);

/// Roofs of a session's device (index into Session::devices()) without its launches: cheap however many
/// there are.
[[nodiscard]] verdict::Roofline roofsOf(const session::Session& session, verdict::Work work,
                                        verdict::MemoryLevel level, std::size_t device = 0);

} // namespace dormer::view::plot
