// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace dormer::tests {

struct Ran {
    int exitCode = -1;
    std::string out; ///< standard output, and standard error where `arguments` send it there
};
/// Folder of this test: it and what it needs may have been carried to another machine.
[[nodiscard]] std::filesystem::path folderOfThisTest();
/// Runs the dormer beside this test, by the shell.
[[nodiscard]] Ran runDormer(const std::string& arguments);

} // namespace dormer::tests
