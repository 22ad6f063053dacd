// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/marker.h"

#include "tests/support/catch.h"

#include <cmath>
#include <numbers>

using namespace dormer::view::plot;
using dormer::verdict::Bound;

TEST_CASE("all shapes of one diameter have a circle's area and their centroid at the point", "[marker]") {
    for (const Bound bound : {Bound::Compute, Bound::Latency, Bound::Balanced}) {
        const auto corners = markerCorners(bound, 12);
        REQUIRE(corners.size() >= 3);
        double area = 0, x = 0, y = 0, reach = 0;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Spot a = corners[i], b = corners[(i + 1) % corners.size()];
            area += (a.x * b.y - b.x * a.y) / 2;
            x += a.x;
            y += a.y;
            reach = std::max(reach, std::hypot(a.x, a.y));
        }
        CHECK(area == Approx(std::numbers::pi * 36));
        CHECK(x == Approx(0).margin(1e-9));
        CHECK(y == Approx(0).margin(1e-9));
        CHECK(reach == Approx(markerReach(bound, 12)));
    }
    CHECK(markerCorners(Bound::Memory, 12).empty());
    CHECK(markerReach(Bound::Memory, 12) == 6);
    CHECK(markerReach(Bound::Unknown, 12) == 6);
}
