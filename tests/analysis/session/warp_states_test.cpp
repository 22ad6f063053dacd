// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"
#include "analysis/session/warp_states.h"
#include "tests/support/catch.h"

using namespace dormer::session;

TEST_CASE("States of sampled warps are one text and back") {
    WarpStates states;
    states.add("wait", 12, 3);
    states.add("long_scoreboard", 100, 80);
    states.add("long_scoreboard", 20, 0);
    CHECK(toString(states) == "long_scoreboard=120/80 wait=12/3");
    CHECK(states.samples() == 132);
    CHECK(states.notIssued() == 83);
    WarpStates read;
    REQUIRE(fromString(toString(states), read));
    CHECK(read == states);
    REQUIRE(fromString("", read));
    CHECK(read.states.empty());
}

TEST_CASE("Text that is not of states is refused and changes nothing") {
    WarpStates states;
    states.add("wait", 1, 1);
    for (const char* text :
         {"wait", "wait=", "wait=1", "wait=1/", "=1/1", "wait=1/2", "wait=-1/0", "wait=1/1/1", "wait/1=1",
          "wait=99999999999999999999/0", "wait=1/1  barrier=1/1"}) {
        CAPTURE(text);
        CHECK_FALSE(fromString(text, states));
        CHECK(toString(states) == "wait=1/1");
    }
}

TEST_CASE("Samples of an instruction add up over records, kernel by kernel") {
    Session session;
    for (const std::uint64_t id : {7U, 8U}) {
        Kernel kernel;
        kernel.id = id;
        session.apply(kernel, 0);
    }
    CHECK_FALSE(session.hasWarpSamples());
    WarpStates states;
    states.add("wait", 2, 1);
    session.apply(WarpSamples{8, 16, states}, 0);
    session.apply(WarpSamples{8, 16, states}, 0);
    session.apply(WarpSamples{8, 32, states}, 0);
    CHECK(session.hasWarpSamples());
    CHECK(session.warpSamples(0).empty());
    REQUIRE(session.warpSamples(1).size() == 2);
    CHECK(toString(session.warpSamples(1).at(16)) == "wait=4/2");
    session.apply(WarpSamples{9, 16, states}, 0);
    REQUIRE(session.notes().size() == 1);
    CHECK(session.notes().front().code == "samples-of-unknown-kernel");
}
