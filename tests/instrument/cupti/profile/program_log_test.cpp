// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"
#include "instrument/cupti/profile/program_log.h"
#include "tests/support/catch.h"

#include <chrono>
#include <functional>
#include <future>

using namespace dormer;
using namespace dormer::session;
using namespace dormer::instrument::cupti;
using profile::ProgramLog;

namespace {

class FakeContext : public passes::ContextBackend {
public:
    void synchronize() override {}
    bool busy(const void*) override { return false; }
    Result<void> flushCaches() override { return {}; }
    void releaseFlushBuffer() override {}
    std::optional<std::uint32_t> blocksPerSm(const void*, std::uint32_t threads, std::uint64_t) override {
        ++asked;
        if (onAsk) onAsk();
        return 2048 / threads;
    }
    passes::FunctionFacts functionFacts(const void*) override {
        if (onAsk) onAsk();
        return {1024, 32, 64, 0};
    }
    std::int64_t nowNs() override { return now; }

    int asked = 0;
    std::function<void()> onAsk; ///< while the driver is asked
    std::int64_t now = 1;
};

const void* const kCopy = reinterpret_cast<const void*>(0x10);
const void* const kScan = reinterpret_cast<const void*>(0x20);

/// A program on a device that runs everything a microsecond after it was called.
struct Program {
    FakeContext context;
    std::vector<Record> records;
    instrument::stream::CollectOptions options;
    std::unique_ptr<ProgramLog> log;
    std::uint32_t nextCall = 1;
    std::vector<std::int64_t> durations;

    void open() {
        options.everyLaunch = true;
        log = std::make_unique<ProgramLog>(
            options, context, nullptr, [this](const Record& record) { records.push_back(record); },
            [this](std::int32_t, std::int64_t ns) { durations.push_back(ns); });
        Device device;
        device.name = "H100";
        Device other = device;
        other.id = 1;
        log->setDevices({device, other});
    }
    profile::SeenLaunch seen(const void* function, std::uint32_t blocks = 128) {
        return {.function = function,
                .mangledName = function == kCopy ? "_Z4copyPf" : "_Z4scanPf",
                .correlationId = nextCall++,
                .grid = {blocks, 1, 1},
                .block = {256, 1, 1},
                .dynamicSharedBytes = 0,
                .device = 0,
                .graph = false};
    }
    static passes::KernelTiming timing(const profile::SeenLaunch& launch, std::int64_t startNs,
                                       std::int64_t endNs) {
        passes::KernelTiming timing;
        timing.correlationId = launch.correlationId;
        timing.mangledName = launch.mangledName;
        timing.startNs = startNs;
        timing.endNs = endNs;
        timing.grid = launch.grid;
        timing.block = launch.block;
        timing.registersPerThread = 32;
        return timing;
    }
    void run(const void* function, std::uint32_t blocks = 128, const char* nvtx = "") {
        const auto launch = seen(function, blocks);
        REQUIRE(log->launchBegins(launch, {"", nvtx, 0}, context.now) == ProgramLog::Choice{});
        log->launchEnds(launch.correlationId, false, context.now + 300);
        log->ran({.kernels = {timing(launch, context.now + 1'000, context.now + 6'000)}, .transfers = {}});
        context.now += 10'000;
    }
    template <typename T>
    std::vector<T> all() const {
        std::vector<T> found;
        for (const Record& record : records)
            if (const auto* each = std::get_if<T>(&record)) found.push_back(*each);
        return found;
    }
};

} // namespace

TEST_CASE("Times can be told while the driver is asked about a kernel") {
    // CUPTI's thread holds a lock meanwhile for which a call of the driver may wait.
    Program program;
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
    Program program;
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
    Program program;
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
    Program program;
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

TEST_CASE("What launches were counted to do is told with them, and their mean with all like them") {
    Program program;
    program.options.counterSet = "memory";
    program.open();
    for (int i = 0; i < 4; ++i) {
        const auto launch = program.seen(kCopy);
        const auto choice = program.log->launchBegins(launch, {}, 100);
        CHECK(choice == ProgramLog::Choice{.group = 0, .count = true});
        const bool isCounted = i < 2;
        if (isCounted) program.log->looksAt(launch, ProgramLog::Look::Replay);
        program.log->launchEnds(launch.correlationId, false, 200);
        const passes::Timings times{.kernels = {Program::timing(launch, 1'000, 5'500 + i)}, .transfers = {}};
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
    Program program;
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
    program.log->ran({.kernels = {Program::timing(alone, 100, 600), Program::timing(other, 6'000, 7'000)},
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
    Program program;
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
            program.log->ran({.kernels = {Program::timing(launch, 1'000, 5'000)}, .transfers = {}});
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
    Program program;
    program.options.counterSet = "memory";
    program.open();
    for (const bool timeFirst : {true, false}) {
        const auto launch = program.seen(kCopy);
        (void)program.log->launchBegins(launch, {}, 100);
        program.log->looksAt(launch, ProgramLog::Look::Replay);
        program.log->launchEnds(launch.correlationId, false, 200);
        const auto ran = [&] {
            program.log->ran({.kernels = {Program::timing(launch, 1'000, 5'000)}, .transfers = {}});
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
    Program program;
    program.options.counterSet = "memory";
    program.open();
    for (int i = 0; i < 2; ++i) {
        const auto launch = program.seen(kCopy);
        CHECK(program.log->launchBegins(launch, {}, 100).count);
        program.log->looksAt(launch, ProgramLog::Look::Replay);
        program.log->launchEnds(launch.correlationId, false, 200);
        // Its time may come before it is known that it was not counted, or after.
        const passes::Timings times{.kernels = {Program::timing(launch, 1'000, 5'500)}, .transfers = {}};
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

TEST_CASE("The first launch of each kernel and configuration has its lines, with code and reason") {
    Program program;
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
        program.log->ran({.kernels = {Program::timing(launch, 1'000, 5'500)}, .transfers = {}});
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
    Program program;
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
