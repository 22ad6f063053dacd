// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/report/chart_axis.h"
#include "analysis/report/chart_data.h"
#include "analysis/report/label_placement.h"

namespace dormer::analysis {

inline constexpr double kLabelPixels = 12;
inline constexpr double kSmallPixels = 11;

/// Axes, roofs and ridge of a roofline chart within a box of pixels.
class RooflineFrame {
public:
    RooflineFrame(const ChartData& data, Box plot);

    [[nodiscard]] double x(double intensity) const { return m_x.pixel(intensity); }
    [[nodiscard]] double y(double rate) const { return m_y.pixel(rate); }
    [[nodiscard]] const Box& plot() const { return m_plot; }

    /// Shades and grid, below everything.
    void drawGround(std::string& out) const;
    /// Roofs, ridge and their labels; keeps clear of what `placer` has blocked and blocks what it draws.
    void drawRoofs(std::string& out, LabelPlacer& placer) const;

private:
    struct Roof {
        std::optional<double> memory, compute; ///< bytes/s, work/s
        bool measured = false;
    };

    [[nodiscard]] double roofAt(const Roof& roof, double intensity) const;
    [[nodiscard]] std::vector<std::pair<double, double>> corners(const Roof& roof) const;
    void drawMemoryLabel(std::string& out, LabelPlacer& placer) const;
    void drawComputeLabel(std::string& out, LabelPlacer& placer) const;
    void drawRidge(std::string& out, LabelPlacer& placer) const;

    const ChartData& m_data;
    Box m_plot;
    LogAxis m_x, m_y;
    std::vector<Roof> m_roofs; ///< theoretical first; at least one when any ceiling is known
};

} // namespace dormer::analysis
