// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/profile/stall_log.h"
#include "tests/support/catch.h"

using namespace dormer;
using dormer::instrument::cupti::profile::StallLog;

TEST_CASE("CUPTI's names of states are shortened to Nsight Compute's") {
    const auto plain = StallLog::stateName("smsp__pcsamp_warps_issue_stalled_long_scoreboard");
    CHECK(plain.state == "long_scoreboard");
    CHECK_FALSE(plain.notIssued);
    const auto idle = StallLog::stateName("smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued");
    CHECK(idle.state == "no_instructions");
    CHECK(idle.notIssued);
    CHECK(StallLog::stateName("something_new").state == "something_new");
}

TEST_CASE("Samples are told once, kernel by kernel, most first") {
    StallLog log;
    const StallLog::Function small{1, "_Z5smallv"}, large{1, "_Z5largev"}, elsewhere{2, "_Z5largev"};
    log.add(small, 16, {{{"wait", 2, 1}}});
    log.add(large, 16, {{{"wait", 30, 1}}});
    log.add(large, 16, {{{"wait", 10, 1}, {"barrier", 5, 5}}});
    log.add(elsewhere, 16, {{{"wait", 7, 0}}});
    log.add(small, 32, {});
    CHECK(log.samples() == 54);
    const auto untold = log.untold();
    REQUIRE(untold.size() == 3);
    CHECK(untold[0].function == large);
    CHECK(untold[0].samples == 45);
    CHECK(untold[1].function == elsewhere); // of another module
    const auto records = log.take(large, 9);
    REQUIRE(records.size() == 1);
    CHECK(records[0].kernel == 9);
    CHECK(toString(records[0].states) == "barrier=5/5 wait=40/2");
    CHECK(log.take(large, 9).empty());
    CHECK(log.untold().size() == 2);

    StallLog more;
    more.add(small, 16, {{{"wait", 1, 0}}});
    more.countDropped(3);
    log.add(std::move(more));
    CHECK(log.dropped() == 3);
    CHECK(toString(log.take(small, 1).front().states) == "wait=3/1");
}

TEST_CASE("Samples that CUPTI can't place are told where they are many") {
    StallLog log;
    log.add({1, "k"}, 0, {{{"wait", 1000, 0}}});
    log.countUnattributed(50);
    CHECK(log.limitation().empty()); // 4.8 %
    StallLog more;
    more.countUnattributed(950);
    log.add(more);
    CHECK(log.limitation().find("for 50 % of the samples") != std::string::npos);
}
