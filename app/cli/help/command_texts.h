// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace dormer::cli {

/// An option or positional argument of a command, as --help tells it.
struct OptionText {
    std::vector<std::string> names; ///< "-o", "--output"; none for a positional argument
    std::string value;              ///< what it takes: "TEXT", "FILE"; empty for a flag
    std::string description;
    std::vector<std::string> choices; ///< the only values, where they are listed
    std::string defaultValue;
    bool required = false;
    bool repeated = false; ///< takes several values
};

struct CommandText {
    std::string name; ///< "show"; "dormer" for the whole
    std::string description;
    std::vector<OptionText> options;     ///< in the order of --help
    std::vector<OptionText> positionals; ///< the same
    std::vector<CommandText> commands;   ///< of the whole: its commands
    std::string footer;                  ///< exit codes
};

/// What the command line says of itself; manual pages and shell completion are made of nothing else. Options
/// and commands that --help hides are left out.
[[nodiscard]] CommandText commandTexts(const CLI::App& app);

} // namespace dormer::cli
