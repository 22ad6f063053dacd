// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/machine/target_cupti.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace dormer::instrument::machine {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kCupti = "libcupti.so";
/// CUPTI's release is a year; a CUDA version is less.
constexpr int kFirstYear = 100;

bool exists(const Machine& machine, const fs::path& path) {
    const auto names = machine.entries(path.parent_path());
    return std::ranges::binary_search(names, path.filename().string());
}

/// Folders of packages below an installation, "PREFIX/lib/python3.12/site-packages".
std::vector<fs::path> packagesOf(const Machine& machine, const fs::path& prefix) {
    std::vector<fs::path> folders;
    for (const char* lib : {"lib", "lib64", "local/lib"})
        for (const std::string& version : machine.entries(prefix / lib))
            if (version.starts_with("python"))
                for (const char* packages : {"site-packages", "dist-packages"})
                    folders.push_back(prefix / lib / version / packages);
    return folders;
}

/// NVIDIA's wheels (nvidia/cuda_cupti/lib up to CUDA 12, nvidia/cu13/lib since) and what PyTorch's own bring.
void addCupti(const Machine& machine, const fs::path& packages, const std::string& from,
              std::vector<TargetCupti>& all) {
    std::vector<fs::path> folders;
    for (const std::string& name : machine.entries(packages / "nvidia"))
        if (name == "cuda_cupti" || name.starts_with("cu1"))
            folders.push_back(packages / "nvidia" / name / "lib");
    folders.push_back(packages / "torch/lib");
    for (const fs::path& folder : folders)
        for (const std::string& name : machine.entries(folder))
            if (name.starts_with(kCupti) || (name.starts_with("libcupti-") && name.find(".so") != name.npos))
                all.push_back({folder / name, cudaMajorOf(name), from});
}

} // namespace

int cudaMajorOf(const std::string& library) {
    const std::size_t at = library.find(".so.");
    if (at == std::string::npos) return 0;
    int major = 0;
    const char* begin = library.data() + at + 4;
    const auto [end, error] = std::from_chars(begin, library.data() + library.size(), major);
    return error == std::errc{} && major < kFirstYear ? major : 0;
}

fs::path interpreterOf(const Machine& machine, const fs::path& script) {
    const std::string line = machine.firstLine(script);
    if (!line.starts_with("#!")) return {};
    std::istringstream words(line.substr(2));
    std::string word;
    words >> word;
    if (fs::path(word).filename() != "env") return word;
    while (words >> word)
        if (!word.starts_with('-') && word.find('=') == std::string::npos) break;
    std::istringstream folders(machine.variable("PATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && exists(machine, fs::path(folder) / word)) return fs::path(folder) / word;
    return {};
}

std::vector<TargetCupti> pythonCupti(const Machine& machine, const fs::path& program) {
    const auto isPython = [](const fs::path& file) { return file.filename().string().starts_with("python"); };
    fs::path python = program;
    if (!isPython(program)) // a script; "python" itself may be one, too
        if (fs::path interpreter = interpreterOf(machine, program); !interpreter.empty())
            python = std::move(interpreter);
    const fs::path behind = machine.resolved(python);
    if (!isPython(python) && !isPython(behind)) return {};
    std::vector<TargetCupti> all;
    std::vector<fs::path> seen;
    const auto look = [&](const fs::path& packages, const std::string& from) {
        if (std::ranges::find(seen, packages) != seen.end()) return;
        seen.push_back(packages);
        addCupti(machine, packages, from, all);
    };
    std::istringstream folders(machine.variable("PYTHONPATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty()) look(folder, "PYTHONPATH");
    const fs::path environment = python.parent_path().parent_path();
    const bool isVirtual = exists(machine, environment / "pyvenv.cfg");
    const std::string ofEnvironment = "Python packages of " + environment.string();
    for (const fs::path& packages : packagesOf(machine, environment))
        look(packages, ofEnvironment);
    if (isVirtual) return all; // sees none of the others unless told to
    if (const auto home = machine.variable("HOME"))
        for (const fs::path& packages : packagesOf(machine, fs::path(*home) / ".local"))
            look(packages, "Python packages of the user");
    const fs::path installation = behind.parent_path().parent_path();
    for (const fs::path& packages : packagesOf(machine, installation))
        look(packages, "Python packages of " + installation.string());
    return all;
}

} // namespace dormer::instrument::machine
