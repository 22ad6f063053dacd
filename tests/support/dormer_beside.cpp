// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dormer_beside.h"

#include "tests/support/catch.h"

#include <sys/wait.h>

#include <cstdio>

namespace dormer::tests {

std::filesystem::path folderOfThisTest() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

Ran runDormer(const std::string& arguments) {
    Ran ran;
    const std::string command = "'" + (folderOfThisTest() / "dormer").string() + "' " + arguments;
    std::FILE* pipe = popen(command.c_str(), "r"); // NOLINT: fixed words
    REQUIRE(pipe != nullptr);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        ran.out += static_cast<char>(c);
    const int status = pclose(pipe);
    ran.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

} // namespace dormer::tests
