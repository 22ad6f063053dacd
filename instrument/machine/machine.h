// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dormer::instrument::machine {

struct RunningProcess {
    std::int32_t pid = 0;
    std::string program; ///< file name of what it runs, without its folder
};

/// What can be looked up around a program before it starts: other processes, environment, files. An interface
/// so that tests play other machines.
class Machine {
public:
    virtual ~Machine() = default;
    /// Those that this process may see, without itself; in a container those of the container.
    [[nodiscard]] virtual std::vector<RunningProcess> processes() const = 0;
    [[nodiscard]] virtual std::optional<std::string> variable(const std::string& name) const = 0;
    /// Names in a folder, sorted; empty for what is no folder.
    [[nodiscard]] virtual std::vector<std::string> entries(const std::filesystem::path& folder) const = 0;
    /// The first line of a file, at most 256 bytes; empty for what can't be read.
    [[nodiscard]] virtual std::string firstLine(const std::filesystem::path& file) const = 0;
    /// The file behind symbolic links; the path itself where there is none.
    [[nodiscard]] virtual std::filesystem::path resolved(const std::filesystem::path& file) const = 0;
};

[[nodiscard]] std::unique_ptr<Machine> thisMachine();

} // namespace dormer::instrument::machine
