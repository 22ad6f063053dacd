// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/installation.h"
#include "tests/support/catch.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

using namespace dormer::instrument::launch;
namespace fs = std::filesystem;

namespace {

/// Sets environment variables for the probe, for as long as it lives.
class ScopedEnvironment {
public:
    explicit ScopedEnvironment(std::vector<std::pair<std::string, std::string>> variables)
        : m_variables(std::move(variables)) {
        for (const auto& [name, value] : m_variables)
            setenv(name.c_str(), value.c_str(), 1);
    }
    ~ScopedEnvironment() {
        for (const auto& variable : m_variables)
            unsetenv(variable.first.c_str());
    }

private:
    std::vector<std::pair<std::string, std::string>> m_variables;
};

GpuStatus probe(const std::string& mode, double timeoutSeconds = 10) {
    const ScopedEnvironment environment{{{"DORMER_FAKE_CUDA", mode}}};
    Installation installation;
    installation.probe = DORMER_FAKE_HOME "/bin/dormer-probe";
    return probeGpus(installation, timeoutSeconds);
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A folder with files, removed at the end.
class Folder {
public:
    Folder() : m_path(fs::temp_directory_path() / ("dormer_proc_" + std::to_string(getpid()))) {}
    ~Folder() { fs::remove_all(m_path); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((m_path / name).parent_path());
        std::ofstream{m_path / name} << text;
    }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

} // namespace

TEST_CASE("the driver's devices come through the probe", "[probe]") {
    const GpuStatus status = probe("");
    CHECK(status.problem.empty());
    CHECK(status.driverVersion == "580.65.06"); // from NVML: the fake has no /proc
    REQUIRE(status.devices.size() == 2);
    const auto& device = status.devices[1];
    // Attributes of an H100 SXM, as the fake driver holds them.
    CHECK(device.id == 1);
    CHECK(device.name == "NVIDIA Fake H100");
    CHECK(device.uuid == "GPU-01112131-4151-6171-8191-a1b1c1d1e1f1");
    CHECK(device.computeCapabilityMajor == 9);
    CHECK(device.smCount == 132);
    CHECK(device.smClockMaxHz == 1.98e9);
    CHECK(device.memoryClockMaxHz == 2.619e9);
    CHECK(device.memoryBusBits == 5120);
    CHECK(device.memoryBytes == std::uint64_t{80} << 30);
    CHECK(device.l2Bytes == 50u << 20);
    CHECK(device.sharedBytesPerSm == 228u << 10);
    CHECK(device.sharedBytesPerBlockOptin == 227u << 10);
    CHECK(device.reservedSharedBytesPerBlock == 1024);
    CHECK(device.registersPerSm == 65536);
    CHECK(device.maxThreadsPerSm == 2048);
    CHECK(device.maxBlocksPerSm == 32);
    CHECK(device.cudaDriverVersion == 13000);
    CHECK(device.driverVersion == "580.65.06");
}

TEST_CASE("each way a driver fails has its own line and remedy", "[probe]") {
    const auto [mode, problem, remedy] = GENERATE(table<std::string, std::string, std::string>({
        {"no-device", "sees no GPU", "--gpus all"},
        {"zero", "sees no GPU", "CUDA_VISIBLE_DEVICES"},
        {"old", "too old: it supports CUDA 12.4, Dormer was built with CUDA 13.0", "update the driver"},
        {"init-error", "did not start: unknown error (error 999)", "nvidia-smi"},
        {"stub", "stub", "lib64/stubs"},
        {"mismatch", "differ", "reboot"},
        {"crash", "crashed with signal 11", "nvidia-smi"},
    }));
    const GpuStatus status = probe(mode);
    INFO(mode << ": " << status.problem << "; " << status.remedy);
    CHECK(status.devices.empty());
    CHECK(holds(status.problem, problem));
    CHECK(holds(status.remedy, remedy));
}

TEST_CASE("a driver that hangs is given up on in time", "[probe]") {
    const auto start = std::chrono::steady_clock::now();
    const GpuStatus status = probe("hang", 0.5);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(holds(status.problem, "did not respond within 0.5 s"));
    CHECK(took.count() < 2);
}

TEST_CASE("no driver library, and a library that is no driver", "[probe]") {
    {
        const ScopedEnvironment none{{{"DORMER_TEST_LIBCUDA", "/nonexistent/libcuda.so.1"}}};
        const GpuStatus status = probe("");
        CHECK(status.problem == "no NVIDIA driver (libcuda.so.1 was not found)");
        CHECK(holds(status.remedy, "install the NVIDIA driver"));
    }
    const ScopedEnvironment other{{{"DORMER_TEST_LIBCUDA", "libm.so.6"}}};
    CHECK(holds(probe("").problem, "not a CUDA driver"));
}

TEST_CASE("counters are restricted when the module says so and we lack CAP_SYS_ADMIN", "[probe]") {
    const Folder proc;
    const ScopedEnvironment environment{{{"DORMER_TEST_PROC", proc.path().string()}}};
    proc.write("driver/nvidia/version",
               "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (x)\n"
               "GCC version:  gcc version 12.2.0\n");
    proc.write("driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n");
    proc.write("self/status", "Name:\tx\nCapEff:\t00000000a80425fb\n"); // Docker's default set
    GpuStatus status = probe("");
    CHECK(status.countersRestricted);
    CHECK(status.driverVersion == "580.95.05");
    CHECK(status.devices.size() == 2); // timing still works

    proc.write("self/status", "CapEff:\t000001ffffffffff\n"); // root on a host
    CHECK_FALSE(probe("").countersRestricted);
    proc.write("self/status", "CapEff:\t0000000000000000\n");
    proc.write("driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
    CHECK_FALSE(probe("").countersRestricted);
    proc.write("driver/nvidia/version",
               "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct\n");
    CHECK(probe("").driverVersion == "535.129.03");
}

TEST_CASE("a probe that is missing or talks nonsense is a problem, not a device", "[probe]") {
    CHECK(holds(probeGpus({}).problem, "dormer-probe is missing"));
    Installation installation;
    installation.probe = "/bin/true";
    CHECK(holds(probeGpus(installation).problem, "reported no device"));
}

TEST_CASE("the permission remedy fits host, container and WSL", "[probe]") {
    const Folder root;
    root.write("proc/version", "Linux version 6.1.0 (debian)");
    CHECK(holds(counterPermissionRemedy(root.path()), "NVreg_RestrictProfilingToAdminUsers=0"));
    CHECK_FALSE(holds(counterPermissionRemedy(root.path()), "--cap-add"));
    root.write(".dockerenv", "");
    CHECK(holds(counterPermissionRemedy(root.path()), "--cap-add=SYS_ADMIN"));
    root.write("proc/version", "Linux version 5.15.0-microsoft-standard-WSL2");
    CHECK(holds(counterPermissionRemedy(root.path()), "NVIDIA Control Panel"));
}
