// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"
#include "analysis/view/plot/label_layout.h"

#include <vector>

/// The shape that says a verdict, so that it also reads without colour: memory a circle, compute a square,
/// latency a triangle, balanced a diamond, unknown a ring. All shapes of one diameter have the area of a
/// circle of that diameter, so that sizes compare across shapes.
namespace dormer::view::plot {

/// Corners around (0, 0); empty for circle and ring.
[[nodiscard]] std::vector<Spot> markerCorners(verdict::Bound bound, double diameter);
/// Distance from the centre to the farthest corner.
[[nodiscard]] double markerReach(verdict::Bound bound, double diameter);
/// Ring of a verdict that claims nothing: width of its stroke.
[[nodiscard]] double ringStroke(double diameter);

} // namespace dormer::view::plot
