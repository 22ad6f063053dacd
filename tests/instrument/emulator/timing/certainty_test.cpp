// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/timing/certainty.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

using namespace dormer;
using namespace dormer::emulator;

namespace {

struct Kernel {
    double measuredUs = 0, predictedUs = 0;
    bool counts = false; ///< nothing was fitted to it, and it prints nothing
};

/// Rows of the page's last table.
std::vector<Kernel> kernelsOfPage() {
    std::ifstream page(DORMER_SOURCE_DIR "/docs/emulator-foreign.md");
    REQUIRE(page);
    std::vector<Kernel> kernels;
    bool all = false;
    for (std::string line; std::getline(page, line);) {
        if (line == "## All") all = true;
        if (!all || !line.starts_with("| ") || line.starts_with("| program")) continue;
        std::vector<std::string> cells;
        std::istringstream row(line.substr(2));
        for (std::string cell; std::getline(row, cell, '|');)
            cells.push_back(cell);
        REQUIRE(cells.size() == 8);
        kernels.push_back({std::stod(cells[4]), std::stod(cells[5]), cells[7] == " no "});
    }
    return kernels;
}

} // namespace

TEST_CASE("A predicted time is as sure as those of public programs were") {
    const std::vector<Kernel> kernels = kernelsOfPage();
    const auto classes = timing::predictionClasses();
    REQUIRE(!classes.empty());
    CHECK(classes.front().fromNs == 0);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const double to = i + 1 < classes.size() ? classes[i + 1].fromNs : INFINITY;
        std::vector<double> factors;
        for (const Kernel& each : kernels) {
            const double ns = each.predictedUs * 1e3;
            if (!each.counts || ns < classes[i].fromNs || ns >= to) continue;
            factors.push_back(
                std::max(each.predictedUs / each.measuredUs, each.measuredUs / each.predictedUs));
        }
        std::ranges::sort(factors);
        REQUIRE(factors.size() == classes[i].kernels);
        // A next one is no further off with a chance of nine in ten.
        const auto place = static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(factors.size() + 1)));
        REQUIRE(place <= factors.size());
        CHECK(classes[i].factor == Approx(factors[place - 1]).epsilon(0.02)); // times on the page are rounded
    }
}

TEST_CASE("Nothing is known of predictions that were compared with no GPU") {
    const device::Chip& h100 = *device::findChip("H100");
    CHECK(timing::durationFactor(h100, 2e3, false) == timing::predictionClasses().front().factor);
    CHECK(timing::durationFactor(h100, 1e9, false) == timing::predictionClasses().back().factor);
    CHECK(timing::durationFactor(h100, 0, false) == 0);
    CHECK(timing::durationFactor(h100, 2e3, true) == 0);
    CHECK(timing::durationFactor(*device::findChip("T4"), 2e3, false) == 0);
}
