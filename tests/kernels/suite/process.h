// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace dormer::tests {

struct Finished {
    int exitCode = -1; ///< -1: ended by a signal
    std::string out;
    std::string err;
};

/// The folder of this test, where the programs it runs lie too: they may have been carried to another
/// machine.
inline std::filesystem::path programFolder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/// Runs dormer-workloads with a shell's words as arguments; `environment` is put before the command.
inline Finished runWorkloads(const std::string& arguments, const std::string& environment = "") {
    const auto errPath = std::filesystem::temp_directory_path() /
                         ("dormer-workloads-test-" + std::to_string(getpid()) + ".err");
    const std::string command = environment + " '" + (programFolder() / "dormer-workloads").string() + "' " +
                                arguments + " 2>" + errPath.string();
    Finished finished;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return finished;
    std::array<char, 4096> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
        finished.out.append(buffer.data(), got);
    const int status = pclose(pipe);
    if (WIFEXITED(status)) finished.exitCode = WEXITSTATUS(status);
    std::stringstream err;
    err << std::ifstream(errPath).rdbuf();
    finished.err = err.str();
    std::filesystem::remove(errPath);
    return finished;
}

} // namespace dormer::tests
