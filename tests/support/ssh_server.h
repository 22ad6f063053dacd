// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_folder.h"

#include <sys/types.h>

#include <map>
#include <string>

namespace dormer::tests {

/// OpenSSH's server on loopback for one test: keys, configuration and port of its own, any user. While it
/// lives, the `ssh` that is first in this process's PATH reads a configuration in which the server is the
/// host "there", "stranger" is the same with an unknown host key, "locked" one that takes no key of ours, and
/// "asleep" a port where nobody listens.
class SshServer {
public:
    /// False where OpenSSH's server is not installed.
    [[nodiscard]] static bool available();
    SshServer();
    ~SshServer();
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;

    /// Ends the connections that are open, without a word, as a cut cable does.
    void cutConnections() const;
    [[nodiscard]] int connections() const;
    /// A script in a folder with a blank and a quote in its name: the dormer that was built, with these
    /// variables, which a connection does not carry.
    [[nodiscard]] std::string dormer(const std::map<std::string, std::string>& environment) const;
    /// The folder of that script; what tests put there is reached by a path that needs quotes.
    [[nodiscard]] std::filesystem::path folder() const { return m_folder / "a user's folder"; }

private:
    void makeKeys();
    void start();
    TemporaryFolder m_folder;
    std::string m_path; ///< before
    int m_port = 0;
    pid_t m_pid = -1;
};

} // namespace dormer::tests
