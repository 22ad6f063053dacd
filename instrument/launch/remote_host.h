// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/launch/process/child_process.h"

#include <string>
#include <string_view>

namespace dormer::instrument::launch {

/// Another machine, reached by the system's OpenSSH client with the keys and the configuration of its user.
struct RemoteHost {
    std::string host;              ///< as ssh takes it: a name of ~/.ssh/config, HOST or USER@HOST
    std::string dormer = "dormer"; ///< the program there; "~/" at its beginning is the home folder there
    bool operator==(const RemoteHost&) const = default;
};

/// What --on says of another machine.
struct RemoteChoice {
    RemoteHost host;
    std::string device = "auto"; ///< --on there
};
/// True for "ssh:…".
[[nodiscard]] bool isRemote(std::string_view on);
/// "ssh:HOST" or "ssh:HOST/DEVICE", DEVICE as --on takes it there. An empty `dormer` is the one in the PATH
/// there. ErrorKind::Usage for what is no name of a host.
[[nodiscard]] Result<RemoteChoice> parseRemoteChoice(std::string_view on, const std::string& dormer);
/// ErrorKind::Usage for a name that ssh would take for something else: empty, an option, several words.
[[nodiscard]] Result<void> checkHost(std::string_view host);

/// Starts a command line of a shell there; we hold all three ends of it. Nothing is ever asked on a terminal:
/// ssh runs in batch mode, unless SSH_ASKPASS names a program that asks in a window. A dead network is
/// noticed within 15 s. ErrorKind::Device when there is no ssh.
[[nodiscard]] Result<process::ChildProcess> startThere(const RemoteHost& host, const std::string& line);

/// Why nothing came of it, in one line with a remedy: from how ssh ended and what it, or the program there,
/// said on stderr. ErrorKind::Device.
[[nodiscard]] Error remoteProblem(const RemoteHost& host, const process::ExitStatus& status,
                                  std::string_view said);

/// The last line that holds something, without blanks around it; what a program says last is why it ended.
[[nodiscard]] std::string lastLine(std::string_view text);

} // namespace dormer::instrument::launch
