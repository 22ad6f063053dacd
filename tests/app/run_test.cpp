// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "instrument/stream/collect_options.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

using namespace dormer;
using namespace dormer::tests;

namespace {

Environment fake(const std::string& mode) {
    return {{"DORMER_FAKE", mode}};
}

std::vector<nlohmann::json> jsonLines(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);)
        lines.push_back(nlohmann::json::parse(line));
    return lines;
}

std::string noteOf(const session::Session& session, const std::string& code) {
    for (const session::Note& note : session.notes())
        if (note.code == code) return note.text;
    return "(none)";
}

} // namespace

TEST_CASE("run prints a table, keeps the session and says so", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = runCli({"run", "-o", file});
    INFO(result.err);
    CHECK(result.exitCode == 0);
    CHECK(holds(result.out, "roofline/scale"));
    // Recommendations stand last, where a terminal shows them.
    const std::size_t toDo =
        result.out.find("ecommendations"); // "Recommendations, …", "No recommendations: …"
    REQUIRE(toDo != std::string::npos);
    CHECK(toDo > result.out.find("roofline/scale"));
    // Device, passes before the run; what was kept after it.
    CHECK(holds(result.err, "3 workloads on NVIDIA Fake H100 (gpu:0), counter set 'memory': an "
                            "uninstrumented run and at most "));
    CHECK(holds(result.err, "2 launches saved to " + file));
    const auto session = store::loadSession(file);
    REQUIRE(session);
    CHECK(session->launches().size() == 2);
    CHECK(session->processes().front().exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(file + "-wal"));
}

TEST_CASE("jsonl lines come as launches complete, not at the end", "[run]") {
    const CliResult result = runCli({"run", "--format", "jsonl"}, fake("slow"));
    CHECK(result.exitCode == 0);
    const auto lines = jsonLines(result.out);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].at("workload") == "roofline/scale");
    CHECK(lines[0].at("counters").at("dram__bytes_read.sum") == 1.34e8);
    // The fake sleeps 100 ms after each of its launches.
    REQUIRE(result.outLineAt.size() == 5);
    for (std::size_t i = 1; i < 5; ++i)
        CHECK(result.outLineAt[i] - result.outLineAt[i - 1] > 0.05);
    CHECK(result.seconds - result.outLineAt[0] > 0.4);
}

TEST_CASE("with --lines each launch has its lines, live and kept", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = runCli({"run", "--lines", "--format", "jsonl", "-o", file}, fake("lines"));
    INFO(result.err);
    CHECK(result.exitCode == 0);
    const auto lines = jsonLines(result.out);
    REQUIRE(lines.size() == 2);
    for (const auto& launch : lines) {
        CHECK(launch.at("counters").size() == 1);
        CHECK(launch.at("lines").at(0).at("file") == "scale.cu");
    }
    const auto session = store::loadSession(file);
    REQUIRE(session);
    CHECK(session->lines(session::LaunchIndex{1}).size() == 1);
    const CliResult without = runCli({"run", "--format", "jsonl"}, fake("lines"));
    CHECK_FALSE(jsonLines(without.out).at(0).contains("lines"));
}

TEST_CASE("Option --lines reaches the collector", "[run]") {
    const CommandFolder folder;
    for (const bool wanted : {true, false}) {
        const std::string file = folder / "x.dormer";
        std::vector<std::string> arguments{"run", "-o", file};
        if (wanted) arguments.emplace_back("--lines");
        REQUIRE(runCli(arguments, fake("report-surroundings")).exitCode == 0);
        const auto session = store::loadSession(file);
        REQUIRE(session);
        const auto options = instrument::stream::collectOptionsFromJson(noteOf(*session, "DORMER_OPTIONS"));
        REQUIRE(options);
        CHECK(options->lines == wanted);
    }
}

TEST_CASE("quiet says nothing, json is one document", "[run]") {
    const CliResult result = runCli({"run", "--quiet", "--format", "json"}, fake("garbage"));
    CHECK(result.exitCode == 0);
    CHECK(result.err.empty());
    CHECK(nlohmann::json::parse(result.out).at("launches").size() == 3);
}

TEST_CASE("the target's own stdout does not mix with results", "[run]") {
    const CliResult result = runCli({"run", "--format", "json"}, fake("flood"));
    CHECK(result.exitCode == 0);
    CHECK(nlohmann::json::parse(result.out).at("launches").size() == 2);
    CHECK(result.err.size() > 3000000);
}

TEST_CASE("workloads, options and parameters reach the target", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result =
        runCli({"run",    "transpose/*", "--on",     "gpu:1",     "--set",  "live",   "--launches",
                "2",      "--cache",     "keep",     "--kernels", "tile.*", "--nvtx", "a*",
                "--size", "4096",        "--repeat", "3",         "-o",     file},
               fake("report-surroundings"));
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const auto session = store::loadSession(file);
    REQUIRE(session);
    CHECK(noteOf(*session, "arguments") ==
          "transpose/tiled transpose/tiled_padded --device 1 --size 4096 --sizes gpu --repeat 3");
    const auto options = instrument::stream::collectOptionsFromJson(noteOf(*session, "DORMER_OPTIONS"));
    REQUIRE(options);
    CHECK(options->counterSet == "live");
    CHECK(options->launches == 2);
    CHECK_FALSE(options->flushCaches);
    CHECK(options->kernels == "tile.*");
    CHECK(options->nvtx == "a*");
    CHECK(options->device == 1);
    CHECK(noteOf(*session, "CUDA_INJECTION64_PATH") == DORMER_FAKE_HOME "/bin/libdormer-inject.so");
}

TEST_CASE("without a GPU, and nothing said, the emulator takes over and says so", "[run]") {
    if (!emulatorBuilt()) return;
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    Environment environment = fake("report-surroundings");
    environment.emplace_back("DORMER_TEST_LIBCUDA", "/nonexistent/libcuda.so.1");
    const CliResult result = runCli({"run", "transpose/tiled", "-o", file}, environment);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    CHECK(holds(result.err, "no usable GPU (no NVIDIA driver (libcuda.so.1 was not found)): emulating H100"));
    CHECK(holds(result.err,
                "1 workload on NVIDIA H100 80GB HBM3 (emulated), counter set 'memory' in one pass"));
    const auto session = store::loadSession(file);
    REQUIRE(session);
    CHECK(noteOf(*session, "DORMER_COLLECTOR") == DORMER_BIN_DIR "/emulator/libcudart.so.13");
    CHECK(noteOf(*session, "CUDA_INJECTION64_PATH") == "(unset)");
    CHECK(noteOf(*session, "arguments") == "transpose/tiled --device 0 --sizes emulator --repeat 1");
    const auto options = instrument::stream::collectOptionsFromJson(noteOf(*session, "DORMER_OPTIONS"));
    REQUIRE(options);
    CHECK(options->chip == "H100");
    CHECK_FALSE(options->everyLaunch); // the suite says itself where its passes are
}

TEST_CASE("verify prints each known answer and fails when one broke", "[run]") {
    const CliResult held = runCli({"run", "--verify"}, fake("answers"));
    INFO(held.out << held.err);
    CHECK(held.exitCode == 0);
    CHECK(holds(held.out, "PASS  roofline/scale"));
    CHECK_FALSE(holds(held.out, "FAIL"));
    const CliResult broken = runCli({"run", "--verify", "--quiet"}, fake("broken-answer"));
    CHECK(broken.exitCode == 1);
    CHECK(holds(broken.out, "FAIL  roofline/scale"));
    CHECK(broken.isOneErrorLine());
    const CliResult nothing = runCli({"run", "--verify", "--quiet"}, fake("normal"));
    CHECK(nothing.exitCode == 1); // no answer is no success
}

TEST_CASE("a wrong result is exit code 1 with and without --verify", "[run]") {
    const CliResult plain = runCli({"run", "--quiet"}, fake("wrong-result"));
    CHECK(plain.exitCode == 1);
    CHECK(plain.isOneErrorLine());
    CHECK(holds(plain.err, "element 5 is 1, not 3"));
    CHECK(runCli({"run", "--quiet", "--verify"}, fake("wrong-result")).exitCode == 1);
}

TEST_CASE("nothing profiled says what was seen and what turned it away", "[run]") {
    const CliResult filtered = runCli({"run", "--kernels", "foo"}, fake("filtered"));
    CHECK(filtered.exitCode == 2);
    CHECK(holds(filtered.err, "no kernels were profiled: 2 launches seen, none counted"));
    CHECK(holds(filtered.err, "2 x scaleKernel of roofline/scale"));
    CHECK(holds(filtered.err, "its name does not match --kernels foo"));
    CHECK(holds(filtered.err, "(process "));
    const CliResult nothing = runCli({"run", "--quiet"}, fake("no-launch"));
    CHECK(nothing.exitCode == 4);
    CHECK(nothing.isOneErrorLine());
    CHECK(holds(nothing.err, "no kernels were profiled"));
}

TEST_CASE("profile shows the kernels that take most time while the program runs", "[run]") {
    // Two processes of the program, the second when a table is due.
    const std::string target = DORMER_FAKE_HOME "/bin/dormer-workloads";
    const auto profile = [&](const std::string& pause) {
        return std::vector<std::string>{
            "profile",    "--on", "gpu", "--set", "memory",
            "--progress", "--",   "sh",  "-c",    target + "; sleep " + pause + "; " + target};
    };
    const CliResult piped = runCli(profile("2.1"), fake("slow"));
    INFO(piped.err);
    CHECK(holds(piped.err, " launches of 2 processes, "));
    CHECK(holds(piped.err, "100 % "));
    CHECK_FALSE(holds(piped.err, "\x1b"));
    const CliResult quick = runCli(profile("0"), fake("slow"));
    CHECK_FALSE(holds(quick.err, "100 % "));
}

TEST_CASE("bad lines are dropped with one note", "[run]") {
    const CliResult result = runCli({"run"}, fake("garbage"));
    CHECK(result.exitCode == 0);
    CHECK(holds(result.err, "note: 4 lines from process "));
    CHECK(holds(result.err, "could not be read and were dropped; the first: "));
}

TEST_CASE("progress tells pass, launch and time left, when asked or on a terminal", "[run]") {
    const CliResult asked = runCli({"run", "roofline/scale", "--progress"}, fake("slow"));
    INFO(asked.err);
    CHECK(asked.exitCode == 0);
    CHECK(holds(asked.err, "counting roofline/scale: pass 2 of 4, launch 1 of 5, about 3 s left\n"));
    CHECK_FALSE(holds(asked.err, "\x1b")); // no terminal, no cursor movements
    // The estimate comes once, and without asking.
    const CliResult plain = runCli({"run", "roofline/scale"}, fake("slow"));
    CHECK(holds(plain.err, "dormer: 4 replay passes, about 3 s in total\n"));
    CHECK_FALSE(holds(plain.err, "launch 1 of 5"));
    CHECK(runCli({"run", "roofline/scale", "--progress", "--quiet"}, fake("slow")).err.empty());
}
