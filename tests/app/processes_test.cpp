// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Programs of several processes on the emulator (tests/support/processes): each process that launches is one
// of the session's, and nothing it did is lost.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kProgram = DORMER_PROCESSES "/dormer_processes";
const std::string kSteps = DORMER_PROCESSES "/libdormer_steps.so";

struct Recorded {
    CliResult cli;
    session::Session session;

    /// Launches of each process, in NVTX range "forward" and "backward".
    [[nodiscard]] std::vector<std::pair<int, int>> launches() const {
        std::vector<std::pair<int, int>> all(session.processes().size());
        for (const session::Launch& launch : session.launches()) {
            all[launch.process].first += launch.nvtx == "forward";
            all[launch.process].second += launch.nvtx == "backward";
        }
        std::ranges::sort(all);
        return all;
    }
    [[nodiscard]] std::size_t notes(const std::string& code) const {
        return static_cast<std::size_t>(std::ranges::count(session.notes(), code, &session::Note::code));
    }
};

Recorded profile(std::vector<std::string> command, int exitCode = 0) {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    std::vector<std::string> arguments{"profile", "--on", "emulator", "-o", file, "--"};
    arguments.insert(arguments.end(), command.begin(), command.end());
    Recorded recorded{
        .cli = runCli(arguments, {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}}),
        .session = {}};
    INFO(recorded.cli.err);
    REQUIRE(recorded.cli.exitCode == exitCode);
    auto session = store::loadSession(file);
    REQUIRE(session);
    recorded.session = std::move(*session);
    for (const session::Launch& launch : recorded.session.launches())
        CHECK(launch.counted);
    for (const session::Process& process : recorded.session.processes())
        CHECK(process.pid > 0);
    return recorded;
}

using Launches = std::vector<std::pair<int, int>>;
const std::pair<int, int> kThreeSteps{3, 3};

} // namespace

TEST_CASE("A shell's programs are processes of their own, with their exit codes", "[processes]") {
    const Recorded recorded = profile({"bash", "-c", kProgram + " steps; " + kProgram + " steps 7; exit 0"});
    CHECK(recorded.launches() == Launches(2, kThreeSteps));
    CHECK(recorded.session.processes()[0].exitCode == 0);
    CHECK(recorded.session.processes()[1].exitCode == 7);
    CHECK(recorded.session.notes().empty());
    CHECK(recorded.session.devices().size() == 1);
}

TEST_CASE("Programs that run at once don't mix", "[processes]") {
    std::string command;
    for (int i = 0; i < 20; ++i)
        command += kProgram + " steps & ";
    const Recorded recorded = profile({"bash", "-c", command + "wait"});
    CHECK(recorded.launches() == Launches(20, kThreeSteps));
    CHECK(recorded.session.notes().empty());
}

TEST_CASE("Children of fork() are processes of their own", "[processes]") {
    const Recorded before = profile({kProgram, "fork-before", "3"});
    CHECK(before.launches() == Launches(4, kThreeSteps));
    CHECK(before.session.notes().empty());
    const Recorded after = profile({kProgram, "fork-after", "3"});
    CHECK(after.launches() == Launches{{3, 3}, {3, 3}, {3, 3}, {6, 6}});
    CHECK(after.session.notes().empty());
    for (const session::Process& process : after.session.processes())
        CHECK(process.exitCode == 0);
}

TEST_CASE("A program that another one becomes or starts is a process of its own", "[processes]") {
    for (const char* mode : {"exec", "spawn"}) {
        INFO(mode);
        const Recorded recorded = profile({kProgram, mode});
        CHECK(recorded.launches() == Launches(2, kThreeSteps));
        CHECK(recorded.session.notes().empty());
    }
}

TEST_CASE("A process that ends without a word is named", "[processes]") {
    const Recorded recorded = profile({kProgram, "abrupt"});
    CHECK(recorded.launches() == Launches(2, kThreeSteps));
    CHECK(recorded.notes("no-farewell") == 1);
}

TEST_CASE("A process that can't connect is named in the session", "[processes]") {
    const Recorded recorded = profile({kProgram, "no-descriptors"});
    CHECK(recorded.launches() == Launches{kThreeSteps});
    REQUIRE(recorded.notes("process-unrecorded") == 1);
    const auto note = std::ranges::find(recorded.session.notes(), "process-unrecorded", &session::Note::code);
    CHECK(holds(note->text, "dormer_processes"));
    CHECK(holds(note->text, "Too many open files"));
    CHECK(holds(recorded.cli.err, note->text));
}

TEST_CASE("What a program left running is waited for when it uses CUDA", "[processes]") {
    const Recorded recorded = profile({kProgram, "background"});
    CHECK(recorded.launches() == Launches(2, kThreeSteps));
    CHECK(recorded.session.notes().empty());
    const Recorded idle = profile({kProgram, "idle-child"});
    CHECK(idle.launches() == Launches(1, kThreeSteps));
}

TEST_CASE("A program that closes all descriptors goes on in its stream", "[processes]") {
    const Recorded recorded = profile({kProgram, "close-all"});
    CHECK(recorded.launches() == Launches{{6, 6}});
}

TEST_CASE("The filter --kernels holds in every process", "[processes]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult cli = runCli({"profile", "--on", "emulator", "--kernels", "addOne", "-o", file, "--",
                                  kProgram, "fork-after", "2"});
    CHECK(cli.exitCode == 0);
    const auto session = store::loadSession(file);
    REQUIRE(session);
    CHECK(session->launches().size() == 24);
    for (const session::Launch& launch : session->launches())
        CHECK(launch.counted);
}

TEST_CASE("Python's worker processes are complete, ten times of ten", "[processes]") {
    const std::string script = DORMER_SOURCE_DIR "/tests/support/processes/workers.py";
    for (int run = 0; run < 10; ++run) {
        INFO("run " << run);
        CHECK(profile({"python3", script, kSteps, "2", "spawn"}).launches() == Launches(3, kThreeSteps));
    }
    CHECK(profile({"python3", script, kSteps, "2", "fork"}).launches() == Launches(3, kThreeSteps));
}

#ifdef DORMER_MPI_PROGRAM
TEST_CASE("MPI ranks are complete, ten times of ten", "[processes]") {
    for (int run = 0; run < 10; ++run) {
        INFO("run " << run);
        CHECK(profile({"mpirun", "--oversubscribe", "-n", "3", DORMER_MPI_PROGRAM}).launches() ==
              Launches(3, kThreeSteps));
    }
}
#endif

TEST_CASE("dormer show tells processes apart", "[processes]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    REQUIRE(runCli({"profile", "--on", "emulator", "-o", file, "--", "bash", "-c",
                    kProgram + " steps; " + kProgram + " steps 7; exit 0"})
                .exitCode == 0);
    CHECK(holds(runCli({"show", file}).out, "12 launches of 2 processes, "));
    const std::string grouped = runCli({"show", file, "--group", "process"}).out;
    CHECK(holds(grouped, "(dormer_processes), exit code 0\n"));
    CHECK(holds(grouped, "(dormer_processes), exit code 7\n"));
    CHECK(grouped.find("6 launches, ") != grouped.rfind("6 launches, "));
    const std::string streams = runCli({"show", file, "--group", "stream"}).out;
    CHECK(holds(streams, ", stream "));
    CHECK(streams.find("6 launches, ") != streams.rfind("6 launches, ")); // each process numbers its own
    CHECK(holds(runCli({"show", file, "--group", "nvtx"}).out, "(no NVTX range)\n"));
    const auto document = nlohmann::json::parse(runCli({"show", file, "--format", "json"}).out);
    for (const auto& launch : document.at("launches")) {
        const auto& process =
            document.at("session").at("processes").at(launch.at("process").get<std::size_t>());
        CHECK(launch.at("pid") == process.at("pid"));
        CHECK(launch.at("program") == kProgram);
    }
}
