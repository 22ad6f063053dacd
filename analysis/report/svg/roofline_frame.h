// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/chart_axis.h"
#include "analysis/view/chart_data.h"
#include "analysis/view/label_placement.h"

namespace dormer::report {

inline constexpr double kLabelPixels = 12;
inline constexpr double kSmallPixels = 11;

/// Axes, roofs and ridge of a roofline chart within a box of pixels.
class RooflineFrame {
public:
    RooflineFrame(const view::ChartData& data, view::Box plot);

    [[nodiscard]] double x(double intensity) const { return m_x.pixel(intensity); }
    [[nodiscard]] double y(double rate) const { return m_y.pixel(rate); }
    [[nodiscard]] const view::Box& plot() const { return m_plot; }

    /// Shades and grid, below everything.
    void drawGround(std::string& out) const;
    /// Roofs, ridge and their labels; keeps clear of what `placer` has blocked and blocks what it draws.
    void drawRoofs(std::string& out, view::LabelPlacer& placer) const;

private:
    struct Roof {
        std::optional<double> memory, compute; ///< bytes/s, work/s
        bool measured = false;
    };

    [[nodiscard]] double roofAt(const Roof& roof, double intensity) const;
    [[nodiscard]] std::vector<std::pair<double, double>> corners(const Roof& roof) const;
    void drawMemoryLabel(std::string& out, view::LabelPlacer& placer) const;
    void drawComputeLabel(std::string& out, view::LabelPlacer& placer) const;
    void drawRidge(std::string& out, view::LabelPlacer& placer) const;

    const view::ChartData& m_data;
    view::Box m_plot;
    view::LogAxis m_x, m_y;
    std::vector<Roof> m_roofs; ///< theoretical first; at least one when any ceiling is known
};

} // namespace dormer::report
