// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/probe/driver_version.h"

#include <dlfcn.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <regex>
#include <sstream>

namespace dormer::probe {

namespace {

constexpr int kCapSysAdmin = 21; // linux/capability.h

/// What follows "KEY:" on its line; empty when there is none.
std::string fieldOf(const std::filesystem::path& file, const std::string& key) {
    std::ifstream stream{file};
    for (std::string line; std::getline(stream, line);) {
        if (line.rfind(key + ":", 0) != 0) continue;
        std::istringstream rest{line.substr(key.size() + 1)};
        std::string value;
        rest >> value;
        return value;
    }
    return {};
}

std::string fromKernelModule(const std::filesystem::path& proc) {
    // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build ..."
    std::ifstream stream{proc / "driver/nvidia/version"};
    std::string line;
    std::getline(stream, line);
    std::smatch match;
    static const std::regex kVersion{R"(\s(\d+\.\d+(\.\d+)?)\s)"};
    return std::regex_search(line, match, kVersion) ? match[1].str() : std::string{};
}

std::string fromNvml(const std::string& library) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return {};
    const auto init = reinterpret_cast<int (*)()>(dlsym(handle, "nvmlInit_v2"));
    const auto version =
        reinterpret_cast<int (*)(char*, unsigned)>(dlsym(handle, "nvmlSystemGetDriverVersion"));
    std::array<char, 96> text{}; // nvml.h asks for 80
    if (init == nullptr || version == nullptr || init() != 0) return {};
    return version(text.data(), static_cast<unsigned>(text.size()) - 1) == 0 ? std::string{text.data()}
                                                                             : std::string{};
}

} // namespace

std::string driverVersion(const std::filesystem::path& proc, const std::string& nvmlLibrary) {
    const std::string version = fromKernelModule(proc);
    return version.empty() ? fromNvml(nvmlLibrary) : version;
}

bool countersRestricted(const std::filesystem::path& proc) {
    if (fieldOf(proc / "driver/nvidia/params", "RmProfilingAdminOnly") != "1") return false;
    const std::string text = fieldOf(proc / "self/status", "CapEff");
    std::uint64_t capabilities = 0;
    std::from_chars(text.data(), text.data() + text.size(), capabilities, 16);
    return (capabilities >> kCapSysAdmin & 1U) == 0;
}

} // namespace dormer::probe
