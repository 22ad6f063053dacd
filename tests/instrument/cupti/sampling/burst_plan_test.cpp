// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/burst_plan.h"
#include "tests/support/catch.h"

#include <map>

using namespace dormer;
using namespace dormer::instrument::cupti::sampling;

TEST_CASE("The interval is a fifth of the shortest launches that take time") {
    BurstPlan plan(1, false);
    CHECK(plan.intervalNs() == 5'000); // nothing is known
    for (int i = 0; i < 1'000; ++i)
        plan.ran(1'000'000);
    CHECK(plan.intervalNs() == 100'000); // never longer
    for (int i = 0; i < 1'000; ++i)
        plan.ran(3'000); // 0.3 % of the time: no reason
    CHECK(plan.intervalNs() == 100'000);
    for (int i = 0; i < 100'000; ++i)
        plan.ran(80'000);
    CHECK(plan.intervalNs() == 65'536 / 5);
    for (int i = 0; i < 1'000'000; ++i)
        plan.ran(10'000);
    CHECK(plan.intervalNs() == 5'000);
}

TEST_CASE("Groups take turns, the first every other time, and longer as the program runs") {
    BurstPlan plan(3, false);
    std::map<std::size_t, std::int64_t> time;
    std::size_t last = 99;
    int switches = 0;
    constexpr std::int64_t kStep = 100'000'000;
    for (std::int64_t now = 1; now < 120'000'000'000; now += kStep) {
        const auto choice = plan.choose(now);
        if (choice.group != last) ++switches;
        last = choice.group;
        time[choice.group] += kStep;
    }
    CHECK(time.size() == 3);
    CHECK(time[0] > 45'000'000'000);
    CHECK(time[1] > 15'000'000'000);
    CHECK(time[2] > 15'000'000'000);
    CHECK(switches < 20);
}

TEST_CASE("The sampler takes half of a core at first and a fifth later") {
    BurstPlan plan(1, false);
    (void)plan.choose(1);
    CHECK(plan.pauseNs(1'000'000'000, 80) == 80);
    CHECK(plan.pauseNs(60'000'000'000, 80) == 4 * 80);
}

TEST_CASE("Where cores are idle the sampler takes one for itself in the first two seconds") {
    BurstPlan plan(1, true);
    (void)plan.choose(1);
    CHECK(plan.pauseNs(1'900'000'000, 80) == 0);
    CHECK(plan.pauseNs(2'100'000'000, 80) == 80);
    CHECK(plan.pauseNs(60'000'000'000, 80) == 4 * 80);
}

TEST_CASE("Bursts are short at first, so that many phases of a program are met") {
    BurstPlan plan(1, true);
    const std::size_t first = plan.choose(1).samples;
    std::size_t last = 0;
    for (std::int64_t now = 1; now < 30'000'000'000; now += 100'000'000)
        last = plan.choose(now).samples;
    CHECK(first == 200);
    CHECK(last == 800);
}
