// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/launch_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace dormer::session {

namespace {

std::string processText(const Session& session, std::uint32_t index) {
    const Process& process = session.processes()[index];
    const bool severalHosts = std::ranges::adjacent_find(session.processes(), std::ranges::not_equal_to{},
                                                         &Process::host) != session.processes().end();
    std::string text = fmt::format("process {}", process.pid);
    if (severalHosts) text += " on " + process.host;
    if (!process.program.empty())
        text += fmt::format(" ({})", process.program.substr(process.program.rfind('/') + 1));
    return text;
}

} // namespace

std::string scopeOf(const Session& session, const Launch& launch, Scope scope) {
    switch (scope) {
    case Scope::Process:
        return processText(session, launch.process);
    case Scope::Nvtx:
        return launch.nvtx.empty() ? "(no NVTX range)" : launch.nvtx;
    case Scope::Stream:
        // Each process numbers its own.
        return session.processes().size() > 1
                   ? fmt::format("process {}, stream {}", session.processes()[launch.process].pid,
                                 launch.stream)
                   : fmt::format("stream {}", launch.stream);
    }
    return {};
}

} // namespace dormer::session
