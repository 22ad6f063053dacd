// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace dormer::cli {

/// What the command line requests; set by the chosen verb while parsing, run afterwards. Returns the exit
/// code.
using Action = std::function<int()>;

/// --aliases FILE: how kernels are called in what this command shows.
void addAliasesOption(CLI::App& verb);

void addListVerb(CLI::App& root, Action& action);
void addRunVerb(CLI::App& root, Action& action);
void addProfileVerb(CLI::App& root, Action& action);
void addShowVerb(CLI::App& root, Action& action);
void addMergeVerb(CLI::App& root, Action& action);
void addReportVerb(CLI::App& root, Action& action);
void addPatternVerb(CLI::App& root, Action& action);
void addMetricsVerb(CLI::App& root, Action& action);
void addDoctorVerb(CLI::App& root, Action& action);

} // namespace dormer::cli
