// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/model.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::launch {

/// Where Dormer's other parts lie: beside the running program, or in the folder of an installation that is
/// found from there (bin/../lib/dormer); the same from DORMER_HOME/bin, which comes first.
struct Installation {
    std::filesystem::path workloads; ///< dormer-workloads; empty when not built here
    std::filesystem::path probe;     ///< dormer-probe
    std::filesystem::path collector; ///< libdormer-inject.so; empty when not built here
    std::filesystem::path emulator;  ///< emulator/libcudart.so.13; empty when not built here
};
[[nodiscard]] Installation findInstallation();

/// What dormer-probe found. Nothing in here needs CUDA in this process.
struct GpuStatus {
    std::vector<session::Device> devices;
    std::string problem; ///< empty when a device is usable: "no NVIDIA driver (libcuda.so.1 was not found)"
    std::string remedy;
    std::string driverVersion;       ///< "580.159.04"; empty when there is no driver or it does not say
    bool countersRestricted = false; ///< RmProfilingAdminOnly is 1 and we lack CAP_SYS_ADMIN
};
/// Codes of the notes by which dormer-probe reports, one JSON line each, beside its Device records.
inline constexpr std::string_view kProbeProblem = "problem";
inline constexpr std::string_view kProbeRemedy = "remedy";
inline constexpr std::string_view kProbeDriver = "driver";
inline constexpr std::string_view kProbeRestricted = "counters-restricted";

/// What to do about restricted counters where this process runs: a host, a container, or WSL. `root` stands
/// for "/" so that tests can play other surroundings.
[[nodiscard]] std::string counterPermissionRemedy(const std::filesystem::path& root = "/");

/// Name of this machine's GPU when the NVIDIA kernel driver lists exactly one and CUDA_VISIBLE_DEVICES hides
/// none: then the target may be started at once, and the probe, which costs a start of CUDA (0.14 s on an
/// H100), need only explain a failure. Reads `proc`/driver/nvidia/gpus. Nothing for none, several, or a
/// kernel without that list (WSL).
[[nodiscard]] std::optional<std::string> onlyGpu(const std::filesystem::path& proc = "/proc");
/// Asks dormer-probe, at most `timeoutSeconds`; a crash or hang there becomes `problem`.
[[nodiscard]] GpuStatus probeGpus(const Installation& installation, double timeoutSeconds = 10);

/// One entry of the built-in suite, as `dormer-workloads --describe` prints it. What the suite does not say
/// is empty.
struct WorkloadInfo {
    std::string family, variant, shows;
    std::vector<std::string> parameters; ///< "size=16777216"
    std::string title{};                 ///< of its family, "Sum of two vectors"
    std::string familyShows{};           ///< one sentence about the family
    std::string sweep{};                 ///< "offset" when it is a point of its family's sweep of that name
    std::optional<std::int64_t> emulatorSize{}; ///< default size there; that of a GPU is a parameter
    bool wrongByDesign = false;                 ///< its result is wrong, which is what it shows
    [[nodiscard]] std::string path() const { return family + "/" + variant; }
};
/// ErrorKind::Device when the suite is not built here.
[[nodiscard]] Result<std::vector<WorkloadInfo>> listWorkloads(const Installation& installation);

/// Workloads whose path matches one of the globs ("transpose/*"); all when there are none. ErrorKind::Usage
/// names a pattern that matches nothing and suggests near paths.
[[nodiscard]] Result<std::vector<WorkloadInfo>> selectWorkloads(const std::vector<WorkloadInfo>& all,
                                                                const std::vector<std::string>& patterns);

} // namespace dormer::instrument::launch
