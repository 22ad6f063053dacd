// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace dormer::probe {

/// "580.159.04", from the kernel module's PROC/driver/nvidia/version, else from NVML (which WSL has); empty
/// when neither says.
[[nodiscard]] std::string driverVersion(const std::filesystem::path& proc, const std::string& nvmlLibrary);

/// True when the kernel module keeps counters for administrators (RmProfilingAdminOnly) and this process
/// lacks CAP_SYS_ADMIN, which is what the module asks for; root in a container often lacks it.
[[nodiscard]] bool countersRestricted(const std::filesystem::path& proc);

} // namespace dormer::probe
