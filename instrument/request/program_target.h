// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/request/collect_request.h"

namespace dormer::instrument::request {

/// A program of someone else's to run.
struct ProgramRun {
    std::vector<std::string> command;                               ///< the program and its arguments
    std::vector<std::pair<std::string, std::string>> environment{}; ///< added to ours
    std::filesystem::path workingFolder{};                          ///< empty: ours
};

/// The program as a target on a device. ErrorKind::Target for what can't be started there, ErrorKind::Usage
/// for a request that can't be met, and the errors of launch::useDevice().
[[nodiscard]] Result<launch::Target> programTarget(const ProgramRun& run, const CollectRequest& request,
                                                   const launch::ChosenDevice& device,
                                                   const launch::Installation& installation,
                                                   const OptionWords& words = {});

/// "NAME=value" pairs, as a shell takes them before a command. ErrorKind::Usage names the word that is none.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>>
environmentFrom(const std::vector<std::string>& words);

} // namespace dormer::instrument::request
