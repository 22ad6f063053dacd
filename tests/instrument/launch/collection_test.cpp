// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/collection.h"

#include "instrument/launch/suite_target.h"
#include "instrument/launch/target_problem.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::instrument::launch;

namespace {

Installation complete() {
    Installation installation;
    installation.workloads = "/opt/bin/dormer-workloads";
    installation.collector = "/opt/bin/libdormer-inject.so";
    installation.emulator = "/opt/bin/emulator/libcudart.so.13";
    return installation;
}

bool has(const Target& target, const std::string& option, const std::string& value) {
    const auto found = std::ranges::find(target.arguments, option);
    return found != target.arguments.end() && std::next(found) != target.arguments.end() &&
           *std::next(found) == value;
}

} // namespace

TEST_CASE("a person is told each note once, and of a flood only that it goes on", "[collection]") {
    session::Session session;
    NoteFeed feed(true), quiet(false);
    session.apply(session::Note{0, "clocks", "clocks were not locked"});
    session.apply(session::Note{0, "emulator-limit", "no textures here"});
    session.apply(session::Note{0, "clocks", "clocks were not locked"});
    CHECK(feed.fresh(session) == std::vector<std::string>{"clocks were not locked"}); // stderr has the other
    CHECK(quiet.fresh(session) == std::vector<std::string>{"clocks were not locked", "no textures here"});
    CHECK(feed.fresh(session).empty());
    for (int i = 0; i < 100; ++i)
        session.apply(session::Note{0, "flood", "note " + std::to_string(i)});
    const std::vector<std::string> flood = feed.fresh(session);
    REQUIRE(flood.size() == NoteFeed::kMostNotes);
    CHECK(flood.back() == "more notes follow; they are not shown here");
}

TEST_CASE("records are in the file, and the end is told, when the target is gone", "[collection]") {
    const tests::TemporaryFolder folder;
    const auto path = folder / "run.dormer";
    auto writer = store::SessionWriter::create(path);
    REQUIRE(writer);
    Target target;
    target.program = "/bin/false";
    std::atomic<bool> stop{false};
    session::Session session;
    const auto end = runCollection(
        target, std::move(*writer),
        [&](const session::Record& record, std::uint32_t process) { session.apply(record, process); }, stop);
    REQUIRE(end);
    CHECK_FALSE(end->unwritten);
    CHECK(end->target.exitCode == 1);
    const auto problem = targetProblem(target, end->target, session, "nothing is kept");
    REQUIRE(problem);
    CHECK(problem->kind == ErrorKind::Target);
    CHECK(problem->message == "the target failed with exit code 1; nothing is kept");
    CHECK(store::loadSession(path));
}

TEST_CASE("Exit codes of a program that is not the suite are its own", "[collection]") {
    TargetEnd end;
    Target shell;
    shell.program = "/bin/sh";
    for (const int code : {1, 2, 3, 4, 5, 77}) {
        end.exitCode = code;
        const auto problem = targetProblem(shell, end, {}, "nothing is kept");
        REQUIRE(problem);
        CHECK(problem->kind == ErrorKind::Target);
        CHECK(problem->message ==
              "the target failed with exit code " + std::to_string(code) + "; nothing is kept");
    }
}

TEST_CASE("GPUs come before chips, and one that does not work is not among them", "[collection]") {
    GpuStatus status;
    status.devices.resize(2);
    status.devices[1].id = 1;
    status.devices[1].name = "NVIDIA H100";
    const auto all = devicesToChoose(status, complete());
    REQUIRE(all.size() == 2 + device::chips().size());
    CHECK(all[1].name == "NVIDIA H100");
    CHECK(all[1].chip == nullptr);
    CHECK(all[2].chip == &device::chips().front());
    CHECK(devicesToChoose(status, {}).size() == 2);
    status.problem = "the driver is too old";
    CHECK(devicesToChoose(status, {}).empty());
}

TEST_CASE("the suite runs on what was chosen", "[collection]") {
    const SuiteRun run{{"transpose/tiled"}, 4096, {}};
    const auto gpu = suiteTarget(run, {}, {.id = 1, .name = "NVIDIA H100"}, complete());
    REQUIRE(gpu);
    CHECK(gpu->collector == complete().collector);
    CHECK(gpu->emulator.empty());
    CHECK(gpu->options.device == 1);
    CHECK(gpu->arguments.front() == "transpose/tiled");
    CHECK(has(*gpu, "--device", "1"));
    CHECK(has(*gpu, "--size", "4096"));
    CHECK(has(*gpu, "--sizes", "gpu"));
    CHECK(std::ranges::find(gpu->arguments, "--repeat") == gpu->arguments.end());

    const device::Chip& chip = device::chips().front();
    const auto emulated = suiteTarget(run, {}, {.name = chip.device.name, .chip = &chip}, complete());
    REQUIRE(emulated);
    CHECK(emulated->collector.empty());
    CHECK(emulated->emulator == complete().emulator);
    CHECK(emulated->options.chip == chip.key);
    CHECK(has(*emulated, "--sizes", "emulator"));
    CHECK(has(*emulated, "--repeat", "1"));

    Installation uncollected = complete();
    uncollected.collector.clear();
    const auto missing = suiteTarget(run, {}, {.id = 0, .name = "NVIDIA H100"}, uncollected);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().kind == ErrorKind::Device);
}
