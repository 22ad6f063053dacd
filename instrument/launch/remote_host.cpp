// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/remote_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace dormer::instrument::launch {

using namespace process;

namespace {

constexpr std::string_view kScheme = "ssh:";
/// By which ssh tells that it failed itself, and a shell that there is no such command, or that it can't run.
constexpr int kSshFailed = 255, kNoCommand = 127, kNotExecutable = 126;

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

} // namespace

bool isRemote(std::string_view on) {
    return on.starts_with(kScheme);
}

Result<void> checkHost(std::string_view host) {
    const bool fits = !host.empty() && host.front() != '-' &&
                      std::ranges::all_of(host, [](unsigned char c) { return c > ' ' && c != 0x7f; });
    if (fits) return {};
    return failure(
        ErrorKind::Usage,
        fmt::format("'{}' is no name of a host: expected HOST or USER@HOST, as ssh takes it", host));
}

Result<RemoteChoice> parseRemoteChoice(std::string_view on, const std::string& dormer) {
    on.remove_prefix(std::min(on.size(), kScheme.size()));
    const std::size_t slash = on.find('/');
    RemoteChoice choice;
    choice.host.host = on.substr(0, slash);
    if (!dormer.empty()) choice.host.dormer = dormer;
    if (slash != std::string_view::npos) choice.device = on.substr(slash + 1);
    if (const auto fits = checkHost(choice.host.host); !fits)
        return failure(ErrorKind::Usage, fmt::format("--on ssh:{}: {}", on, fits.error().message));
    return choice;
}

Result<ChildProcess> startThere(const RemoteHost& host, const std::string& line) {
    const char* askpass = std::getenv("SSH_ASKPASS");
    const bool asks = askpass != nullptr && *askpass != '\0';
    ChildCommand command;
    command.program = "ssh";
    command.arguments = {"-T", // no terminal there: the stream must arrive as it is
                         "-o", asks ? "BatchMode=no" : "BatchMode=yes",
                         "-o", "ServerAliveInterval=5",
                         "-o", "ServerAliveCountMax=3",
                         "-o", "ConnectTimeout=15",
                         "--", host.host,
                         line};
    if (asks) command.environment.emplace_back("SSH_ASKPASS_REQUIRE", "force");
    command.output = ChildOutput::Pipe;
    command.converses = true;
    auto child = ChildProcess::start(command);
    if (!child)
        return failure(ErrorKind::Device,
                       child.error().message + "; install OpenSSH's client (openssh-client)");
    return child;
}

std::string lastLine(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t end = text.find_last_not_of(kBlanks);
    if (end == std::string_view::npos) return {};
    text = text.substr(0, end + 1);
    const std::size_t begin = text.find_last_of("\r\n");
    if (begin != std::string_view::npos) text.remove_prefix(begin + 1);
    return std::string(text.substr(text.find_first_not_of(kBlanks)));
}

Error remoteProblem(const RemoteHost& host, const ExitStatus& status, std::string_view said) {
    const std::string& name = host.host;
    const std::string last = lastLine(said);
    const auto device = [](std::string text) { return Error{ErrorKind::Device, std::move(text)}; };
    if (status.exitCode == kSshFailed) {
        if (holds(said, "Could not resolve hostname"))
            return device(
                fmt::format("{}: ssh knows no such host; check the name, or add it to ~/.ssh/config", name));
        if (holds(said, "Host key verification failed"))
            return device(
                fmt::format("{}: its host key is unknown or has changed; run 'ssh {}' once and check "
                            "the key",
                            name, name));
        if (holds(said, "Permission denied"))
            return device(
                fmt::format("{}: ssh was refused ({}), and dormer asks for no password: set up a key "
                            "('ssh-copy-id {}', 'ssh-add'), or name a program in SSH_ASKPASS",
                            name, last, name));
        return device(
            fmt::format("{} can't be reached: {}", name, last.empty() ? "ssh failed without a word" : last));
    }
    if (status.exitCode == kNoCommand)
        return device(fmt::format(
            "{}: there is no '{}'; install Dormer there, or give the path of its dormer", name, host.dormer));
    if (status.exitCode == kNotExecutable)
        return device(fmt::format("{}: '{}' can't be executed there ({})", name, host.dormer, last));
    if (status.exitCode == static_cast<int>(ErrorKind::Usage))
        return device(fmt::format("{}: the dormer there does not understand this one ({}); install the same "
                                  "version on both machines",
                                  name, last));
    return device(fmt::format("{}: '{}' there ended with {} before it said anything{}", name, host.dormer,
                              describe(status), last.empty() ? "" : ": " + last));
}

} // namespace dormer::instrument::launch
