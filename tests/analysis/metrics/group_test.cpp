// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/group.h"

#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"
#include "tests/support/sample_session.h"

#include <ctime>

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;
using namespace dormer::tests;

namespace {

/// Launches of one kernel with the given durations; those not counted are negative.
Session sessionOf(const std::vector<double>& durations) {
    Session session;
    session.apply(h200());
    Kernel kernel;
    kernel.name = "void fill<float>(float*)";
    session.apply(kernel);
    for (std::size_t i = 0; i < durations.size(); ++i) {
        Launch launch;
        launch.id = i;
        launch.durationNs = std::abs(durations[i]);
        session.apply(launch);
        if (durations[i] > 0) session.apply(LaunchCounters{i, {{"a.sum", 1}}, true});
    }
    return session;
}

} // namespace

TEST_CASE("The sample session groups by signature, in order of first launch") {
    const Session session = sampleSession();
    const LaunchGroups grouped(session);
    const auto& groups = grouped.all();
    REQUIRE(groups.size() == 11);
    CHECK(groups[0].label == "roofline/vector_add");
    CHECK(groups[0].launches.size() == 3);
    CHECK(groups[0].totalNs == Approx(68000 * (1 + 1.01 + 1.02)));
    CHECK(groups[0].representative == static_cast<LaunchIndex>(1));
    // One workload, two kernels: their names tell them apart.
    CHECK(groups[8].label == "device_wide/reduce cub::DeviceReduceKernel");
    CHECK(groups[9].label == "device_wide/reduce cub::DeviceReduceSingleTileKernel");
    CHECK(groups[10].label == "fill");
}

TEST_CASE("The representative is the counted launch of median duration") {
    const auto representative = [](const std::vector<double>& durations) {
        const Session session = sessionOf(durations);
        const LaunchGroups grouped(session);
        const auto& groups = grouped.all();
        REQUIRE(groups.size() == 1);
        CHECK(groups[0].launches.size() == durations.size());
        return raw(groups[0].representative);
    };
    CHECK(representative({30, 10, 20}) == 2);
    CHECK(representative({30, 10, 20, 40}) == 2);          // the shorter of the two in the middle
    CHECK(representative({-15, 100, 300, -16, 200}) == 4); // only counted ones
    CHECK(representative({-30, -10, -20}) == 2);           // none is counted
    CHECK(representative({7}) == 0);
}

TEST_CASE("Anything of the signature keeps launches apart") {
    Session session = sessionOf({10});
    Launch launch = session.launches()[0];
    const auto add = [&](auto change) {
        Launch other = launch;
        other.id = session.launches().size();
        change(other);
        session.apply(other);
    };
    add([](Launch& l) { l.grid.y = 2; });
    add([](Launch& l) { l.block.x = 64; });
    add([](Launch& l) { l.dynamicSharedBytes = 16; });
    add([](Launch& l) { l.workload = "a/b"; });
    add([](Launch&) {});
    const LaunchGroups grouped(session);
    const auto& groups = grouped.all();
    REQUIRE(groups.size() == 5);
    CHECK(groups[0].launches.size() == 2);
}

TEST_CASE("A kernel of two processes is one signature where the device is the same") {
    Session session = sessionOf({10});
    session.apply(h200(), 1);
    Kernel kernel;
    kernel.name = "void fill<float>(float*)";
    session.apply(kernel, 1);
    Launch launch = session.launches()[0];
    session.apply(launch, 1);
    REQUIRE(session.launches().size() == 2);
    const bool sameDevice = session.devices().size() == 1;
    CHECK(LaunchGroups(session).all().size() == (sameDevice ? 1U : 2U));
}

TEST_CASE("Grouping is linear in launches") {
    const Session session = generatedSession(100000);
    const std::clock_t start = std::clock(); // CPU time: the machine may be busy
    const LaunchGroups grouped(session);
    const auto& groups = grouped.all();
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::size_t launches = 0;
    for (const LaunchGroup& group : groups)
        launches += group.launches.size();
    CHECK(launches == 100000);
    CHECK(groups.size() < 200);
    CHECK(taken < 1.0);
}
