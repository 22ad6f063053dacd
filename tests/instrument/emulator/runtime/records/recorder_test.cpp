// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

using namespace dormer;
using namespace dormer::tests;

namespace {

instrument::stream::CollectOptions everyLaunch() {
    instrument::stream::CollectOptions options;
    options.everyLaunch = true;
    return options;
}

} // namespace

TEST_CASE("A profiled program's stream says what it is, on what, and what its kernels did") {
    FakeProgram program("H100", everyLaunch(), true);
    REQUIRE(program.launch(nullptr, 1, 6) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1, 7) == cudaSuccess);
    REQUIRE(std::holds_alternative<session::ProcessStart>(program.records.front()));
    const auto process = program.all<session::ProcessStart>().at(0).process;
    CHECK(process.origin == session::Origin::Emulated);
    CHECK((process.passes == 1 && process.cacheControl == "flush" && process.counterSet == "memory"));
    CHECK(process.counters == std::vector<std::string>{"dram__bytes_read.sum"});
    const auto devices = program.all<session::Device>();
    REQUIRE(devices.size() == 1);
    CHECK((devices[0].smCount == 132 && devices[0].chip == "GH100"));
    const auto kernels = program.all<session::Kernel>();
    REQUIRE(kernels.size() == 1); // once for both launches
    CHECK(kernels[0].name == "add(float*, int)");
    const auto launches = program.all<session::Launch>();
    REQUIRE(launches.size() == 2);
    CHECK((launches[0].id == 0 && launches[1].id == 1));
    CHECK(launches[1].grid == session::Dim3{7, 1, 1});
    CHECK(launches[0].durationNs == 1000.0);
    CHECK(launches[0].blocksPerSm == 16); // 2048 threads / 128
    CHECK(launches[1].startNs >= launches[0].startNs + 1000);
    const auto counters = program.all<session::LaunchCounters>();
    REQUIRE(counters.size() == 2);
    CHECK((counters[1].launch == 1 && counters[1].complete));
    CHECK(counters[1].values.at("dram__bytes_read.sum") == 4096);
}

TEST_CASE("Kernels of one stream follow each other in the record, however fast they were emulated") {
    FakeProgram program("H100", everyLaunch(), true);
    program.durationNs = 5e9;
    cudaStream_t other = nullptr;
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1, 1, other) == cudaSuccess);
    const auto launches = program.all<session::Launch>();
    CHECK(launches.at(1).startNs >= launches.at(0).startNs + 5'000'000'000);
    CHECK(launches.at(2).startNs < launches.at(1).startNs);
    CHECK(launches.at(2).stream != launches.at(0).stream);
}

TEST_CASE("An instrumented program is recorded inside its passes only, in one pass") {
    FakeProgram program("H100", {}, true);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    int passes = 0;
    while (program.recorder().nextPass()) {
        ++passes;
        REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    }
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    CHECK(passes == 1);
    CHECK(program.all<session::Launch>().size() == 1);
    REQUIRE(program.launches.size() == 3);
    CHECK_FALSE(program.launches[0].counted);
    CHECK(program.launches[1].counted);
    CHECK_FALSE(program.launches[2].counted);
}

TEST_CASE("Launches the filters turn away run without counting and say why") {
    instrument::stream::CollectOptions options = everyLaunch();
    options.launches = 1;
    FakeProgram program("H100", options, true);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    const auto launches = program.all<session::Launch>();
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].notCounted.empty());
    CHECK(launches[1].notCounted == "--launches 1: that many launches like it were already counted");
    CHECK_FALSE(launches[1].durationNs);
    CHECK(program.all<session::LaunchCounters>().size() == 1);
    CHECK_FALSE(program.launches[1].counted);
}

TEST_CASE("Timing alone still predicts, and records no counters") {
    instrument::stream::CollectOptions options = everyLaunch();
    options.counterSet = "none";
    FakeProgram program("H100", options, true);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    CHECK(program.all<session::Launch>().at(0).durationNs == 1000.0);
    CHECK(program.all<session::LaunchCounters>().empty());
    CHECK(program.all<session::ProcessStart>().at(0).process.passes == 0);
}

TEST_CASE("A kernel that failed is recorded with what stopped it") {
    FakeProgram program("H100", everyLaunch(), true);
    program.fault = [] {
        return Fault{Fault::Kind::IllegalAddress, "add(float*, int)", "add.cu:3", {}, {}, 0,
                     "a store past the end"};
    };
    CHECK(program.launch(nullptr, 1) == cudaErrorIllegalAddress);
    const auto launches = program.all<session::Launch>();
    REQUIRE(launches.size() == 1);
    CHECK_THAT(launches[0].notCounted, Catch::Contains("add.cu:3"));
    CHECK_FALSE(launches[0].durationNs);
    const auto notes = program.all<session::Note>();
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].code == "emulator-fault");
    CHECK_THAT(notes[0].text, Catch::Contains("a store past the end"));
}

TEST_CASE("Estimated registers are said once") {
    FakeProgram program("H100", everyLaunch(), true);
    program.kernel.kernelFacts.registersEstimated = true;
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    const auto notes = program.all<session::Note>();
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0].text, Catch::Contains("(first seen in add(float*, int)); add -gencode "
                                              "arch=compute_90,code=sm_90"));
}

TEST_CASE("Workload and NVTX path go with the launch, ranges are kept") {
    FakeProgram program("H100", everyLaunch(), true);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    program.recorder().nvtx().push("step", 10);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    program.recorder().nvtx().pop(20);
    const auto launches = program.all<session::Launch>();
    CHECK((launches.at(0).nvtx.empty() && launches.at(1).nvtx == "step"));
    const auto ranges = program.all<session::NvtxRange>();
    REQUIRE(ranges.size() == 1);
    CHECK((ranges[0].path == "step" && ranges[0].startNs == 10 && ranges[0].endNs == 20));
}

TEST_CASE("A program that launched nothing is recorded when it ends, one that did is not again") {
    FakeProgram idle("H100", everyLaunch(), true);
    idle.recorder().programEnds();
    CHECK(idle.all<session::ProcessStart>().size() == 1);
    CHECK(idle.all<session::Launch>().empty());
    idle.recorder().programEnds();
    CHECK(idle.all<session::ProcessStart>().size() == 1);
}

TEST_CASE("A child that was forked off and does nothing of its own leaves no record") {
    FakeProgram program("H100", everyLaunch(), true);
    const pid_t child = fork();
    if (child == 0) {
        program.recorder().programEnds();
        _exit(program.records.empty() ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("PTX that is newer than the chip is said once") {
    FakeProgram program("V100", everyLaunch(), true);
    program.kernel.kernelFacts.ptxTarget = 75;
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    const auto notes = program.all<session::Note>();
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].code == "ptx-newer");
    CHECK_THAT(notes[0].text, Catch::Contains("for compute capability 7.5, which a real Tesla V100"));
}

namespace {

/// What the recorder writes of two launches of one kernel whose lines name a file.
std::vector<session::Record> recordsWithLines(bool sources) {
    instrument::stream::CollectOptions options = everyLaunch();
    options.lines = true;
    options.sources = sources;
    std::vector<session::Record> records;
    emulator::runtime::Recorder recorder([&](const session::Record& record) { records.push_back(record); },
                                         options, {});
    FakeKernel kernel;
    kernel.module.functions.emplace_back();
    kernel.functionTexts = {{".entry k() { ret; }", 5, 0}};
    const std::string path = std::filesystem::temp_directory_path() / fmt::format("k{}.cu", getpid());
    std::ofstream(path) << "__global__ void k();\n";
    std::filesystem::last_write_time(path, std::filesystem::last_write_time("/proc/self/exe") -
                                               std::chrono::hours(1));
    for (int i = 0; i < 2; ++i) {
        instrument::collect::LaunchCall call;
        call.function = &kernel;
        const emulator::runtime::Recorder::Plan plan = recorder.begins(call);
        emulator::runtime::Recorder::Ran ran;
        ran.report = emulator::runtime::LaunchReport{};
        ran.lines.resize(1);
        ran.lines[0].file = path;
        ran.lines[0].line = 1;
        ran.kernel = &kernel;
        recorder.ends(plan, kernel.kernelFacts, std::move(ran));
    }
    std::filesystem::remove(path);
    std::erase_if(records, [](const session::Record& record) {
        return std::holds_alternative<session::Progress>(record);
    });
    return records;
}

template <typename... Kinds>
void checkKinds(const std::vector<session::Record>& records) {
    const std::vector<std::size_t> wanted{session::Record(Kinds{}).index()...};
    std::vector<std::size_t> kinds;
    for (const session::Record& record : records)
        kinds.push_back(record.index());
    CHECK(kinds == wanted);
}

} // namespace

TEST_CASE("Source and code come once, before the first lines that name them") {
    using namespace session;
    const auto records = recordsWithLines(true);
    checkKinds<ProcessStart, Device, session::Kernel, Launch, SourceFile, KernelCode, LaunchLines,
               LaunchCounters, Launch, LaunchLines, LaunchCounters>(records);
    REQUIRE(records.size() > 6);
    const auto& lines = std::get<LaunchLines>(records[6]);
    CHECK(std::get<SourceFile>(records[4]).path == lines.lines[0].file);
    CHECK(std::get<SourceFile>(records[4]).text == "__global__ void k();\n");
    const auto& code = std::get<KernelCode>(records[5]);
    CHECK((code.kernel == std::get<session::Kernel>(records[2]).id && code.language == CodeLanguage::Ptx));
    REQUIRE(code.lines.size() == 1);
    CHECK(toString(code.lines[0]) == "5 0 0 .entry k() { ret; }");
}

TEST_CASE("Source stays out of the session when it is not wanted") {
    using namespace session;
    checkKinds<ProcessStart, Device, session::Kernel, Launch, KernelCode, LaunchLines, LaunchCounters, Launch,
               LaunchLines, LaunchCounters>(recordsWithLines(false));
}
