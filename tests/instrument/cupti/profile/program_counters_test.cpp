// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The program log's counters: which launches are wanted, and what is told of those that were counted.

#include "analysis/session/session.h"
#include "tests/instrument/cupti/profile/logged_program.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("What launches were counted to do is told with them, and their mean with all like them") {
    LoggedProgram program;
    program.options.counterSet = "memory";
    program.open();
    for (int i = 0; i < 4; ++i) {
        const auto launch = program.seen(kCopy);
        const auto choice = program.log->launchBegins(launch, {}, 100);
        CHECK(choice == ProgramLog::Choice{.group = 0, .count = true});
        const bool isCounted = i < 2;
        if (isCounted) program.log->looksAt(launch, ProgramLog::Look::Replay);
        program.log->launchEnds(launch.correlationId, false, 200);
        const passes::Timings times{.kernels = {LoggedProgram::timing(launch, 1'000, 5'500 + i)},
                                    .transfers = {}};
        const auto count = [&] {
            if (isCounted)
                program.log->counted(launch.correlationId, std::map<std::string, double>{
                                                               {"smsp__inst_executed.sum", 10.0 + 2.0 * i}});
        };
        // Its time may come before its counters or after.
        if (i == 0) program.log->ran(times);
        count();
        if (i != 0) program.log->ran(times);
    }
    const auto launches = program.all<Launch>();
    REQUIRE(launches.size() == 4);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(launches[i].durationNs == 4'500.0 + static_cast<double>(i)); // its own
    CHECK_FALSE(launches[0].callNs);                                       // the call was made longer
    CHECK(launches[3].callNs == 100.0);
    const auto counters = program.all<LaunchCounters>();
    REQUIRE(counters.size() == 2);
    CHECK(counters[1].complete);
    CHECK(counters[1].values.at("smsp__inst_executed.sum") == 12);
    // The others get the mean.
    Session session;
    Process process;
    process.bySignature = true;
    session.apply(ProcessStart{process});
    for (const Record& record : program.records)
        session.apply(record);
    CHECK(session.counter(LaunchIndex{3}, "smsp__inst_executed.sum") == 11);
    CHECK(session.counter(LaunchIndex{0}, "smsp__inst_executed.sum") == 10);
    REQUIRE(session.signatureCounters().size() == 1);
    CHECK(session.signatureCounters().front().launches == 2);
    program.log->finish();
    CHECK(program.all<Note>().empty());
}

TEST_CASE("Counters that several launches of a group gave are told once one of them has run") {
    LoggedProgram program;
    program.options.counterSet = "memory";
    program.open();
    const auto begin = [&](const void* function, bool looked) {
        const auto launch = program.seen(function);
        const auto choice = program.log->launchBegins(launch, {}, 100);
        if (looked) program.log->looksAt(launch, ProgramLog::Look::Pass);
        program.log->launchEnds(launch.correlationId, false, 200);
        return std::pair(launch, choice.group);
    };
    const auto [alone, group] = begin(kCopy, false);
    CHECK(begin(kCopy, true).second == group);
    const auto [other, otherGroup] = begin(kScan, false);
    CHECK(group != otherGroup);
    program.log->groupCounted(group, {{"smsp__inst_executed.sum", 32.0}});
    CHECK(program.all<SignatureCounter>().empty()); // how long it takes is not known yet
    CHECK(program.all<Launch>().size() == 1);       // CUPTI won't tell of it
    program.log->ran(
        {.kernels = {LoggedProgram::timing(alone, 100, 600), LoggedProgram::timing(other, 6'000, 7'000)},
         .transfers = {}});
    const auto told = program.all<SignatureCounter>();
    REQUIRE(told.size() == 1);
    CHECK(told[0].value == 32.0);
    CHECK(told[0].coveredNs == 500.0); // what one of them takes that was left alone
    CHECK(told[0].method == CounterMethod::Counted);
    CHECK(told[0].kernel == program.all<Launch>()[0].kernel);
    // What was wanted and has none is named at the end.
    program.log->finish();
    const auto notes = program.all<Note>();
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].code == "not-counted");
    CHECK(notes[0].text.starts_with("1 of 2 kernels"));
    CHECK(notes[0].text.ends_with(": scan"));
}

TEST_CASE("The time of a launch that a pass counted is not told, that of one whose lines were counted is") {
    LoggedProgram program;
    program.options.counterSet = "memory";
    program.open();
    using Look = ProgramLog::Look;
    for (const Look look : {Look::None, Look::Lines, Look::Pass}) {
        const auto launch = program.seen(kCopy);
        (void)program.log->launchBegins(launch, {}, 100);
        if (look != Look::None) program.log->looksAt(launch, look);
        program.log->launchEnds(launch.correlationId, false, 200);
        if (look == Look::Lines) program.log->lined(launch.correlationId, passes::CountedLines{});
        if (look != Look::Pass)
            program.log->ran({.kernels = {LoggedProgram::timing(launch, 1'000, 5'000)}, .transfers = {}});
    }
    const auto launches = program.all<Launch>();
    REQUIRE(launches.size() == 3);
    CHECK(launches[0].durationNs == 4'000.0);
    CHECK(launches[0].callNs == 100.0);
    CHECK(launches[1].durationNs == 4'000.0);
    CHECK_FALSE(launches[1].callNs);
    CHECK_FALSE(launches[2].durationNs);
    CHECK(launches[2].grid == launches[0].grid);
}

TEST_CASE("A launch that ran too long to be repeated is told with its time, whenever that comes") {
    LoggedProgram program;
    program.options.counterSet = "memory";
    program.open();
    for (const bool timeFirst : {true, false}) {
        const auto launch = program.seen(kCopy);
        (void)program.log->launchBegins(launch, {}, 100);
        program.log->looksAt(launch, ProgramLog::Look::Replay);
        program.log->launchEnds(launch.correlationId, false, 200);
        const auto ran = [&] {
            program.log->ran({.kernels = {LoggedProgram::timing(launch, 1'000, 5'000)}, .transfers = {}});
        };
        if (timeFirst) ran();
        program.log->letGo(launch.correlationId);
        if (!timeFirst) ran();
        program.log->letGo(launch.correlationId); // said again, it changes nothing
    }
    REQUIRE(program.all<Launch>().size() == 2);
    for (const Launch& launch : program.all<Launch>())
        CHECK(launch.durationNs == 4'000.0);
}

TEST_CASE("A launch that could not be counted is timed no less, and the reason is told once") {
    LoggedProgram program;
    program.options.counterSet = "memory";
    program.open();
    for (int i = 0; i < 2; ++i) {
        const auto launch = program.seen(kCopy);
        CHECK(program.log->launchBegins(launch, {}, 100).count);
        program.log->looksAt(launch, ProgramLog::Look::Replay);
        program.log->launchEnds(launch.correlationId, false, 200);
        // Its time may come before it is known that it was not counted, or after.
        const passes::Timings times{.kernels = {LoggedProgram::timing(launch, 1'000, 5'500)},
                                    .transfers = {}};
        if (i == 0) program.log->ran(times);
        program.log->counted(launch.correlationId, failure(ErrorKind::Device, "held by another tool"));
        if (i == 1) program.log->ran(times);
    }
    const auto launches = program.all<Launch>();
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].durationNs == 4'500.0);
    CHECK(launches[1].durationNs == 4'500.0);
    REQUIRE(program.all<Note>().size() == 1);
    CHECK(program.all<Note>().front().text == "held by another tool");
}
