// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/conflict_ways.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"

using namespace dormer::lines;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

namespace {
std::optional<double> waysIn(const char* sample, const std::string& workload) {
    const auto session = loadSession(std::string(DORMER_SOURCE_DIR "/samples/") + sample);
    REQUIRE(session);
    const MetricEvaluator metrics(*session);
    for (std::uint32_t i = 0; i < session->launches().size(); ++i)
        if (session->launches()[i].workload == workload) return conflictWays(metrics, LaunchIndex{i});
    FAIL("no launch of " << workload);
    return std::nullopt;
}
} // namespace

TEST_CASE("Lines know that wide loads of one address are no conflict, counters don't") {
    CHECK(*waysIn("h200-source.dormer", "roofline/sgemm_tiled") == Approx(1));
    CHECK(*waysIn("h100-suite.dormer", "roofline/sgemm_tiled") > 1.1); // no lines there
}

TEST_CASE("The ways of the suite's tiles are the same by lines and by counters") {
    for (const char* sample : {"h200-source.dormer", "h100-suite.dormer"}) {
        CHECK(*waysIn(sample, "transpose/tiled") == Approx(32));
        CHECK(*waysIn(sample, "transpose/tiled_padded") == Approx(1));
        CHECK(*waysIn(sample, "shared/stride/8") == Approx(8).epsilon(0.02)); // with its stores
        CHECK_FALSE(waysIn(sample, "vector_sum/coalesced"));
    }
}
