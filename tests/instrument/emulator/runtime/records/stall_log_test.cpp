// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/stall_log.h"

#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;
using emulator::counts::Stall;
using emulator::engine::InstructionStall;
using emulator::runtime::StallLog;

namespace {

/// Three quarters wait at line 7, a third of them while others issue; a quarter issues at line 5.
const std::vector<InstructionStall> kStalls{{7, Stall::LongScoreboard, 0.75, 0.5},
                                            {5, Stall::Selected, 0.25, 0}};

session::WarpStates sumOf(const std::vector<session::WarpSamples>& records) {
    session::WarpStates sum;
    for (const session::WarpSamples& each : records)
        sum.add(each.states);
    return sum;
}

} // namespace

TEST_CASE("A launch has a sample for every 10 ns of its predicted time") {
    StallLog log;
    log.add(3, kStalls, 40'000);
    const auto records = log.due(3);
    REQUIRE(records.size() == 2);
    CHECK((records[0].kernel == 3 && records[0].pc == 5 && records[1].pc == 7));
    CHECK(records[0].states.states == std::vector<session::WarpState>{{"selected", 1000, 0}});
    CHECK(records[1].states.states == std::vector<session::WarpState>{{"long_scoreboard", 3000, 2000}});
    CHECK(log.due(3).empty());
    CHECK(log.rest().empty());
}

TEST_CASE("Samples of many launches are told in few records, and none is lost to rounding") {
    StallLog log;
    std::vector<session::WarpSamples> told;
    std::size_t times = 0;
    for (int i = 0; i < 1000; ++i) {
        log.add(0, kStalls, 13); // a launch alone has one sample, or none
        const auto due = log.due(0);
        times += due.empty() ? 0 : 1;
        told.insert(told.end(), due.begin(), due.end());
    }
    CHECK(times < 12);
    const auto rest = log.rest();
    told.insert(told.end(), rest.begin(), rest.end());
    CHECK(sumOf(told).samples() == 1300);
    CHECK(sumOf(told).notIssued() == 650);
}

TEST_CASE("A recorded launch tells what its warps waited for, where that is requested") {
    instrument::stream::CollectOptions options;
    options.everyLaunch = true;
    {
        FakeProgram silent("H100", options, true);
        silent.stalls = kStalls;
        REQUIRE(silent.launch(nullptr, 1) == cudaSuccess);
        CHECK(silent.all<session::WarpSamples>().empty());
    }
    options.stalls = true;
    FakeProgram program("H100", options, true);
    program.stalls = kStalls;
    program.durationNs = 40'000;
    for (int i = 0; i < 4; ++i)
        REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    program.recorder().programEnds();
    CHECK(sumOf(program.all<session::WarpSamples>()).samples() == 4 * 4000);
    CHECK(program.all<session::Launch>().at(0).durationNs == 40'000);
}
