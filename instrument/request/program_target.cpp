// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/program_target.h"

#include "instrument/launch/cuda_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::instrument::request {

namespace {

bool isVariableName(std::string_view name) {
    const auto fits = [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') && std::ranges::all_of(name, fits);
}

} // namespace

Result<launch::Target> programTarget(const ProgramRun& run, const CollectRequest& request,
                                     const launch::ChosenDevice& device,
                                     const launch::Installation& installation, const OptionWords& words) {
    auto options = collectOptions(request, Subject::Program, device, words);
    if (!options) return std::unexpected(options.error());
    if (run.command.empty() || run.command.front().empty())
        return failure(ErrorKind::Usage, "no program is given");
    std::error_code ignored;
    if (!run.workingFolder.empty() && !std::filesystem::is_directory(run.workingFolder, ignored))
        return failure(ErrorKind::Target,
                       fmt::format("can't start in {}: no such folder", run.workingFolder.string()));
    const auto program = launch::findProgram(run.command.front(), run.workingFolder);
    if (!program) return std::unexpected(program.error());
    if (device.chip != nullptr)
        if (const auto fits = launch::checkEmulatable(*program); !fits) return std::unexpected(fits.error());
    launch::Target target;
    target.program = *program;
    target.arguments.assign(run.command.begin() + 1, run.command.end());
    target.environment = run.environment;
    target.workingFolder = run.workingFolder;
    target.options = std::move(*options);
    target.options.everyLaunch = true;
    if (const auto used = launch::useDevice(target, device, installation); !used)
        return std::unexpected(used.error());
    return target;
}

Result<std::vector<std::pair<std::string, std::string>>>
environmentFrom(const std::vector<std::string>& words) {
    std::vector<std::pair<std::string, std::string>> variables;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || !isVariableName(std::string_view(word).substr(0, equals)))
            return failure(ErrorKind::Usage,
                           fmt::format("'{}' is no environment variable: expected NAME=value", word));
        variables.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    return variables;
}

} // namespace dormer::instrument::request
