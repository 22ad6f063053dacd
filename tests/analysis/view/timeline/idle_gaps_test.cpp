// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/idle_gaps.h"
#include "analysis/view/timeline/words.h"
#include "tests/analysis/view/timeline/ran.h"
#include "tests/support/catch.h"

#include <numeric>

using namespace dormer;
using namespace dormer::view::timeline;
using dormer::tests::Ran;

namespace {

/// The gap before a launch that begins 100 µs after the first one's end.
IdleCause causeBefore(session::Launch next, std::vector<session::Transfer> transfers = {}) {
    Ran ran;
    ran.launch(1'000, 99'000, Ran::called(500));
    for (const session::Transfer& transfer : transfers)
        ran.session.apply(transfer);
    ran.launch(200'000, 1'000, next);
    const std::vector<IdleGap> gaps = idleGaps(ran.session);
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0].endNs - gaps[0].beginNs == 100'000);
    CHECK(raw(gaps[0].next) == 1);
    return gaps[0].cause;
}

} // namespace

TEST_CASE("A gap is the host's who launched late, and a synchronization's where it had waited") {
    CHECK(causeBefore(Ran::called(195'000)) == IdleCause::Host);
    CHECK(causeBefore(Ran::called(195'000, 103'000)) == IdleCause::Synchronization);
    // It waited for something that was over long before.
    CHECK(causeBefore(Ran::called(195'000, 50'000)) == IdleCause::Host);
    CHECK(causeBefore(session::Launch{}) == IdleCause::Unknown);
}

TEST_CASE("A launch that was made in time waits for other work, unless its call takes long") {
    CHECK(causeBefore(Ran::called(2'000)) == IdleCause::Dependency);
    CHECK(causeBefore(Ran::called(2'000, 0, 5'000)) == IdleCause::Dependency);
    CHECK(causeBefore(Ran::called(2'000, 0, 195'000)) == IdleCause::Host);
    Ran ran;
    ran.launch(1'000, 99'000, Ran::called(500));
    ran.launch(103'000, 1'000, Ran::called(2'000));
    REQUIRE(idleGaps(ran.session).size() == 1);
    CHECK(idleGaps(ran.session)[0].cause == IdleCause::LaunchLatency);
}

TEST_CASE("A copy that fills half of a gap is its cause, whoever launched when") {
    const session::Launch late = Ran::called(195'000, 190'000);
    CHECK(causeBefore(late, {Ran::copy(110'000, 60'000)}) == IdleCause::Copy);
    CHECK(causeBefore(late, {Ran::copy(110'000, 30'000)}) == IdleCause::Synchronization);
    // Two that overlap cover their union only.
    CHECK(causeBefore(late, {Ran::copy(110'000, 30'000), Ran::copy(115'000, 30'000)}) ==
          IdleCause::Synchronization);
    // Of several that are kept as one the spans tell.
    session::Transfer many = Ran::copy(10'000, 185'000);
    many.count = 3;
    CHECK(causeBefore(late, {many}) == IdleCause::Synchronization);
    many.spans.spans = {{0, 1'000}, {95'000, 40'000}, {140'000, 30'000}};
    CHECK(causeBefore(late, {many}) == IdleCause::Copy);
}

TEST_CASE("While another stream's kernel runs there is no gap") {
    Ran ran;
    ran.launch(1'000, 500'000, Ran::inStream(1));
    ran.launch(2'000, 1'000, Ran::inStream(2));
    ran.launch(400'000, 1'000, Ran::inStream(2));
    CHECK(idleGaps(ran.session).empty());
    const auto times = deviceTimes(ran.session, {});
    REQUIRE(times.size() == 1);
    CHECK(times[0].busyNs() == 500'000);
}

TEST_CASE("The time of a GPU is what its kernels took and what it waited for") {
    Ran ran;
    ran.launch(0, 10'000, Ran::called(-2'000));
    ran.launch(40'000, 10'000, Ran::called(35'000));
    ran.launch(90'000, 10'000, Ran::called(80'000, 55'000));
    Timeline timeline = timelineOf(ran.session);
    const auto times = deviceTimes(ran.session, timeline.gaps);
    REQUIRE(times.size() == 1);
    CHECK(times[0].spanNs == 100'000);
    CHECK(times[0].busyNs() == 30'000);
    const auto host = static_cast<std::size_t>(IdleCause::Host);
    CHECK(times[0].idleNs[host] == 30'000);
    CHECK(times[0].gaps[host] == 1);
    CHECK(times[0].idleNs[static_cast<std::size_t>(IdleCause::Synchronization)] == 40'000);

    const view::Table table = gpuTimeTable(ran.session, timeline);
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0].cells[0].text == "busy");
    CHECK(table.rows[0].cells[1].text == "30.0");
    CHECK(table.rows[1].cells[0].text == "idle: synchronization"); // the most first
    CHECK(table.rows[1].cells[2].text == "0.040");
    CHECK(table.rows[2].cells[0].text == "idle: host");
}
