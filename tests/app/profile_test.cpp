// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Whole runs of a program with kernels of its own, CUB and Thrust (tests/support/sample_program.cu) on the
// emulator.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kSample = DORMER_CUDA_PROGRAMS "/dormer_sample_shared";

session::LaunchIndex launchOf(const session::Session& session, const std::string& kernel) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (session.kernelOf(session::LaunchIndex{i}).name.find(kernel) != std::string::npos)
            return session::LaunchIndex{i};
    FAIL("no launch of " + kernel);
    return session::LaunchIndex{0};
}

} // namespace

TEST_CASE("A program nobody prepared runs on the emulator with right results, counters and lines",
          "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = runCli({"profile", "--on", "emulator", "--lines", "-o", file, "--", kSample});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    CHECK(holds(result.err, "all results are right"));
    CHECK(holds(result.err, "(emulated)"));
    CHECK(holds(result.out, "emulated"));
    const auto session = store::loadSession(file);
    REQUIRE(session);
    REQUIRE(session->processes().size() == 1);
    CHECK(session->processes()[0].origin == session::Origin::Emulated);
    CHECK(session->processes()[0].exitCode == 0);
    CHECK(session->devices().at(0).computeCapabilityMajor == 9);
    CHECK(session->launches().size() >= 6);
    for (const session::Launch& launch : session->launches()) {
        CHECK(launch.counted);
        CHECK(launch.durationNs.value_or(0) > 0);
    }
    // 16 blocks of 8 warps read and write 4 bytes per lane; the other kernel's lanes are 128 bytes apart.
    const auto counter = [&](const char* kernel, const char* name) {
        return session->counter(launchOf(*session, kernel), name);
    };
    const char* loads = "smsp__sass_inst_executed_op_global_ld.sum";
    const char* sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";
    CHECK(counter("scale(", loads) == 16 * 8);
    CHECK(counter("scale(", sectors) == 16 * 8 * 4);
    CHECK(counter("strided(", sectors) == 32);

    const CliResult shown = runCli({"show", file, "--format", "json", "--lines", "--kernel", "strided"});
    const auto launches = nlohmann::json::parse(shown.out).at("launches");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].at("origin") == "emulated");
    const auto& lines = launches[0].at("lines");
    const auto load = std::ranges::find_if(
        lines, [](const auto& line) { return line.at("op") == "load" && line.at("space") == "global"; });
    REQUIRE(load != lines.end());
    CHECK(load->at("file").get<std::string>().ends_with("sample_program.cu"));
    CHECK(load->at("sectors") == 32);
    CHECK(load->at("sectors_ideal") == 4);
}

TEST_CASE("Other chips are other devices", "[profile]") {
    const CliResult result =
        runCli({"profile", "--on", "emulator:a100", "--quiet", "--format", "json", "--", kSample});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const auto device = nlohmann::json::parse(result.out).at("devices").at(0);
    CHECK(device.at("sm_count") == 108);
    CHECK(holds(device.at("name"), "A100"));
}

TEST_CASE("What goes wrong in a program is what CUDA reports, and one line with the place", "[profile]") {
    const auto [mode, error, line] = GENERATE(table<std::string, std::string, std::string>({
        {"past-the-end", "launch: cudaErrorIllegalAddress", "sample_program.cu:"},
        {"assert", "launch: cudaErrorAssert", "assertion `values[threadIdx.x] == 0` failed"},
        {"endless", "synchronize: cudaErrorLaunchTimeout",
         "given up after 0.2 s without progress (--time-limit)"},
        {"too-many-threads", "launch: cudaErrorInvalidConfiguration", "a block of 2048 x 1 x 1 threads"},
        {"ipc", "ipc: cudaErrorNotSupported", "the emulator does not support cudaIpcGetMemHandle"},
    }));
    CAPTURE(mode);
    const CliResult result =
        runCli({"profile", "--on", "emulator", "--time-limit", "0.2", "--", kSample, mode});
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(holds(result.err, error));
    CHECK(holds(result.err, line));
    // Said by the program, and not again as a note.
    CHECK(result.err.find("note: ") == std::string::npos);
}

TEST_CASE("Launches of two streams that wait for each other end, and both are recorded", "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "meet.dormer";
    const CliResult result =
        runCli({"profile", "--on", "emulator", "--quiet", "-o", file, "--", kSample, "meet"});
    INFO(result.err << result.out);
    CHECK(result.exitCode == 0);
    const auto session = store::loadSession(file);
    REQUIRE(session);
    REQUIRE(session->launches().size() == 2);
    CHECK(session->launches()[0].stream != session->launches()[1].stream);
    for (const session::Launch& launch : session->launches())
        CHECK(launch.counted);
}

TEST_CASE("What can't be emulated is refused with the remedy", "[profile]") {
    const auto refused = [](const std::string& program, int exitCode, const std::string& part) {
        const CliResult result = runCli({"profile", "--on", "emulator", "--quiet", "--", program});
        INFO(result.err);
        CHECK(result.exitCode == exitCode);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, part));
    };
    refused(DORMER_CUDA_PROGRAMS "/dormer_sample_static", 4, "build it with nvcc -cudart shared");
    refused("/bin/true", 4, "did not call libcudart.so.13");
    refused("/no/such/program", 4, "no such file");
}

TEST_CASE("On a GPU programs are sampled unless counters, lines or stalls are requested", "[profile]") {
    // The GPU is a fake one: the program finds no driver, and says so.
    const CliResult gpu = runCli({"profile", "--on", "gpu", "--", kSample});
    INFO(gpu.err);
    CHECK(gpu.exitCode == 4);
    CHECK(holds(gpu.err, "NVIDIA Fake H100 (gpu:0), sampled at the program's own speed"));
    CHECK(holds(gpu.err, "the target failed with exit code 1; no launch had finished"));
    const CliResult counted = runCli({"profile", "--on", "gpu", "--set", "memory", "--", kSample});
    CHECK(holds(counted.err, "counter set 'memory' in at most 5 passes, 1 of each kernel and configuration"));
    const CliResult lines = runCli({"profile", "--on", "gpu", "--lines", "--", kSample});
    CHECK(holds(lines.err, "counter set 'memory'"));
    const CliResult stalls = runCli({"profile", "--on", "gpu", "--stalls", "--", kSample});
    CHECK(holds(stalls.err, "warps sampled at the program's own speed"));
    // What disturbs each other is refused in a line that says so.
    for (const std::vector<std::string>& both : {std::vector<std::string>{"--lines", "--set", "sampled"},
                                                 {"--stalls", "--set", "memory"},
                                                 {"--stalls", "--set", "sampled"},
                                                 {"--stalls", "--lines"}}) {
        std::vector<std::string> arguments{"profile", "--on", "gpu"};
        arguments.insert(arguments.end(), both.begin(), both.end());
        arguments.insert(arguments.end(), {"--", kSample});
        const CliResult refused = runCli(arguments);
        INFO(both.front() + ' ' + both.back());
        CHECK(refused.exitCode == 2);
        CHECK(refused.isOneErrorLine());
    }
    const CliResult unclear = runCli({"profile", "--stalls", kSample});
    CHECK(unclear.exitCode == 2);
    CHECK(unclear.isOneErrorLine());
    CHECK(holds(unclear.err, "expected on or off; a program goes behind --"));
    const CliResult sampled = runCli({"profile", "--on", "emulator", "--set", "sampled", "--", kSample});
    CHECK(sampled.exitCode == 2);
    CHECK(holds(sampled.err, "the emulator counts exactly"));
}

TEST_CASE("Filters choose what is counted", "[profile]") {
    const CliResult result = runCli({"profile", "--on", "emulator", "--kernels", "^.*strided", "--quiet",
                                     "--format", "json", "--", kSample});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    std::size_t counted = 0;
    const auto json = nlohmann::json::parse(result.out);
    for (const auto& launch : json.at("launches")) {
        if (!launch.at("counted").get<bool>()) continue;
        ++counted;
        CHECK(holds(launch.at("kernel"), "strided"));
    }
    CHECK(counted == 1);
}
