// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/machine/machine.h"

#include "instrument/machine/counter_holders.h"
#include "instrument/machine/sampling.h"
#include "instrument/machine/target_cupti.h"
#include "tests/support/catch.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

using namespace dormer;
using namespace dormer::instrument::machine;
namespace fs = std::filesystem;

namespace {

/// A machine that consists of what a test says.
struct FakeMachine : Machine {
    std::vector<RunningProcess> running;
    std::map<std::string, std::string> variables;
    std::map<std::string, std::string> files; ///< path -> first line
    std::map<std::string, std::string> links;

    std::vector<RunningProcess> processes() const override { return running; }
    std::optional<std::string> variable(const std::string& name) const override {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    }
    std::vector<std::string> entries(const fs::path& folder) const override {
        std::set<std::string> names;
        const std::string begin = (folder / "").string();
        for (const auto& [path, line] : files)
            if (path.starts_with(begin))
                names.insert(path.substr(begin.size(), path.find('/', begin.size()) - begin.size()));
        return {names.begin(), names.end()};
    }
    std::string firstLine(const fs::path& file) const override {
        const auto found = files.find(file);
        return found == files.end() ? "" : found->second;
    }
    fs::path resolved(const fs::path& file) const override {
        const auto found = links.find(file);
        return found == links.end() ? file : fs::path(found->second);
    }
};

std::vector<std::string> librariesOf(const FakeMachine& machine, const std::string& program) {
    std::vector<std::string> all;
    for (const TargetCupti& cupti : pythonCupti(machine, program))
        all.push_back(cupti.library);
    return all;
}

} // namespace

TEST_CASE("Tools that hold counters are named with the remedy") {
    FakeMachine machine;
    CHECK(counterHolders(machine).empty());
    machine.running = {
        {1, "init"}, {812, "nv-hostengine"}, {90, "ncurses-app"}, {91, "ncu"}, {92, "python3"}};
    auto holders = counterHolders(machine);
    REQUIRE(holders.size() == 2);
    CHECK(holders[0].text == "nv-hostengine (process 812), NVIDIA DCGM");
    CHECK(holders[0].remedy.starts_with("dcgmi profiling --pause"));
    CHECK(holders[1].text == "ncu (process 91), Nsight Compute");
    machine.running.clear();
    machine.variables["CUDA_INJECTION64_PATH"] = "/opt/other.so";
    holders = counterHolders(machine);
    REQUIRE(holders.size() == 1);
    CHECK(holders[0].text == "CUDA_INJECTION64_PATH has CUDA load /opt/other.so");
    CHECK(holders[0].remedy == "unset CUDA_INJECTION64_PATH");
}

TEST_CASE("Sampling depends on the compute capability") {
    const auto of = [](int major, int minor) {
        session::Device device;
        device.computeCapabilityMajor = major;
        device.computeCapabilityMinor = minor;
        return samplingOf(device);
    };
    CHECK_FALSE(of(7, 0).available);
    CHECK(of(7, 0).text == "needs compute capability 7.5, this GPU has 7.0");
    for (const auto& [major, minor] : {std::pair{7, 5}, std::pair{8, 0}}) {
        CHECK(of(major, minor).available);
        CHECK(of(major, minor).text == "at intervals of SM clock cycles");
    }
    for (const auto& [major, minor] : {std::pair{8, 6}, std::pair{9, 0}, std::pair{12, 0}})
        CHECK(of(major, minor).text == "at intervals of time");
}

TEST_CASE("The CUPTI of Python's packages is found without starting Python") {
    FakeMachine machine;
    machine.variables = {{"HOME", "/home/ada"}, {"PATH", "/bin:/usr/bin"}};
    machine.files = {{"/usr/bin/python3", ""},
                     {"/usr/bin/train", "#!/usr/bin/env -S python3 -u"},
                     {"/usr/bin/app", "\x7f"
                                      "ELF"},
                     {"/usr/lib/python3.12/dist-packages/nvidia/cuda_cupti/lib/libcupti.so.12", ""},
                     {"/home/ada/.local/lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13", ""},
                     {"/venv/pyvenv.cfg", ""},
                     {"/venv/bin/python", ""},
                     {"/venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcupti.so.13", ""},
                     {"/venv/lib/python3.11/site-packages/nvidia/cublas/lib/libcublas.so.13", ""},
                     {"/venv/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so", ""}};
    machine.links = {{"/usr/bin/python3", "/usr/bin/python3.12"},
                     {"/venv/bin/python", "/usr/bin/python3.12"}};

    const auto ofVenv = pythonCupti(machine, "/venv/bin/python");
    REQUIRE(ofVenv.size() == 1); // not the installation's: a virtual environment does not see it
    CHECK(ofVenv[0].library == "/venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcupti.so.13");
    CHECK(ofVenv[0].cudaMajor == 13);
    CHECK(ofVenv[0].from == "Python packages of /venv");
    const std::vector<std::string> both{
        "/usr/lib/python3.12/dist-packages/nvidia/cuda_cupti/lib/libcupti.so.12",
        "/home/ada/.local/lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13"};
    CHECK(librariesOf(machine, "/usr/bin/python3") == both);
    CHECK(librariesOf(machine, "/usr/bin/train") == both); // a script, through env
    CHECK(librariesOf(machine, "/usr/bin/app").empty());
    CHECK(librariesOf(machine, "/no/such").empty());

    machine.variables["PYTHONPATH"] = "/mine::/other";
    machine.files["/mine/torch/lib/libcupti-62ff4db0.so.12"] = "";
    const auto first = pythonCupti(machine, "/venv/bin/python");
    REQUIRE(first.size() == 2);
    CHECK(first[0].library == "/mine/torch/lib/libcupti-62ff4db0.so.12");
    CHECK(first[0].from == "PYTHONPATH");
}

TEST_CASE("A library's name tells its CUDA") {
    CHECK(cudaMajorOf("libcupti.so.12") == 12);
    CHECK(cudaMajorOf("libcupti-62ff4db0.so.11.8") == 11);
    CHECK(cudaMajorOf("libcupti.so.2025.3.1") == 0);
    CHECK(cudaMajorOf("libcupti.so") == 0);
    CHECK(cudaMajorOf("libcupti.so.x") == 0);
}

TEST_CASE("Scripts tell their interpreter") {
    FakeMachine machine;
    machine.variables["PATH"] = "/bin";
    machine.files = {{"/a", "#! /opt/py/bin/python3.11 -E"},
                     {"/b", "#!/usr/bin/env python3"},
                     {"/c", "#!/usr/bin/env missing"},
                     {"/d", "echo"},
                     {"/bin/python3", ""},
                     {"/e", "#!"}};
    CHECK(interpreterOf(machine, "/a") == "/opt/py/bin/python3.11");
    CHECK(interpreterOf(machine, "/b") == "/bin/python3");
    CHECK(interpreterOf(machine, "/c").empty());
    CHECK(interpreterOf(machine, "/d").empty());
    CHECK(interpreterOf(machine, "/e").empty());
}

TEST_CASE("This machine tells of others' processes, not of ours") {
    const auto machine = thisMachine();
    const auto processes = machine->processes();
    CHECK(std::ranges::none_of(processes, [](const RunningProcess& each) { return each.pid == getpid(); }));
    CHECK(std::ranges::any_of(processes, [](const RunningProcess& each) { return each.pid == getppid(); }));
    CHECK(machine->firstLine("/proc/version").empty() == !fs::is_regular_file("/proc/version"));
    CHECK_FALSE(machine->variable("NO_SUCH_VARIABLE"));
    CHECK(machine->entries("/no/such/folder").empty());
}
