// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/installation.h"
#include "instrument/launch/process/child_process.h"
#include "instrument/stream/codec.h"
#include "instrument/stream/line_reader.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace dormer::instrument::launch {

using namespace process;

namespace fs = std::filesystem;

namespace {

void fold(GpuStatus& status, const session::Record& record) {
    if (const auto* device = std::get_if<session::Device>(&record)) {
        status.devices.push_back(*device);
    } else if (const auto* note = std::get_if<session::Note>(&record)) {
        if (note->code == kProbeProblem) status.problem = note->text;
        if (note->code == kProbeRemedy) status.remedy = note->text;
        if (note->code == kProbeDriver) status.driverVersion = note->text;
        if (note->code == kProbeRestricted) status.countersRestricted = true;
    }
}

std::string textOf(const fs::path& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

GpuStatus probeGpus(const Installation& installation, double timeoutSeconds) {
    GpuStatus status;
    if (installation.probe.empty()) {
        status.problem = "dormer-probe is missing, so GPUs can't be detected";
        status.remedy = "keep it beside dormer, or set DORMER_HOME to the folder whose bin/ holds it";
        return status;
    }
    const auto captured = capture(installation.probe, {}, std::chrono::duration<double>{timeoutSeconds});
    if (!captured) {
        status.problem = captured.error().message;
        status.remedy = "check that dormer-probe is executable";
        return status;
    }
    stream::LineReader reader;
    reader.feed(captured->output, [&](std::string_view line) {
        if (const auto record = stream::parseRecord(line)) fold(status, *record);
    });
    if (!status.problem.empty()) return status;

    if (captured->timedOut) {
        status.problem = fmt::format("the NVIDIA driver did not respond within {:.3g} s", timeoutSeconds);
        status.remedy = "check whether nvidia-smi responds; if not, restart the machine or its driver";
    } else if (captured->status.signal) {
        status.problem =
            fmt::format("querying the NVIDIA driver crashed with {}", describe(captured->status));
        status.remedy = "check whether nvidia-smi works; reinstall the driver if it does not";
    } else if (captured->status.exitCode != 0 || status.devices.empty()) {
        status.problem =
            fmt::format("dormer-probe ended with {} and reported no device", describe(captured->status));
        status.remedy = fmt::format("run {} by hand to see its output", installation.probe.string());
    }
    // What a probe said before it died is not to be trusted.
    if (!status.problem.empty()) status.devices.clear();
    return status;
}

std::string counterPermissionRemedy(const fs::path& root) {
    const std::string kernel = textOf(root / "proc/version");
    if (kernel.find("icrosoft") != std::string::npos)
        return "in Windows, open the NVIDIA Control Panel as administrator, Desktop > Enable Developer "
               "Settings, then Developer > Manage GPU Performance Counters > Allow access to all users";
    std::error_code ignored;
    const std::string control = textOf(root / "proc/1/cgroup");
    const bool container =
        fs::exists(root / ".dockerenv", ignored) || fs::exists(root / "run/.containerenv", ignored) ||
        control.find("docker") != std::string::npos || control.find("kubepods") != std::string::npos;
    const std::string host =
        "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
        "/etc/modprobe.d/dormer.conf, then reboot (if the initramfs holds the driver, after sudo "
        "update-initramfs -u or dracut -f)";
    if (container)
        return "start the container with --cap-add=SYS_ADMIN (Kubernetes: securityContext.capabilities.add: "
               "[SYS_ADMIN]), or on its host: " +
               host;
    return "run as root, or: " + host;
}

} // namespace dormer::instrument::launch
