// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/marker.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dormer::view::plot {

using verdict::Bound;

std::vector<Spot> markerCorners(Bound bound, double diameter) {
    const double reach = markerReach(bound, diameter), half = reach / std::numbers::sqrt2;
    switch (bound) {
    case Bound::Compute:
        return {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    case Bound::Latency: { // its centroid at the centre
        const double halfEdge = reach * std::numbers::sqrt3 / 2;
        return {{0, -reach}, {halfEdge, reach / 2}, {-halfEdge, reach / 2}};
    }
    case Bound::Balanced:
        return {{0, -reach}, {reach, 0}, {0, reach}, {-reach, 0}};
    case Bound::Memory:
    case Bound::Unknown:
        break;
    }
    return {};
}

double markerReach(Bound bound, double diameter) {
    switch (bound) {
    case Bound::Compute:
    case Bound::Balanced:
        return diameter * std::sqrt(std::numbers::pi / 8);
    // Two thirds of the height of an equilateral triangle of the circle's area.
    case Bound::Latency:
        return diameter * std::sqrt(std::numbers::pi / (3 * std::numbers::sqrt3));
    case Bound::Memory:
    case Bound::Unknown:
        break;
    }
    return diameter / 2;
}

double ringStroke(double diameter) {
    return std::max(1.5, diameter / 6);
}

} // namespace dormer::view::plot
