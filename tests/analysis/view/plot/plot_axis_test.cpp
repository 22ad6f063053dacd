// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/plot_axis.h"

#include "analysis/metrics/sweep.h"
#include "tests/support/catch.h"

using namespace dormer::view::plot;

TEST_CASE("axes of values begin at zero, or have whole decades", "[plot_axis]") {
    const PlotAxis linear = valueAxis(std::vector<double>{4, 17});
    CHECK(linear.low == 0);
    CHECK(linear.high == 20);
    CHECK(linear.ticks == std::vector<double>{0, 5, 10, 15, 20});
    CHECK(linear.fraction(5) == Approx(0.25));
    const PlotAxis wide = valueAxis(std::vector<double>{2, 61});
    CHECK(wide.logarithmic);
    CHECK(wide.low == Approx(1));
    CHECK(wide.high == Approx(100));
    CHECK(wide.fraction(10) == Approx(0.5));
    const PlotAxis signedAxis = valueAxis(std::vector<double>{-3, 100});
    CHECK_FALSE(signedAxis.logarithmic);
    CHECK(signedAxis.low <= -3);
    CHECK(signedAxis.high >= 100);
    for (const auto& values : {std::vector<double>{}, std::vector<double>{0, 0}, std::vector<double>{7, 7}}) {
        const PlotAxis axis = valueAxis(values);
        CHECK(axis.low < axis.high);
        for (const double value : values)
            CHECK((axis.fraction(value) >= 0 && axis.fraction(value) <= 1));
    }
    const PlotAxis parameter = parameterAxis(std::vector<double>{32, 1, 1, 8}, true);
    CHECK(parameter.ticks == std::vector<double>{1, 8, 32});
    CHECK(parameter.fraction(8) == Approx(0.6));
    const PlotAxis one = parameterAxis(std::vector<double>{5}, false);
    CHECK(one.low < one.high);
}

TEST_CASE("an axis is logarithmic where values span more than a factor 30", "[plot_axis]") {
    CHECK_FALSE(valueAxis(std::vector<double>{1, 30}).logarithmic);
    CHECK(valueAxis(std::vector<double>{1, 31}).logarithmic);
    CHECK_FALSE(valueAxis(std::vector<double>{0, 1000}).logarithmic);
    // The same rule chooses a sweep's axis of parameters.
    CHECK_FALSE(dormer::metrics::spansDecades(1, 30));
    CHECK(dormer::metrics::spansDecades(1, 31));
    CHECK_FALSE(dormer::metrics::spansDecades(0, 31));
    CHECK_FALSE(dormer::metrics::spansDecades(-1, 31));
}

TEST_CASE("room at the ends is a share of the axis", "[plot_axis]") {
    const PlotAxis linear = PlotAxis{0, 20, false, {}}.padded(0.1, 0.2);
    CHECK(linear.low == Approx(-2));
    CHECK(linear.high == Approx(24));
    const PlotAxis wide = PlotAxis{1, 100, true, {}}.padded(0.5, 0.5);
    CHECK(wide.low == Approx(0.1));
    CHECK(wide.high == Approx(1000));
}
