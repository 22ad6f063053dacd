// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace dormer::tests;

namespace {

nlohmann::json checkOf(const nlohmann::json& doctor, const std::string& name) {
    for (const auto& check : doctor.at("checks"))
        if (check.at("name") == name) return check;
    return nullptr;
}

} // namespace

TEST_CASE("doctor is content where everything is there", "[doctor]") {
    const CliResult table = runCli({"doctor"});
    CHECK(table.exitCode == 0);
    CHECK(table.err.empty());
    CHECK(holds(table.out, "ok  driver"));
    CHECK(holds(table.out, "NVIDIA driver 580.65.06, supports CUDA 13.0"));
    CHECK(holds(table.out, "NVIDIA Fake H100, compute capability 9.0, 132 SMs, 80 GiB"));
    CHECK(holds(table.out, "`dormer run` is available here"));
    const auto json = nlohmann::json::parse(runCli({"doctor", "--format", "json"}).out);
    CHECK(json.at("can_run") == true);
    CHECK(checkOf(json, "counters").at("state") == "ok");
    CHECK(checkOf(json, "gpu:1").at("state") == "ok");
    CHECK(holds(checkOf(json, "sampling").at("text"), "gpu:0 at intervals of time"));
    CHECK(checkOf(json, "target's cupti").at("state") == "-");
}

TEST_CASE("doctor tells which CUPTI a program brings, without starting it", "[doctor]") {
    const CommandFolder home;
    const std::string packages = home / "lib/python3.11/site-packages/nvidia/cuda_cupti/lib";
    std::filesystem::create_directories(packages);
    std::filesystem::create_directories(home / "bin");
    std::ofstream{packages + "/libcupti.so.12"};
    std::ofstream{home / "pyvenv.cfg"};
    std::ofstream{home / "bin/python3"} << "#!/bin/sh\ntouch '" << home / "started"
                                        << "'\n";
    std::filesystem::permissions(home / "bin/python3", std::filesystem::perms::owner_all);
    const auto checkFor = [](const std::vector<std::string>& command) {
        std::vector<std::string> arguments{"doctor", "--format", "json", "--"};
        arguments.insert(arguments.end(), command.begin(), command.end());
        return checkOf(nlohmann::json::parse(runCli(arguments).out), "target's cupti");
    };
    const auto python = checkFor({home / "bin/python3", "-c", "import torch"});
    CHECK(python.at("state") == "ok");
    CHECK(holds(python.at("text"), packages + "/libcupti.so.12 (Python packages of "));
    CHECK_FALSE(std::filesystem::exists(home / "started"));
    CHECK(holds(checkFor({"/bin/true"}).at("text"), "/bin/true brings none"));
    std::ofstream{home / "bin/start"} << "#!/bin/sh\n./app\n";
    std::filesystem::permissions(home / "bin/start", std::filesystem::perms::owner_all);
    const CliResult script = runCli({"doctor", "--format", "json", "--", home / "bin/start"});
    CHECK(script.err.empty());
    const auto start = checkOf(nlohmann::json::parse(script.out), "target's cupti");
    CHECK(start.at("state") == "-");
    CHECK(holds(start.at("text"), "is a script: name the program that it starts"));
    const auto missing = checkFor({"/no/such/program"});
    CHECK(missing.at("state") == "no");
    CHECK(holds(missing.at("text"), "no such file"));
}

TEST_CASE("doctor names a library that CUDA would load for another tool", "[doctor]") {
    const CliResult result =
        runCli({"doctor", "--format", "json"}, {{"CUDA_INJECTION64_PATH", "/opt/other.so"}});
    const auto found = checkOf(nlohmann::json::parse(result.out), "other tools");
    CHECK(found.at("state") == "no");
    CHECK(holds(found.at("text"), "CUDA load /opt/other.so"));
    CHECK(holds(found.at("remedy"), "unset CUDA_INJECTION64_PATH"));
}

TEST_CASE("doctor names each problem with its remedy, and exits 3 where nothing runs", "[doctor]") {
    const auto [environment, check, text, remedy] =
        GENERATE(table<Environment, std::string, std::string, std::string>({
            {{{"DORMER_TEST_LIBCUDA", "/nonexistent/libcuda.so.1"}},
             "driver",
             "no NVIDIA driver",
             "install the NVIDIA driver"},
            {{{"DORMER_FAKE_CUDA", "old"}}, "driver", "too old", "update the driver"},
            {{{"DORMER_FAKE_CUDA", "no-device"}}, "driver", "sees no GPU", "--gpus all"},
            {{{"DORMER_FAKE_CUDA", "crash"}}, "driver", "crashed", "nvidia-smi"},
        }));
    const CliResult result = runCli({"doctor", "--format", "json"}, environment);
    CHECK(result.exitCode == (emulatorBuilt() ? 0 : 3));
    const auto json = nlohmann::json::parse(result.out);
    CHECK(json.at("can_run") == emulatorBuilt());
    CHECK(json.at("can_run_on_gpu") == false);
    CHECK(checkOf(json, "emulator").at("state") == (emulatorBuilt() ? "ok" : "no"));
    const auto found = checkOf(json, check);
    CHECK(found.at("state") == "no");
    CHECK(holds(found.at("text"), text));
    CHECK(holds(found.at("remedy"), remedy));
    CHECK(checkOf(json, "sessions").at("state") == "ok"); // recordings open everywhere
    CHECK(checkOf(json, "counters").at("state") == "-");
}

TEST_CASE("doctor tells how to get at restricted counters", "[doctor]") {
    const CommandFolder proc;
    std::filesystem::create_directories(proc / "driver/nvidia");
    std::filesystem::create_directories(proc / "self");
    std::ofstream{proc / "driver/nvidia/params"} << "RmProfilingAdminOnly: 1\n";
    std::ofstream{proc / "self/status"} << "CapEff:\t0000000000000000\n";
    const CliResult result = runCli({"doctor", "--format", "json"}, {{"DORMER_TEST_PROC", proc / ""}});
    CHECK(result.exitCode == (emulatorBuilt() ? 0 : 3));
    CHECK(nlohmann::json::parse(result.out).at("can_run_on_gpu") == false);
    const auto found = checkOf(nlohmann::json::parse(result.out), "counters");
    CHECK(found.at("state") == "no");
    CHECK(holds(found.at("text"), "--set none"));
    CHECK_FALSE(found.at("remedy").get<std::string>().empty());
}

TEST_CASE("doctor in an empty home misses the parts of the build", "[doctor]") {
    const CommandFolder home;
    std::filesystem::create_directories(home / "bin");
    std::filesystem::copy(DORMER_BIN_DIR "/dormer", home / "bin/dormer");
    const CliResult result = runCli({"doctor", "--format", "json"}, {{"DORMER_HOME", home / ""}});
    const auto json = nlohmann::json::parse(result.out);
    if (!std::filesystem::exists(DORMER_BIN_DIR "/dormer-workloads")) {
        CHECK(result.exitCode == 3);
        CHECK(checkOf(json, "workloads").at("state") == "no");
        CHECK(holds(checkOf(json, "workloads").at("remedy"), "CUDA Toolkit"));
    } else {
        CHECK(checkOf(json, "workloads").at("state") == "ok"); // found beside dormer
    }
}
