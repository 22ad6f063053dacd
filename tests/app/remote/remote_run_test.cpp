// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// `--on ssh:HOST` over a real OpenSSH server on loopback.
#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"
#include "tests/support/ssh_server.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <thread>

using namespace dormer;
using namespace dormer::tests;

namespace {

using namespace std::chrono_literals;

bool canRun() {
    if (SshServer::available()) return true;
    std::cout << "skipped: no OpenSSH server here (openssh-server)\n";
    return false;
}

/// The dormer over there, with a fake suite that behaves like this.
std::string fakes(const SshServer& there, const std::string& mode, const std::string& marker = {}) {
    return there.dormer({{"DORMER_HOME", DORMER_FAKE_HOME},
                         {"DORMER_FAKE", mode},
                         {"DORMER_FAKE_MARKER", marker.empty() ? "/dev/null" : marker}});
}

std::vector<std::string> runThere(const std::string& dormer, const std::vector<std::string>& more = {},
                                  const std::string& host = "there") {
    std::vector<std::string> words{"run", "--on", "ssh:" + host + "/gpu:0", "--remote-dormer", dormer};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

nlohmann::json launchesOf(const std::string& text) {
    nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return text;
    for (nlohmann::json& launch : json["launches"])
        launch.erase("pid"); // each run has its own
    return json["launches"];
}

std::string note(const session::Session& session, const std::string& code) {
    for (const session::Note& each : session.notes())
        if (each.code == code) return each.text;
    return "(none)";
}

bool eventually(const std::function<bool()>& condition) {
    for (int i = 0; i < 1000 && !condition(); ++i)
        std::this_thread::sleep_for(20ms);
    return condition();
}

/// Whether the process whose number the fake wrote down is gone.
bool isGone(const std::string& marker) {
    std::ifstream file(marker);
    pid_t pid = 0;
    return file >> pid && kill(pid, 0) != 0;
}

} // namespace

TEST_CASE("a run on another machine gives what a run here gives", "[remote]") {
    if (!canRun()) return;
    const SshServer there;
    const CommandFolder folder;
    const CliResult here = runCli({"run", "--on", "gpu:0", "--format", "json"}, {{"DORMER_FAKE", "answers"}});
    const CliResult far = runCli(
        runThere(fakes(there, "answers"), {"--format", "json", "--verify", "-o", folder / "far.dormer"}));
    INFO(far.err);
    CHECK(far.exitCode == 0);
    REQUIRE(launchesOf(here.out).size() == 2);
    CHECK(launchesOf(far.out) == launchesOf(here.out));
    CHECK(holds(far.err, "all 2 expected values passed"));
    const auto session = store::loadSession(folder / "far.dormer");
    REQUIRE(session);
    CHECK(session->launches().size() == 2);
}

TEST_CASE("options and arguments arrive as they were typed", "[remote]") {
    if (!canRun()) return;
    const SshServer there;
    const CommandFolder folder;
    const std::string program = (there.folder() / "a program's name").string();
    std::filesystem::create_symlink(DORMER_FAKE_HOME "/bin/dormer-workloads", program);
    const CliResult result =
        runCli({"profile", "--on", "ssh:there/gpu:0", "--remote-dormer", fakes(there, "report-surroundings"),
                "--set", "memory", "--kernels", "scale|it's \"$HOME\"", "-o", folder / "x.dormer", "--",
                program, "two words", "$HOME", "a'b\"c", "*", "--on", ""});
    INFO(result.err);
    CHECK(result.exitCode == 0);
    const auto session = store::loadSession(folder / "x.dormer");
    REQUIRE(session);
    CHECK(note(*session, "arguments") == "two words $HOME a'b\"c * --on ");
    const nlohmann::json options = nlohmann::json::parse(note(*session, "DORMER_OPTIONS"));
    CHECK(options["kernels"] == "scale|it's \"$HOME\"");
    CHECK(options["set"] == "memory");
}

TEST_CASE("a stop ends the run over there and keeps what finished", "[remote]") {
    if (!canRun()) return;
    const SshServer there;
    const CommandFolder folder;
    const std::string marker = folder / "pid";
    const CliResult result =
        runCli(runThere(fakes(there, "hang", marker), {"--format", "jsonl", "-o", folder / "x.dormer"}), {},
               [](pid_t dormer) { kill(dormer, SIGINT); });
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(holds(result.err, "stopped; "));
    const auto session = store::loadSession(folder / "x.dormer");
    REQUIRE(session);
    CHECK(session->launches().size() == 2);
    CHECK(eventually([&] { return isGone(marker); }));
    CHECK(eventually([&] { return there.connections() == 0; }));
}

TEST_CASE("a connection that breaks keeps what came and ends the run over there", "[remote]") {
    if (!canRun()) return;
    const SshServer there;
    const CommandFolder folder;
    const std::string marker = folder / "pid";
    int lines = 0;
    const CliResult result =
        runCli(runThere(fakes(there, "hang", marker), {"--format", "jsonl", "-o", folder / "x.dormer"}), {},
               [&](pid_t) {
                   if (++lines == 2) there.cutConnections();
               });
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(holds(result.err, "the connection to there was lost"));
    CHECK(holds(result.err, "run again when the machine can be reached"));
    const auto session = store::loadSession(folder / "x.dormer");
    REQUIRE(session);
    CHECK(session->launches().size() == 2);
    CHECK(holds(note(*session, "connection-lost"), "is not in this session"));
    CHECK(eventually([&] { return isGone(marker); }));
}

TEST_CASE("a dormer that is killed here leaves nothing running over there", "[remote]") {
    if (!canRun()) return;
    const SshServer there;
    const CommandFolder folder;
    const std::string marker = folder / "pid";
    const CliResult result = runCli(runThere(fakes(there, "hang", marker), {"--format", "jsonl"}), {},
                                    [](pid_t dormer) { kill(dormer, SIGKILL); });
    CHECK(result.signal == SIGKILL);
    CHECK(eventually([&] { return isGone(marker); }));
}

TEST_CASE("what can't be run over there is one clear line", "[remote]") {
    if (!canRun()) return;
    const SshServer there;
    const CommandFolder folder;
    const auto script = [&](const std::string& name, const std::string& text, bool executable = true) {
        const std::string path = (there.folder() / name).string();
        std::ofstream(path) << "#!/bin/sh\n" << text;
        if (executable) std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    };
    const std::string good = fakes(there, "normal");
    const std::string future = script(
        "future", "echo '{\"record\":\"joined_start\",\"schema\":99,\"tool_version\":\"9.1\"}'; cat\n");
    const std::string past =
        script("past", "echo 'dormer: The following argument was not expected: --stream=-' >&2; exit 2\n");
    const std::string plain = script("plain", "exit 0\n", false);
    using Words = std::vector<std::string>;
    const std::vector<std::tuple<std::string, std::string, Words, int, std::string>> cases{
        {"nowhere.invalid", good, {}, 3, "nowhere.invalid: ssh knows no such host"},
        {"stranger",
         good,
         {},
         3,
         "stranger: its host key is unknown or has changed; run 'ssh stranger' once"},
        {"locked", good, {}, 3, "locked: ssh was refused"},
        {"asleep", good, {}, 3, "asleep can't be reached: "},
        {"there", "/no/such/dormer", {}, 3, "there: there is no '/no/such/dormer'"},
        {"there", plain, {}, 3, "can't be executed there"},
        {"there", future, {}, 3, "the dormer there is 9.1, this one is "},
        {"there", past, {}, 3, "does not understand this one"},
        {"there", good, {"transpose/tield"}, 2, "there: no workload matches 'transpose/tield'; did you mean"},
        {"there", good, {"--time-limit", "3"}, 2, "there: "},
        {"-oProxyCommand=x", good, {}, 2, "is no name of a host"},
    };
    for (const auto& [host, dormer, more, code, part] : cases) {
        Words words = more;
        words.insert(words.end(), {"--quiet", "-o", folder / "x.dormer"});
        const CliResult result = runCli(runThere(dormer, words, host));
        INFO(host << ' ' << dormer << '\n' << result.err);
        CHECK(result.exitCode == code);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, part));
        CHECK(result.out.empty());
    }
}

TEST_CASE("the emulator is chosen aloud, and what the program there prints is seen", "[remote]") {
    if (!canRun() || !emulatorBuilt()) return;
    const SshServer there;
    const std::string dormer = there.dormer(
        {{"DORMER_HOME", DORMER_FAKE_HOME}, {"DORMER_TEST_LIBCUDA", "/nonexistent/libcuda.so.1"}});
    const std::string program = (there.folder() / "shouts").string();
    std::ofstream(program) << "#!/bin/sh\necho out loud\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const CliResult result =
        runCli({"profile", "--on", "ssh:there", "--remote-dormer", dormer, "--", program});
    INFO(result.err);
    CHECK(holds(result.err, "no usable GPU"));
    CHECK(holds(result.err, "out loud"));
    CHECK_FALSE(holds(result.out, "out loud"));
}

TEST_CASE("what another machine has to run on is listed as --on names it", "[remote]") {
    const CliResult table = runCli({"list", "--devices"});
    INFO(table.err);
    CHECK(table.exitCode == 0);
    CHECK(table.out.starts_with("gpu:0"));
    const nlohmann::json json = nlohmann::json::parse(runCli({"list", "--devices", "--format", "json"}).out);
    CHECK(json["devices"][0]["on"] == "gpu:0");
    CHECK(json["devices"][1]["on"] == "gpu:1");
    CHECK(json["problem"].is_null());
    CHECK_FALSE(json["version"].get<std::string>().empty());
}
