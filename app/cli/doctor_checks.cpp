// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/doctor_checks.h"

#include "analysis/device/chip.h"
#include "instrument/launch/cuda_program.h"
#include "instrument/launch/process/child_process.h"
#include "instrument/machine/counter_holders.h"
#include "instrument/machine/sampling.h"
#include "instrument/machine/target_cupti.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace dormer::cli {

namespace {

namespace fs = std::filesystem;
using State = CheckState;

constexpr const char* kBuildWithCuda =
    "install the CUDA Toolkit 12.6 or newer (nvcc) and build again; scripts/setup does it";

DoctorCheck driverCheck(const instrument::launch::GpuStatus& gpus) {
    DoctorCheck check{"driver", State::Ok, "", "", true};
    if (gpus.devices.empty()) {
        check.state = State::No;
        check.text = gpus.problem;
        if (!gpus.driverVersion.empty()) check.text += " (driver " + gpus.driverVersion + ")";
        check.remedy = gpus.remedy;
        return check;
    }
    const int cuda = gpus.devices.front().cudaDriverVersion;
    check.text = fmt::format("NVIDIA driver {}, supports CUDA {}.{}",
                             gpus.driverVersion.empty() ? "of unknown version" : gpus.driverVersion,
                             cuda / 1000, cuda % 1000 / 10);
#ifdef DORMER_CUDA
    check.text += "; this build uses CUDA " DORMER_CUDA;
#endif
    return check;
}

void addDevices(std::vector<DoctorCheck>& checks, const instrument::launch::GpuStatus& gpus) {
    for (const session::Device& device : gpus.devices)
        checks.push_back({fmt::format("gpu:{}", device.id), State::Ok,
                          fmt::format("{}, compute capability {}.{}, {} SMs, {:.0f} GiB", device.name,
                                      device.computeCapabilityMajor, device.computeCapabilityMinor,
                                      device.smCount, static_cast<double>(device.memoryBytes) / (1 << 30)),
                          "", true});
    if (gpus.devices.empty())
        checks.push_back({"gpu", State::Unknown, "not checked without a driver", "", true});
}

DoctorCheck permissionCheck(const instrument::launch::GpuStatus& gpus) {
    if (gpus.devices.empty()) return {"counters", State::Unknown, "unknown without a GPU", "", false};
    if (gpus.countersRestricted)
        return {
            "counters", State::No,
            "the driver restricts counters to administrators (RmProfilingAdminOnly is 1); timing works: run "
            "--set none",
            instrument::launch::counterPermissionRemedy(), true};
    return {"counters", State::Ok, "hardware counters are accessible to this user", "", true};
}

/// A library that something links, as ldd tells it: "libcupti.so.13 => /usr/... (0x...)".
struct Linked {
    std::string name;
    std::string path; ///< empty where the dynamic loader finds none
};

Result<std::optional<Linked>> linkedCupti(const fs::path& program) {
    const auto captured =
        instrument::launch::process::capture("ldd", {program.string()}, std::chrono::seconds{5});
    if (!captured) return std::unexpected(captured.error());
    std::istringstream lines{captured->output};
    for (std::string line; std::getline(lines, line);) {
        if (line.find("libcupti.so") == std::string::npos) continue;
        std::istringstream words{line};
        std::string name, arrow, path;
        words >> name >> arrow >> path;
        return Linked{name, path == "not" ? "" : path};
    }
    return std::nullopt;
}

/// What the dynamic loader makes of the collector.
DoctorCheck cuptiCheck(const fs::path& collector) {
    if (collector.empty()) return {"cupti", State::Unknown, "not checked without the collector", "", false};
    const auto cupti = linkedCupti(collector);
    if (!cupti) return {"cupti", State::Unknown, cupti.error().message, "", false};
    if (!*cupti) return {"cupti", State::Unknown, "the collector does not link it", "", false};
    if ((*cupti)->path.empty())
        return {"cupti", State::No, (*cupti)->name + " was not found by the dynamic loader",
                "put its folder on LD_LIBRARY_PATH (usually /usr/local/cuda/lib64), or install the CUDA "
                "Toolkit's cuda-cupti package",
                true};
    return {"cupti", State::Ok, (*cupti)->path, "", true};
}

/// Which CUPTI is in the program's process: its own comes first, and then the collector has it, too.
DoctorCheck targetCheck(const instrument::machine::Machine& machine, const std::string& program) {
    const auto check = [](State state, std::string text) {
        return DoctorCheck{"target's cupti", state, std::move(text), "", false};
    };
    if (program.empty())
        return check(State::Unknown, "name the program to learn which it loads: dormer doctor -- PROGRAM");
    const auto file = instrument::launch::findProgram(program);
    if (!file) return check(State::No, file.error().message);
    constexpr std::string_view kOneOnly = "; its own profiler (torch.profiler) has to be off in the run";
    if (const auto found = instrument::machine::pythonCupti(machine, *file); !found.empty())
        return check(State::Ok, fmt::format("{} ({}){}{}", found.front().library.string(), found.front().from,
                                            found.size() > 1 ? fmt::format(", and {} more", found.size() - 1)
                                                             : std::string(),
                                            kOneOnly));
    const auto facts = instrument::launch::readProgram(*file);
    if (!facts) return check(State::No, facts.error().message);
    if (!facts->isElf)
        return check(State::Unknown,
                     fmt::format("{} is a script: name the program that it starts", file->string()));
    // ldd complains of what is linked statically.
    const auto linked =
        facts->needed.empty() ? Result<std::optional<Linked>>(std::nullopt) : linkedCupti(*file);
    if (!linked) return check(State::Unknown, linked.error().message);
    if (*linked && !(*linked)->path.empty())
        return check(State::Ok, (*linked)->path + " (linked)" + std::string(kOneOnly));
    return check(State::Ok, fmt::format("{} brings none: the collector's is used", file->string()));
}

DoctorCheck holdersCheck(const instrument::machine::Machine& machine) {
    DoctorCheck check{"other tools", State::Ok, "no other profiler or monitor runs here", "", false};
    const auto holders = instrument::machine::counterHolders(machine);
    if (holders.empty()) return check;
    check.state = State::No;
    check.text = "may hold the counters: ";
    for (const instrument::machine::CounterHolder& holder : holders) {
        check.text += (&holder == holders.data() ? "" : "; ") + holder.text;
        if (check.remedy.find(holder.remedy) == std::string::npos)
            check.remedy += (check.remedy.empty() ? "" : "; ") + holder.remedy;
    }
    return check;
}

DoctorCheck samplingCheck(const instrument::launch::GpuStatus& gpus) {
    DoctorCheck check{"sampling", State::Ok, "", "", false};
    if (gpus.devices.empty()) return {"sampling", State::Unknown, "unknown without a GPU", "", false};
    if (gpus.countersRestricted)
        return {"sampling", State::No, "needs access to the counters, see above", "", false};
    for (const session::Device& device : gpus.devices) {
        const instrument::machine::Sampling sampling = instrument::machine::samplingOf(device);
        if (!sampling.available) check.state = State::No;
        check.text += fmt::format("{}gpu:{} {}", check.text.empty() ? "" : ", ", device.id, sampling.text);
    }
    return check;
}

DoctorCheck partCheck(const char* name, const fs::path& path, const char* file, const char* remedy,
                      bool needed) {
    if (path.empty()) return {name, State::No, fmt::format("{} is missing", file), remedy, needed};
    return {name, State::Ok, path.string(), "", needed};
}

DoctorCheck emulatorCheck(const instrument::launch::Installation& installation) {
    DoctorCheck check =
        partCheck("emulator", installation.emulator, "emulator/libcudart.so.13", kBuildWithCuda, false);
    if (check.state != State::Ok) return check;
    if (__builtin_cpu_supports("x86-64-v3") == 0)
        return {"emulator", State::No, "needs a CPU with AVX2, which this one lacks",
                "use a machine with an Intel Haswell, AMD Zen or later CPU", false};
    std::vector<std::string_view> keys;
    for (const device::Chip& chip : device::chips())
        keys.push_back(chip.key);
    check.text = fmt::format("runs kernels on the CPU (--on emulator:CHIP) as {}; default {}",
                             fmt::join(keys, ", "), device::kDefaultChip);
    return check;
}

fs::path desktopApp() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path app = self.parent_path() / "dormer-gui";
    return !error && fs::exists(app, error) ? app : fs::path{};
}

} // namespace

std::string_view toString(CheckState state) {
    switch (state) {
    case State::Ok:
        return "ok";
    case State::No:
        return "no";
    case State::Unknown:
        break;
    }
    return "-";
}

std::vector<DoctorCheck> examine(const instrument::launch::Installation& installation,
                                 const instrument::launch::GpuStatus& gpus,
                                 const instrument::machine::Machine& machine, const std::string& program) {
    std::vector<DoctorCheck> checks;
    checks.push_back(
        {"sessions", State::Ok, "recorded sessions can be opened: show, report, dormer-gui", "", false});
    checks.push_back(
        partCheck("app", desktopApp(), "dormer-gui", "build with Qt 6 (DORMER_BUILD_GUI=ON)", false));
    checks.push_back(
        partCheck("workloads", installation.workloads, "dormer-workloads", kBuildWithCuda, true));
    checks.push_back(
        partCheck("collector", installation.collector, "libdormer-inject.so", kBuildWithCuda, true));
    checks.push_back(cuptiCheck(installation.collector));
    checks.push_back(targetCheck(machine, program));
    checks.push_back(driverCheck(gpus));
    addDevices(checks, gpus);
    checks.push_back(permissionCheck(gpus));
    checks.push_back(holdersCheck(machine));
    checks.push_back(samplingCheck(gpus));
    checks.push_back(emulatorCheck(installation));
    return checks;
}

namespace {
bool works(const std::vector<DoctorCheck>& checks, std::string_view name) {
    return std::ranges::any_of(checks, [name](const DoctorCheck& check) {
        return check.name == name && check.state == CheckState::Ok;
    });
}
} // namespace

bool canRunOnGpu(const std::vector<DoctorCheck>& checks) {
    return std::ranges::none_of(
        checks, [](const DoctorCheck& check) { return check.neededToRun && check.state != State::Ok; });
}

bool canEmulate(const std::vector<DoctorCheck>& checks) {
    return works(checks, "workloads") && works(checks, "emulator");
}

} // namespace dormer::cli
