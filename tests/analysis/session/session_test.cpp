// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/describe_session.h"
#include "tests/support/launches.h"
#include "tests/support/sample_session.h"

#include <cmath>
#include <limits>

using namespace dormer::session;

using namespace dormer::store;

using dormer::tests::describe;
using dormer::tests::launchOf;

namespace {

Kernel kernelWithId(std::uint64_t id) {
    Kernel kernel;
    kernel.id = id;
    kernel.name = "k" + std::to_string(id);
    return kernel;
}

Session foldOf(const std::vector<std::pair<std::uint32_t, Record>>& records) {
    Session session;
    for (const auto& [process, record] : records)
        session.apply(record, process);
    return session;
}

} // namespace

TEST_CASE("Lines belong to their launch, the last record counts") {
    Session session;
    session.apply(kernelWithId(5));
    session.apply(launchOf(3, 5));
    const auto index = session.apply(launchOf(4, 5));
    REQUIRE(index);
    CHECK_FALSE(session.hasLines());
    CHECK(session.lines(*index).empty());
    LineCounts line;
    line.pc = 16;
    CHECK(session.apply(LaunchLines{4, {line, line}}) == index);
    CHECK(session.hasLines());
    CHECK(session.lines(*index).size() == 2);
    CHECK(session.lines(LaunchIndex{0}).empty());
    line.pc = 32;
    session.apply(LaunchLines{4, {line}});
    REQUIRE(session.lines(*index).size() == 1);
    CHECK(session.lines(*index)[0].pc == 32);
    CHECK_FALSE(session.apply(LaunchLines{4, {}})); // says nothing
    CHECK(session.lines(*index).size() == 1);
    CHECK_FALSE(session.apply(LaunchLines{9, {line}}));
    REQUIRE(session.notes().size() == 1);
    CHECK(session.notes()[0].code == "lines-of-unknown-launch");
    CHECK(session.launchesWithLines() == std::vector{*index});
    session.apply(LaunchLines{3, {line}}); // late
    CHECK(session.launchesWithLines() == std::vector{LaunchIndex{0}, *index});
}

TEST_CASE("A repeated launch adds what it says and keeps the rest") {
    Session session;
    session.apply(kernelWithId(5));
    Launch first = launchOf(1, 5);
    first.grid = {10, 1, 1};
    first.durationNs = 100;
    first.workload = "a/b";
    first.startNs = 42;
    const auto index = session.apply(first);
    REQUIRE(index == LaunchIndex{0});

    Launch later = launchOf(1, 5);
    later.grid = {10, 1, 1};
    later.blocksPerSm = 8;
    later.notCounted = "not yet";
    CHECK(session.apply(later) == index);
    REQUIRE(session.launches().size() == 1);
    const Launch& launch = session.launch(*index);
    CHECK(launch.durationNs == 100.0);
    CHECK(launch.workload == "a/b");
    CHECK(launch.startNs == 42);
    CHECK(launch.blocksPerSm == 8U);
    CHECK_FALSE(launch.counted);

    later.durationNs = 90;
    session.apply(later);
    CHECK(session.launch(*index).durationNs == 90.0);
}

TEST_CASE("Counters of a launch merge, and completeness is remembered") {
    Session session;
    session.apply(kernelWithId(0));
    Launch launch = launchOf(3, 0);
    launch.notCounted = "waiting";
    session.apply(launch);
    CHECK(session.apply(LaunchCounters{3, {{"a", 1}, {"b", 2}}, false}) == LaunchIndex{0});
    CHECK_FALSE(session.launches()[0].counted);
    session.apply(LaunchCounters{3, {{"b", 3}, {"c", 4}}, true});
    CHECK(session.counter(LaunchIndex{0}, "a") == 1.0);
    CHECK(session.counter(LaunchIndex{0}, "b") == 3.0);
    CHECK(session.counter(LaunchIndex{0}, "c") == 4.0);
    CHECK(session.launches()[0].counted);
    CHECK(session.launches()[0].notCounted.empty());
}

TEST_CASE("What was not collected is absent, not zero") {
    Session session;
    session.apply(kernelWithId(0));
    session.apply(launchOf(0, 0));
    session.apply(launchOf(1, 0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    session.apply(LaunchCounters{1, {{"a", 0}, {"nan", nan}, {"inf", INFINITY}}, true});
    CHECK(session.counter(LaunchIndex{1}, "a") == 0.0);
    CHECK_FALSE(session.counter(LaunchIndex{0}, "a"));
    CHECK_FALSE(session.counter(LaunchIndex{1}, "nan"));
    CHECK_FALSE(session.counter(LaunchIndex{1}, "inf"));
    CHECK_FALSE(session.counter(LaunchIndex{1}, "never heard of"));
    CHECK(session.counters().names() == std::vector<std::string>{"a"});
    CHECK(session.deviceOf(LaunchIndex{0}) == nullptr);
}

TEST_CASE("Records that refer to nothing become one note each, never an error") {
    Session session;
    session.apply(kernelWithId(1), 0);
    CHECK_FALSE(session.apply(launchOf(0, 1), 1)); // process 1 announced no kernel
    CHECK_FALSE(session.apply(launchOf(1, 2), 0));
    CHECK_FALSE(session.apply(launchOf(2, 2), 0));
    CHECK_FALSE(session.apply(LaunchCounters{77, {{"a", 1}}, true}, 0));
    CHECK_FALSE(session.apply(KernelCode{5, CodeLanguage::Ptx, {}, {}}, 0));
    CHECK(session.kernelCode().empty());
    CHECK(session.launches().empty());
    CHECK(session.processes().size() == 2);
    REQUIRE(session.notes().size() == 4);
    CHECK(session.notes()[0].code == "launch-of-unknown-kernel");
    CHECK(session.notes()[0].process == 1);
    CHECK(session.notes()[1].text.find("launch 1 of kernel 2") != std::string::npos);
    CHECK(session.notes()[2].code == "counters-of-unknown-launch");
    CHECK(session.notes()[3].code == "code-of-unknown-kernel");
}

TEST_CASE("A target gone wild can't make a table of endless columns") {
    Session session;
    session.apply(kernelWithId(0));
    session.apply(launchOf(0, 0));
    std::map<std::string, double> values{
        {"launch", 1}, {"with blank", 1}, {"quote\"", 1}, {"", 1}, {"line\n", 1}};
    session.apply(LaunchCounters{0, values, true});
    CHECK(session.counters().names().empty());
    for (int i = 0; i < 3000; ++i)
        values["counter" + std::to_string(i)] = i;
    session.apply(LaunchCounters{0, values, true});
    CHECK(session.counters().names().size() == kMaxCounters);
    REQUIRE(session.notes().size() == 1);
    CHECK(session.notes()[0].code == "counters-dropped");
}

TEST_CASE("A GPU that several processes see is one device") {
    const Session session = dormer::tests::oddSession();
    REQUIRE(session.devices().size() == 1);
    CHECK(session.devices()[0].id == 1); // as the first process calls it
    CHECK(session.deviceOf(LaunchIndex{0}) == &session.devices()[0]);
    CHECK(session.deviceOf(LaunchIndex{1}) == &session.devices()[0]); // device 0 of process 1
    REQUIRE(session.measuredCeilings().size() == 1);
    CHECK(session.measuredCeilings()[0].device == 1);

    Session two;
    Device device;
    device.name = "GPU";
    two.apply(device, 0);
    two.apply(device, 1); // no UUIDs: same name and number
    device.id = 1;
    two.apply(device, 1);
    CHECK(two.devices().size() == 2);
    device.uuid = "x";
    device.id = 0;
    two.apply(device, 2);
    device.uuid = "y";
    two.apply(device, 3); // as alike as two GPUs can be
    CHECK(two.devices().size() == 4);
}

TEST_CASE("GPUs of several hosts stay apart, with numbers and measured ceilings of their own") {
    const auto sessionOf = [](const std::string& uuid, Origin origin) {
        Session session;
        for (std::uint32_t process = 0; process < 2; ++process) {
            ProcessStart start;
            start.process.host = process == 0 ? "node1" : "node2";
            start.process.origin = origin;
            session.apply(start, process);
            Device device;
            device.name = "GPU";
            if (!uuid.empty()) device.uuid = uuid + std::to_string(process);
            session.apply(device, process);
            session.apply(MeasuredCeiling{0, "dram", 100.0 + process, ""}, process);
        }
        return session;
    };
    for (const std::string uuid : {"", "GPU-"}) {
        const Session session = sessionOf(uuid, Origin::Measured);
        REQUIRE(session.devices().size() == 2);
        CHECK(session.devices()[0].id == 0);
        CHECK(session.devices()[1].id == 1);
        // The same when it comes back from its records.
        Session again;
        for (const auto& [process, record] : recordsOf(session))
            again.apply(record, process);
        for (const Session* each : {&session, static_cast<const Session*>(&again)}) {
            REQUIRE(each->measuredCeilings().size() == 2);
            CHECK(each->measuredCeilings()[0].device == 0);
            CHECK(each->measuredCeilings()[1].device == 1);
            CHECK(each->measuredCeilings()[1].perSecond == 101.0);
        }
        CHECK(again.devices()[1].id == 1);
    }
    // A chip that is emulated is the same everywhere.
    CHECK(sessionOf("", Origin::Emulated).devices().size() == 1);
}

TEST_CASE("Kernels and launches of different processes never mix") {
    const Session session = dormer::tests::oddSession();
    CHECK(session.kernelOf(LaunchIndex{0}).name == "k0()");
    CHECK(session.kernelOf(LaunchIndex{1}).name == "k1()");
    CHECK(session.originOf(LaunchIndex{0}) == Origin::Emulated);
    CHECK(session.originOf(LaunchIndex{1}) == Origin::Imported);
}

TEST_CASE("A session is the fold of its records") {
    const Session odd = dormer::tests::oddSession();
    CHECK(describe(foldOf(recordsOf(odd))) == describe(odd));
    const Session sample = dormer::tests::sampleSession();
    CHECK(describe(foldOf(recordsOf(sample))) == describe(sample));
    CHECK(recordsOf(Session{}).empty());
}

TEST_CASE("Provenance and labels are what people read") {
    const Session sample = dormer::tests::sampleSession();
    CHECK(provenance(sample) == "measured on NVIDIA H100 80GB HBM3");
    CHECK(provenance(dormer::tests::oddSession()) == "emulated NVIDIA H200; imported, NVIDIA H200");
    CHECK(provenance(Session{}) == "no data");
    CHECK(whereTimed(sample) == "on the GPU");
    CHECK(whereTimed(Session{}) == "on the GPU");
    CHECK(whereTimed(dormer::tests::oddSession()) == "on the GPU"); // not only emulated

    Session emulated;
    ProcessStart start;
    start.process.origin = Origin::Emulated;
    emulated.apply(start);
    Device device;
    device.name = "NVIDIA H100 80GB HBM3 (emulated)";
    emulated.apply(device);
    CHECK(provenance(emulated) == "emulated NVIDIA H100 80GB HBM3");
    CHECK(whereTimed(emulated) == "predicted");
    // Counters that were sampled are not said to be measured; counted ones of a signature are.
    Session gpu;
    device.name = "NVIDIA H100 80GB HBM3";
    gpu.apply(ProcessStart{});
    gpu.apply(device);
    gpu.apply(Kernel{.id = 0, .mangledName = "k", .name = "k()"});
    SignatureCounter counter;
    counter.counter = "dram__bytes_read.sum";
    counter.method = CounterMethod::Sampled;
    counter.value = 1e12;
    gpu.apply(counter);
    CHECK(provenance(gpu) == "sampled on NVIDIA H100 80GB HBM3");
    counter.method = CounterMethod::Counted;
    gpu.apply(counter);
    CHECK(provenance(gpu) == "measured on NVIDIA H100 80GB HBM3");
    for (const Origin origin : {Origin::Measured, Origin::Emulated, Origin::Imported}) {
        CHECK(originFromString(toString(origin)) == origin);
    }
    CHECK_FALSE(originFromString("guessed"));
}

TEST_CASE("The sample session holds together") {
    const Session session = dormer::tests::sampleSession();
    REQUIRE(session.launches().size() == 28);
    CHECK(session.notes().size() == 1);
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const LaunchIndex index{i};
        if (!session.launch(index).counted) continue;
        const auto counter = [&](const char* name) { return session.counter(index, name).value(); };
        CAPTURE(session.kernelOf(index).name);
        CHECK(counter("lts__t_sectors_lookup_hit.sum") + counter("lts__t_sectors_lookup_miss.sum") ==
              counter("lts__t_sectors.sum"));
        CHECK(counter("lts__t_sectors_lookup_hit.sum") >= 0);
        CHECK(counter("smsp__issue_active.avg.pct_of_peak_sustained_active") <= 100);
        CHECK(counter("gpu__time_duration.sum") == session.launch(index).durationNs);
        // H100 SXM: 2 x 2.619 GHz x 5120 bits = 3.352 TB/s.
        const double bytes = counter("dram__bytes_read.sum") + counter("dram__bytes_write.sum");
        CHECK(bytes / *session.launch(index).durationNs < 3352.3);
    }
}
