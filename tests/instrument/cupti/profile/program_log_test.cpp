// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/profile/program_log.h"

#include "analysis/session/session.h"
#include "tests/instrument/cupti/profile/logged_program.h"
#include "tests/support/catch.h"

#include <chrono>
#include <future>

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("Times can be told while the driver is asked about a kernel") {
    // CUPTI's thread holds a lock meanwhile for which a call of the driver may wait.
    LoggedProgram program;
    program.options.counterSet = instrument::stream::kSampledSet;
    program.open();
    std::vector<std::future<void>> told;
    program.context.onAsk = [&] {
        told.push_back(std::async(std::launch::async, [&] { program.log->ran({}); }));
        CHECK(told.back().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    };
    program.run(kCopy);
    CHECK(told.size() == 2);
    CHECK(program.all<Launch>().at(0).blocksPerSm == 8u);
}

TEST_CASE("Every launch of a program is told with its kernel, device, range and host time") {
    LoggedProgram program;
    program.options.counterSet = instrument::stream::kSampledSet;
    program.open();
    for (int i = 0; i < 3; ++i)
        program.run(kCopy, 128, "step > copy");
    program.run(kScan);
    const auto launches = program.all<Launch>();
    REQUIRE(launches.size() == 4);
    CHECK(launches[2].id == 2);
    CHECK(launches[2].durationNs == 5'000.0);
    CHECK(launches[2].callNs == 300.0);
    CHECK(launches[2].nvtx == "step > copy");
    CHECK(launches[2].blocksPerSm == 8u);
    CHECK(launches[3].kernel != launches[0].kernel);
    CHECK(program.all<Kernel>().size() == 2);
    CHECK(program.all<Kernel>().front().name == "copy(float*)");
    CHECK(program.all<Device>().size() == 1); // the one that ran something
    CHECK(program.context.asked == 2);        // not for every launch
    CHECK(program.durations.size() == 4);
}

TEST_CASE("Launches that fail or are never timed leave nothing but a note") {
    LoggedProgram program;
    program.options.counterSet = instrument::stream::kSampledSet;
    program.open();
    const auto failed = program.seen(kCopy);
    (void)program.log->launchBegins(failed, {}, 1);
    program.log->launchEnds(failed.correlationId, true, 2);
    CHECK(program.log->timeline(0).completeUntil(100));
    const auto lost = program.seen(kCopy);
    (void)program.log->launchBegins(lost, {}, 3);
    program.log->launchEnds(lost.correlationId, false, 4);
    CHECK(!program.log->timeline(0).completeUntil(100));
    program.log->finish();
    CHECK(program.all<Launch>().empty());
    REQUIRE(program.all<Note>().size() == 1);
    CHECK(program.all<Note>().front().code == "launches-untimed");
}

TEST_CASE("A signature's counters reach all of its launches, whatever order things come in") {
    LoggedProgram program;
    program.options.counterSet = instrument::stream::kSampledSet;
    program.open();
    program.run(kCopy);
    program.run(kCopy, 64);
    program.run(kCopy);
    auto counter = program.log->signature(0);
    REQUIRE(counter);
    CHECK(counter->grid.x == 128);
    counter->counter = "dram__bytes_read.sum";
    counter->method = CounterMethod::Sampled;
    counter->value = 2e12; // a second
    CHECK(!program.log->signature(99));

    Session session;
    Process process;
    process.bySignature = true;
    session.apply(ProcessStart{process});
    for (const Record& record : program.records)
        session.apply(record);
    CHECK(!session.hasCounters(LaunchIndex{0}));
    CHECK(session.apply(*counter) == LaunchIndex{0});
    CHECK(session.hasCounters(LaunchIndex{2}));
    CHECK(!session.hasCounters(LaunchIndex{1})); // another grid
    // A rate: two terabytes a second for five microseconds.
    CHECK(session.counter(LaunchIndex{2}, "dram__bytes_read.sum") == Approx(1e7));
    CHECK(!session.counter(LaunchIndex{1}, "dram__bytes_read.sum"));
    // What a launch has by itself goes before.
    session.apply(LaunchCounters{2, {{"dram__bytes_read.sum", 7.0}}, false});
    CHECK(session.counter(LaunchIndex{2}, "dram__bytes_read.sum") == 7.0);
    CHECK(session.counter(LaunchIndex{0}, "dram__bytes_read.sum") == Approx(1e7));
}

TEST_CASE("The first launch of each kernel and configuration has its lines, with code and reason") {
    LoggedProgram program;
    program.options.counterSet = "none";
    program.options.lines = true;
    program.options.launches = 1;
    program.open();
    const auto launchOnce = [&](const void* function, Result<passes::CountedLines> lines) {
        const auto launch = program.seen(function);
        const auto choice = program.log->launchBegins(launch, {}, 100);
        CHECK_FALSE(choice.count);
        if (choice.lines) program.log->lined(launch.correlationId, std::move(lines));
        program.log->launchEnds(launch.correlationId, false, 200);
        program.log->ran({.kernels = {LoggedProgram::timing(launch, 1'000, 5'500)}, .transfers = {}});
        return choice.lines;
    };
    passes::CountedLines counted;
    counted.lines.resize(1);
    counted.lines[0].pc = 16;
    counted.lines[0].sectors = 32;
    counted.code.emplace();
    addCodeLine(*counted.code, 16, "", 0, "LDG");
    counted.limitation = "nvdisasm was not found";
    CHECK(launchOnce(kCopy, counted));
    CHECK_FALSE(launchOnce(kCopy, counted)); // one is enough
    CHECK(launchOnce(kScan, failure(ErrorKind::Device, "no room to save the memory")));

    REQUIRE(program.all<Launch>().size() == 3); // timed all the same
    const auto lines = program.all<LaunchLines>();
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].launch == program.all<Launch>()[0].id);
    CHECK(lines[0].lines.at(0).sectors == 32);
    REQUIRE(program.all<KernelCode>().size() == 1);
    CHECK(program.all<KernelCode>()[0].kernel == program.all<Launch>()[0].kernel);
    const auto notes = program.all<Note>();
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].code == "no-disassembler");
    CHECK(notes[1].text == "counts per instruction: no room to save the memory");
}

TEST_CASE("Copies are told when nothing is under way any more") {
    LoggedProgram program;
    program.options.counterSet = instrument::stream::kSampledSet;
    program.open();
    program.context.now = 5'000'000'000;
    passes::MemoryApiCall call;
    call.function = *passes::apiCallOf("cuMemcpyHtoDAsync_v2");
    call.correlationId = 50;
    call.startNs = 4'000'000'000;
    call.endNs = 4'000'001'000;
    program.log->memoryCalled(call);
    program.run(kCopy);
    CHECK(program.all<Transfer>().empty());
    passes::TransferTiming timing;
    timing.correlationId = 50;
    timing.kind = TransferKind::Copy;
    timing.bytes = 4096;
    timing.startNs = 4'000'002'000;
    timing.endNs = 4'000'003'000;
    program.log->ran({.kernels = {}, .transfers = {timing}});
    REQUIRE(program.all<Transfer>().size() == 1);
    CHECK(program.all<Transfer>().front().bytes == 4096);
    program.log->finish();
    CHECK(program.all<Transfer>().size() == 1);
}
