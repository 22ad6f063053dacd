// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace dormer::view {

/// A logarithmic axis: [low, high] in data units onto [from, to] in pixels. `from` may be the larger pixel,
/// as on a vertical axis.
struct LogAxis {
    double low = 1, high = 10; ///< 0 < low < high
    double from = 0, to = 1;

    [[nodiscard]] double pixel(double value) const;
    [[nodiscard]] double value(double pixel) const;
    [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
};

struct LogRange {
    double low = 1, high = 10;
};

/// Smallest range of whole decades that holds all positive finite values with the margins (in decades) to
/// spare on both sides. Other values are ignored; without any the range is [1, 10].
[[nodiscard]] LogRange decadesAround(std::span<const double> values, double marginBelow, double marginAbove);

/// Decades within the range, thinned by a whole step so that at most `most` remain.
[[nodiscard]] std::vector<double> decadeTicks(LogRange range, std::size_t most = 9);

/// "0.01", "1", "1000", "10 k", "1e-06": ticks of intensities.
[[nodiscard]] std::string plainTickLabel(double value);
/// "10 G", "100 T": ticks of rates.
[[nodiscard]] std::string siTickLabel(double value);

} // namespace dormer::view
