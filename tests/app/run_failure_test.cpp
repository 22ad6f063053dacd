// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// Everything that can go wrong in a run: one clear line, the right exit code, and what finished is kept.
#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace dormer;
using namespace dormer::tests;

namespace {

std::size_t countedIn(const std::string& file) {
    const auto session = store::loadSession(file);
    INFO(file << ": " << (session ? "" : session.error().message));
    REQUIRE(session);
    std::size_t counted = 0;
    for (const session::Launch& launch : session->launches())
        counted += launch.counted;
    return counted;
}

} // namespace

TEST_CASE("without a usable GPU run says what is missing and starts nothing", "[run]") {
    const CommandFolder folder;
    const std::string marker = folder / "started";
    const std::string file = folder / "x.dormer";
    const auto [environment, part] = GENERATE(table<Environment, std::string>({
        {{{"DORMER_TEST_LIBCUDA", "/nonexistent/libcuda.so.1"}},
         "no NVIDIA driver (libcuda.so.1 was not found)"},
        {{{"DORMER_FAKE_CUDA", "no-device"}}, "the NVIDIA driver sees no GPU"},
        {{{"DORMER_FAKE_CUDA", "old"}}, "the NVIDIA driver is too old"},
        {{{"DORMER_FAKE_CUDA", "crash"}}, "crashed with signal 11"},
    }));
    Environment all = environment;
    all.emplace_back("DORMER_FAKE_MARKER", marker);
    const CliResult result = runCli({"run", "--on", "gpu", "-o", file}, all);
    INFO(result.err);
    CHECK(result.exitCode == 3);
    CHECK(result.isOneErrorLine());
    CHECK(holds(result.err, part));
    CHECK(holds(result.err, emulatorBuilt() ? "--on emulator runs the same kernels" : "dormer show FILE"));
    CHECK_FALSE(std::filesystem::exists(marker));
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a device that is not there, and an option that is not for it", "[run]") {
    const CliResult ninth = runCli({"run", "--on", "gpu:9"});
    CHECK(ninth.exitCode == 3);
    CHECK(ninth.isOneErrorLine());
    CHECK(holds(ninth.err, "no gpu:9; this machine has gpu:0 to gpu:1"));
    const CliResult limit = runCli({"run", "--on", "gpu:0", "--time-limit", "3"});
    CHECK(limit.exitCode == 2);
    CHECK(limit.isOneErrorLine());
    CHECK(holds(limit.err, "--time-limit is for the emulator"));
}

TEST_CASE("an unwritable output is refused before the target starts", "[run]") {
    const CommandFolder folder;
    const std::string marker = folder / "started";
    const std::string foreign = folder / "letter.dormer";
    std::ofstream{foreign} << "a letter, not a session\n";
    for (const std::string& file : {folder / "missing/x.dormer", std::string{"/proc/x.dormer"}, foreign}) {
        const CliResult result = runCli({"run", "-o", file}, {{"DORMER_FAKE_MARKER", marker}});
        INFO(result.err);
        CHECK(result.exitCode == 2);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, file));
        CHECK_FALSE(std::filesystem::exists(marker));
    }
    CHECK(readFile(foreign) == "a letter, not a session\n");
}

TEST_CASE("no device and no permission reported by the target are exit code 3", "[run]") {
    const CliResult device = runCli({"run", "--quiet"}, {{"DORMER_FAKE", "no-device"}});
    CHECK(device.exitCode == 3);
    CHECK(holds(device.err, "dormer: the target found no usable device"));
    const CliResult permission = runCli({"run", "--quiet"}, {{"DORMER_FAKE", "permission"}});
    INFO(permission.err);
    CHECK(permission.exitCode == 3);
    CHECK(permission.isOneErrorLine());
    CHECK(holds(permission.err, "no permission for counters on NVIDIA Fake; "));
    CHECK(holds(permission.err, "--set none"));
    CHECK(holds(permission.out, "roofline/scale")); // the timing is shown
    const CliResult held = runCli({"run", "--quiet"}, {{"DORMER_FAKE", "held"}});
    CHECK(held.exitCode == 3);
    CHECK(held.isOneErrorLine());
    CHECK(holds(held.err, "another tool holds the counters of NVIDIA Fake"));
}

TEST_CASE("a target that crashes or is killed leaves a readable file of what finished", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const auto [mode, part, signal] = GENERATE(
        table<std::string, std::string, int>({{"segv", "failed with signal 11 (Segmentation fault)", SIGSEGV},
                                              {"killed", "failed with signal 9 (Killed)", SIGKILL}}));
    const CliResult result = runCli({"run", "--quiet", "-o", file}, {{"DORMER_FAKE", mode}});
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(result.isOneErrorLine());
    CHECK(holds(result.err, part));
    CHECK(holds(result.err, "2 launches saved to " + file));
    CHECK(holds(result.out, "roofline/scale"));
    CHECK(countedIn(file) == 2);
    CHECK(store::loadSession(file)->processes().front().signal == signal);
    CHECK(runCli({"show", file}).exitCode == 0);
}

TEST_CASE("a target that fails is exit code 4 and named with its own", "[run]") {
    const CliResult result = runCli({"run", "--quiet"}, {{"DORMER_FAKE", "exit-7"}});
    CHECK(result.exitCode == 4);
    CHECK(result.isOneErrorLine());
    CHECK(holds(result.err, "failed with exit code 7; 2 launches finished"));
}

TEST_CASE("Ctrl-C stops the target and keeps what finished", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const std::string marker = folder / "started";
    int lines = 0;
    const CliResult result =
        runCli({"run", "--quiet", "--format", "jsonl", "-o", file},
               {{"DORMER_FAKE", "hang"}, {"DORMER_FAKE_MARKER", marker}}, [&](pid_t pid) {
                   if (++lines == 2) kill(pid, SIGINT);
               });
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(result.isOneErrorLine());
    CHECK(holds(result.err, "stopped; 2 launches saved to " + file));
    CHECK(result.seconds < 5);
    CHECK(countedIn(file) == 2);
    const pid_t target = std::stoi(readFile(marker));
    CHECK(kill(target, 0) != 0); // it is gone
}

TEST_CASE("dormer killed outright leaves a readable file of what finished", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const std::string marker = folder / "started";
    int lines = 0;
    const CliResult result =
        runCli({"run", "--quiet", "--format", "jsonl", "-o", file},
               {{"DORMER_FAKE", "hang"}, {"DORMER_FAKE_MARKER", marker}}, [&](pid_t pid) {
                   if (++lines != 2) return;
                   // A finished launch is committed within a second.
                   std::this_thread::sleep_for(std::chrono::milliseconds{1500});
                   kill(pid, SIGKILL);
                   kill(std::stoi(readFile(marker)), SIGKILL); // it would wait for ever
               });
    CHECK(result.signal == SIGKILL);
    CHECK(countedIn(file) == 2);
    CHECK(runCli({"show", file}).exitCode == 0);
}
