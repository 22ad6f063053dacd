// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/target_problem.h"

#include "instrument/launch/installation.h"
#include "instrument/launch/process/child_process.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::instrument::launch {

using namespace process;

namespace {

const session::Note* findNote(const session::Session& session, std::string_view code) {
    const auto found = std::ranges::find(session.notes(), code, &session::Note::code);
    return found == session.notes().end() ? nullptr : &*found;
}

/// True when no process of the target sent its first line: launchers make up the last one.
bool neverBegan(const session::Session& session) {
    return std::ranges::all_of(session.processes(), [](const auto& process) { return process.pid == 0; });
}

/// The suite ends with our exit codes; what those of other programs mean is theirs.
bool isSuite(const Target& target) {
    return !target.remote && target.program == findInstallation().workloads;
}

} // namespace

std::optional<Error> targetProblem(const Target& target, const TargetEnd& end,
                                   const session::Session& session, const std::string& kept) {
    if (!end.lost.empty())
        return Error{ErrorKind::Target,
                     fmt::format("{}; {}; run again when the machine can be reached", end.lost, kept)};
    if (const session::Note* note = findNote(session, "no-permission")) {
        // The remedy depends on where we run, which the collector does not know.
        const std::string remedy = target.remote ? "; 'dormer doctor' there tells what to do"
                                   : note->text.find("NVreg_") == std::string::npos
                                       ? "; " + counterPermissionRemedy()
                                       : std::string{};
        return Error{ErrorKind::Device,
                     fmt::format("{}{}; or time without counters: --set none; {}", note->text, remedy, kept)};
    }
    // Another tool may hold the counters, or the chip lack them: the collector's note says which.
    if (const session::Note* note = findNote(session, "counters-unavailable"))
        return Error{ErrorKind::Device,
                     fmt::format("{}; to time without counters: --set none; {}", note->text, kept)};
    if (const session::Note* note = findNote(session, "no-device"))
        return Error{ErrorKind::Device,
                     fmt::format("{}; 'dormer doctor' shows what is missing; {}", note->text, kept)};
    if (end.stopped) return Error{ErrorKind::Target, "stopped; " + kept};
    if (end.exitCode == static_cast<int>(ErrorKind::Device) && isSuite(target))
        return Error{
            ErrorKind::Device,
            fmt::format("the target found no usable device (exit code 3); 'dormer doctor' shows what "
                        "is missing; {}",
                        kept)};
    if (end.ok() && end.emulated && neverBegan(session))
        return Error{ErrorKind::Target,
                     "the program did not call libcudart.so.13, which the emulator takes the place "
                     "of: build it with nvcc -cudart shared"};
    if (end.ok()) return {};
    // The suite's own way of saying that a result was wrong; verify() says which.
    const bool checkFailed =
        std::ranges::any_of(session.checks(), [](const auto& check) { return !check.passed; });
    if (end.exitCode == static_cast<int>(ErrorKind::GateFailed) && checkFailed) return {};
    return Error{ErrorKind::Target, fmt::format("the target failed with {}; {}",
                                                describe(ExitStatus{end.exitCode, end.signal}), kept)};
}

} // namespace dormer::instrument::launch
