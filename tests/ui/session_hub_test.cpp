// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session_hub.h"

#include "analysis/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <QSignalSpy>

using namespace dormer;
using analysis::LaunchIndex;

TEST_CASE("hub signals each launch, its counters, notes and progress", "[session_hub]") {
    const analysis::Session sample = tests::sampleSession();
    ui::SessionHub hub;
    int launches = 0;
    int notes = 0;
    int contexts = 0;
    std::string phase;
    QObject::connect(&hub, &ui::SessionHub::launchChanged, [&] { ++launches; });
    QObject::connect(&hub, &ui::SessionHub::noteAdded, [&] { ++notes; });
    QObject::connect(&hub, &ui::SessionHub::contextChanged, [&] { ++contexts; });
    QObject::connect(&hub, &ui::SessionHub::progressChanged,
                     [&](const analysis::Progress& p) { phase = p.phase; });
    std::size_t counted = 0;
    for (const auto& [process, record] : analysis::recordsOf(sample)) {
        if (std::holds_alternative<analysis::LaunchCounters>(record)) ++counted;
        hub.apply(record, process);
    }
    hub.apply(analysis::Progress{.phase = "counting", .workload = {}});
    CHECK(hub.session().launches().size() == sample.launches().size());
    CHECK(launches == static_cast<int>(sample.launches().size() + counted));
    CHECK(notes == static_cast<int>(sample.notes().size()));
    CHECK(contexts >= 3); // process, device, end of the process
    CHECK(phase == "counting");
}

TEST_CASE("hub signals what a suite tells besides launches", "[session_hub]") {
    ui::SessionHub hub;
    QSignalSpy told(&hub, &ui::SessionHub::suiteChanged);
    hub.apply(
        analysis::Sweep{.name = "access/offset", .title = {}, .parameters = {}, .metrics = {}, .best = {}});
    CHECK(told.count() == 1);
    analysis::Workload workload;
    workload.workload = "access/offset/1";
    hub.apply(workload);
    CHECK(told.count() == 2);
    hub.apply(analysis::Transfer{});
    CHECK(told.count() == 3);
    hub.apply(analysis::MemoryCall{});
    CHECK(told.count() == 4);
    hub.apply(analysis::Note{0, "code", "text"});
    CHECK(told.count() == 4);
}

TEST_CASE("hub judges a launch again when its counters come", "[session_hub]") {
    ui::SessionHub hub;
    std::optional<LaunchIndex> first;
    for (const auto& [process, record] : analysis::recordsOf(tests::sampleSession())) {
        hub.apply(record, process);
        if (!first && std::holds_alternative<analysis::Launch>(record)) {
            first = LaunchIndex{0};
            CHECK(hub.verdict(*first).bound == analysis::Bound::Unknown);
        }
    }
    // vector_add moves 201 MB in 68 us: 2.96 TB/s of 3.35.
    CHECK(hub.verdict(*first).bound == analysis::Bound::Memory);
}

TEST_CASE("hub keeps one selection and drops it with its session", "[session_hub]") {
    ui::SessionHub hub;
    hub.setSession(tests::sampleSession());
    QSignalSpy changes(&hub, &ui::SessionHub::selectionChanged);
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
