// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_folder.h"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dormer::tests {

/// What `dormer` printed and how it ended.
struct CliResult {
    int exitCode = -1; ///< -1 when it died by a signal
    int signal = 0;
    std::string out;
    std::string err;
    std::vector<double> outLineAt; ///< arrival of each line of stdout, seconds since the start
    double seconds = 0;

    /// stderr without its last line end; a usable error is exactly one line.
    [[nodiscard]] std::string errorLine() const;
    [[nodiscard]] bool isOneErrorLine() const;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs the dormer that was built, with the fakes as its home. `onLine` is called with the process id after
/// each line of stdout: a test may send signals from it.
[[nodiscard]] CliResult runCli(const std::vector<std::string>& arguments, const Environment& environment = {},
                               const std::function<void(pid_t)>& onLine = {});

/// A temporary folder whose paths are words of a command line.
struct CommandFolder : TemporaryFolder {
    [[nodiscard]] std::string operator/(const std::string& name) const { return (path() / name).string(); }
};

/// True when this build has the emulator, which the tests' dormer then finds beside itself.
[[nodiscard]] bool emulatorBuilt();

[[nodiscard]] std::string readFile(const std::string& path);
[[nodiscard]] bool holds(const std::string& text, const std::string& part);

} // namespace dormer::tests
