// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/process/orphan_guard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace dormer::instrument::launch::process {

namespace {
/// A line on stdin ends the watch, its end without one is ours.
char shell[] = "/bin/sh", take[] = "-c",
     script[] = "trap '' HUP INT TERM; read -r line || kill -KILL \"-$0\"", path[] = "PATH=/usr/bin:/bin";
} // namespace

OrphanGuard::OrphanGuard(pid_t group) {
    // Sockets, because writing to one can't raise SIGPIPE.
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    m_lifeline = UniqueFd{ends[0]};
    const UniqueFd theirs{ends[1]};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDIN_FILENO);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    std::string number = std::to_string(group);
    std::array<char*, 5> arguments{shell, take, script, number.data(), nullptr};
    std::array<char*, 2> environment{path, nullptr};
    if (posix_spawn(&m_shell, shell, &actions, &attributes, arguments.data(), environment.data()) != 0)
        m_shell = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

OrphanGuard::~OrphanGuard() {
    if (m_shell < 0) return;
    send(m_lifeline.get(), "\n", 1, MSG_NOSIGNAL);
    m_lifeline.reset();
    while (waitpid(m_shell, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace dormer::instrument::launch::process
