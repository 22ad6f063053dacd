// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/by_process.h"

#include "analysis/store/session_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

namespace dormer::cli {

namespace {

std::string nameOf(const session::Process& process, bool withHost) {
    std::string name = fmt::format("process {}", process.pid);
    if (withHost) name += " on " + process.host;
    if (!process.program.empty())
        name += fmt::format(" ({})", std::filesystem::path(process.program).filename().string());
    if (process.signal) return name + fmt::format(", signal {}", *process.signal);
    return process.exitCode ? name + fmt::format(", exit code {}", *process.exitCode) : name;
}

/// What programs declare holds for all processes.
bool isOfAll(const session::Record& record) {
    return std::holds_alternative<session::Workload>(record) ||
           std::holds_alternative<session::Sweep>(record) ||
           std::holds_alternative<session::Expectation>(record) ||
           std::holds_alternative<session::SourceFile>(record);
}

} // namespace

std::vector<ProcessPart> byProcess(const session::Session& session) {
    std::vector<ProcessPart> parts;
    const bool severalHosts =
        std::ranges::adjacent_find(session.processes(), std::ranges::not_equal_to{},
                                   &session::Process::host) != session.processes().end();
    for (const session::Process& process : session.processes())
        parts.push_back({nameOf(process, severalHosts), {}});
    for (const auto& [process, record] : store::recordsOf(session)) {
        if (!isOfAll(record))
            parts[process].session.apply(record);
        else
            for (ProcessPart& part : parts)
                part.session.apply(record);
    }
    std::erase_if(parts, [](const ProcessPart& part) {
        return part.session.launches().empty() && part.session.transfers().empty();
    });
    return parts;
}

} // namespace dormer::cli
