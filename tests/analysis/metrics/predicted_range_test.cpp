// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/predicted_range.h"
#include "analysis/report/report.h"
#include "analysis/view/details/details_facts.h"
#include "analysis/view/kernel_table.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace dormer;
using namespace dormer::session;

namespace {

Session predicted(std::initializer_list<double> factors) {
    Session session;
    Process process;
    process.origin = Origin::Emulated;
    session.apply(ProcessStart{process}, 0);
    session.apply(Kernel{}, 0);
    std::uint64_t id = 0;
    for (const double factor : factors) {
        Launch launch;
        launch.id = id++;
        launch.durationNs = 12'000;
        launch.durationFactor = factor;
        session.apply(launch, 0);
    }
    return session;
}

} // namespace

TEST_CASE("A predicted time says between which times the true one is in nine of ten") {
    const Session session = predicted({1.5});
    const diagnosis::Diagnosis diagnosis{session};
    CHECK(view::details::detailsFacts(diagnosis.metrics(), LaunchIndex{0}).time ==
          "12.0 µs predicted, 8.00 µs to 18.0 µs in nine of ten");
    CHECK(view::launchTotals(diagnosis, 12'000) ==
          "1 launch, 12.0 µs predicted, 8.00 µs to 18.0 µs in nine of ten");
    const nlohmann::json launch = report::launchJson(diagnosis, LaunchIndex{0}, false);
    CHECK(launch["duration_range_ns"] == nlohmann::json::array({8000.0, 18000.0}));
}

TEST_CASE("Totals of several predicted launches say how far off each may be") {
    const Session session = predicted({1.5, 2, 0});
    CHECK(view::launchTotals(diagnosis::Diagnosis{session}, 36'000) ==
          "3 launches, 36.0 µs predicted, each within a factor of 2.0 in nine of ten");
}

TEST_CASE("Times of which nothing is known to be off have no range") {
    Launch launch;
    launch.durationNs = 1000;
    CHECK_FALSE(metrics::predictedRange(launch));
    CHECK(metrics::predictedRangeText(launch).empty());
    launch.durationFactor = 2;
    launch.durationNs.reset();
    CHECK_FALSE(metrics::predictedRange(launch));
    const Session session = predicted({0});
    const diagnosis::Diagnosis diagnosis{session};
    CHECK(report::launchJson(diagnosis, LaunchIndex{0}, false)["duration_range_ns"].is_null());
}
