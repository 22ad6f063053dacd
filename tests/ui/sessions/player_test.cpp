// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/player.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_hub.h"

#include <QSignalSpy>

using namespace dormer;

TEST_CASE("a schedule keeps the order and fills its length", "[player]") {
    const auto records = store::recordsOf(tests::sampleSession());
    const std::vector<double> due = ui::sessions::playSchedule(records, 7000);
    REQUIRE(due.size() == records.size());
    double last = 0;
    double latest = 0;
    std::map<std::uint64_t, double> launchDue;
    for (std::size_t i = 0; i < records.size(); ++i) {
        latest = std::max(latest, due[i]);
        if (const auto* launch = std::get_if<session::Launch>(&records[i].second)) {
            CHECK(due[i] >= last);
            last = due[i];
            launchDue[launch->id] = due[i];
        }
    }
    CHECK(latest == Approx(7000));
    for (std::size_t i = 0; i < records.size(); ++i)
        if (const auto* counters = std::get_if<session::LaunchCounters>(&records[i].second))
            CHECK(due[i] == launchDue[counters->launch]);
}

TEST_CASE("one idle gap does not take all the time", "[player]") {
    std::vector<std::pair<std::uint32_t, session::Record>> records;
    for (std::uint64_t i = 0; i < 10; ++i) {
        session::Launch launch;
        launch.id = i;
        launch.startNs = static_cast<std::int64_t>(i) * 1000 + (i >= 5 ? 1'000'000'000 : 0);
        records.emplace_back(0, launch);
    }
    const std::vector<double> due = ui::sessions::playSchedule(records, 7000);
    // Linear pacing would leave a thousandth of a percent to the nine other gaps.
    CHECK(due[5] - due[4] < 0.7 * 7000);
    CHECK(due[4] > 0.1 * 7000);
}

TEST_CASE("playing ends with the whole session", "[player]") {
    const session::Session sample = tests::sampleSession();
    ui::sessions::SessionHub hub;
    ui::sessions::Player player(hub);
    QSignalSpy finished(&player, &ui::sessions::Player::finished);
    player.setSpeed(20);
    player.play(sample);
    CHECK(player.playing());
    CHECK(hub.session().launches().size() < sample.launches().size());
    REQUIRE(tests::eventually([&] { return finished.count() == 1; }));
    CHECK_FALSE(player.playing());
    CHECK(tests::sameSession(hub.session(), sample));
}

TEST_CASE("a paused player waits, a stopped one shows the rest", "[player]") {
    const session::Session sample = tests::sampleSession();
    ui::sessions::SessionHub hub;
    ui::sessions::Player player(hub);
    QSignalSpy finished(&player, &ui::sessions::Player::finished);
    player.play(sample);
    player.setPaused(true);
    const std::size_t shown = hub.session().launches().size();
    QTest::qWait(400);
    CHECK(hub.session().launches().size() == shown);
    player.setPaused(false);
    REQUIRE(tests::eventually([&] { return hub.session().launches().size() > shown; }));
    player.stop();
    CHECK(finished.count() == 1);
    CHECK(tests::sameSession(hub.session(), sample));
}
