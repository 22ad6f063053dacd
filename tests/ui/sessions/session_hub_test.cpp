// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/session_hub.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <QSignalSpy>

using namespace dormer;
using session::LaunchIndex;

TEST_CASE("hub signals each launch, its counters, notes and progress", "[session_hub]") {
    const session::Session sample = tests::sampleSession();
    ui::sessions::SessionHub hub;
    int launches = 0;
    int notes = 0;
    int contexts = 0;
    std::string phase;
    QObject::connect(&hub, &ui::sessions::SessionHub::launchChanged, [&] { ++launches; });
    QObject::connect(&hub, &ui::sessions::SessionHub::noteAdded, [&] { ++notes; });
    QObject::connect(&hub, &ui::sessions::SessionHub::contextChanged, [&] { ++contexts; });
    QObject::connect(&hub, &ui::sessions::SessionHub::progressChanged,
                     [&](const session::Progress& p) { phase = p.phase; });
    std::size_t counted = 0;
    for (const auto& [process, record] : store::recordsOf(sample)) {
        if (std::holds_alternative<session::LaunchCounters>(record)) ++counted;
        hub.apply(record, process);
    }
    hub.apply(session::Progress{.phase = "counting", .workload = {}});
    CHECK(hub.session().launches().size() == sample.launches().size());
    CHECK(launches == static_cast<int>(sample.launches().size() + counted));
    CHECK(notes == static_cast<int>(sample.notes().size()));
    CHECK(contexts >= 3); // process, device, end of the process
    CHECK(phase == "counting");
}

TEST_CASE("hub signals what a suite tells besides launches", "[session_hub]") {
    ui::sessions::SessionHub hub;
    QSignalSpy told(&hub, &ui::sessions::SessionHub::suiteChanged);
    hub.apply(
        session::Sweep{.name = "access/offset", .title = {}, .parameters = {}, .metrics = {}, .best = {}});
    CHECK(told.count() == 1);
    session::Workload workload;
    workload.workload = "access/offset/1";
    hub.apply(workload);
    CHECK(told.count() == 2);
    hub.apply(session::Transfer{});
    CHECK(told.count() == 3);
    hub.apply(session::MemoryCall{});
    CHECK(told.count() == 4);
    hub.apply(session::Note{0, "code", "text"});
    CHECK(told.count() == 4);
}

TEST_CASE("hub judges a launch again when its counters come", "[session_hub]") {
    ui::sessions::SessionHub hub;
    std::optional<LaunchIndex> first;
    for (const auto& [process, record] : store::recordsOf(tests::sampleSession())) {
        hub.apply(record, process);
        if (!first && std::holds_alternative<session::Launch>(record)) {
            first = LaunchIndex{0};
            CHECK(hub.verdict(*first).bound == verdict::Bound::Unknown);
        }
    }
    // vector_add moves 201 MB in 68 us: 2.96 TB/s of 3.35.
    CHECK(hub.verdict(*first).bound == verdict::Bound::Memory);
}

TEST_CASE("hub keeps one selection and drops it with its session", "[session_hub]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    QSignalSpy changes(&hub, &ui::sessions::SessionHub::selectionChanged);
    hub.select(LaunchIndex{2});
    hub.select(LaunchIndex{2});
    CHECK(changes.count() == 1);
    hub.select(LaunchIndex{4'000'000});
    CHECK_FALSE(hub.selected());
    hub.select(LaunchIndex{1});
    hub.setSession({});
    CHECK_FALSE(hub.selected());
    CHECK(changes.count() == 4);
}
