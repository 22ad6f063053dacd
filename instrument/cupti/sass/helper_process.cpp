// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/helper_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace dormer::instrument::cupti::sass {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

int millisecondsLeft(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

/// Files and attributes of a spawn, freed at the end.
struct Spawn {
    Spawn(int output) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        posix_spawnattr_init(&attributes);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    Spawn(const Spawn&) = delete;
    Spawn& operator=(const Spawn&) = delete;
    ~Spawn() {
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

Result<pid_t> start(const std::string& program, const std::vector<std::string>& arguments, int output) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const char* searched = std::getenv("PATH");
    std::string path = std::string("PATH=") + (searched != nullptr ? searched : "/usr/bin:/bin");
    char* environment[] = {path.data(), nullptr};
    Spawn spawn(output);
    pid_t pid = -1;
    const int error =
        posix_spawn(&pid, program.c_str(), &spawn.actions, &spawn.attributes, argv.data(), environment);
    if (error != 0)
        return failure(ErrorKind::Target, fmt::format("{} can't be run: {}", program, std::strerror(error)));
    return pid;
}

/// All it prints until it closes its output; false when that takes too long or is too much.
bool readAll(int from, Clock::time_point deadline, std::string& text) {
    char buffer[65536];
    while (text.size() < kMostBytes) {
        pollfd ready{from, POLLIN, 0};
        const int count = poll(&ready, 1, millisecondsLeft(deadline));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        const ssize_t got = read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) return true;
        text.append(buffer, static_cast<std::size_t>(got));
    }
    return false;
}

enum class Ended { Running, Unknown, Known };

/// Without waiting. Unknown: the program's own handler has taken the status, or ignores its children.
Ended statusOf(pid_t pid, int& status) {
    const pid_t got = waitpid(pid, &status, WNOHANG);
    if (got == pid) return Ended::Known;
    return got < 0 && errno != EINTR ? Ended::Unknown : Ended::Running;
}

/// Its status, once it has ended by itself or was killed at the deadline.
std::optional<int> await(pid_t pid, Clock::time_point deadline) {
    int status = 0;
    for (bool killed = false;;) {
        const Ended ended = statusOf(pid, status);
        if (ended == Ended::Known) return status;
        if (ended == Ended::Unknown) return std::nullopt;
        if (!killed && Clock::now() >= deadline) {
            kill(-pid, SIGKILL); // it has not been waited for: the number is its own still
            killed = true;
        }
        poll(nullptr, 0, 1);
    }
}

} // namespace

Result<std::string> runHelper(const std::string& program, const std::vector<std::string>& arguments,
                              std::chrono::milliseconds timeout) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return failure(ErrorKind::Target, fmt::format("{} can't be run: {}", program, std::strerror(errno)));
    const Clock::time_point deadline = Clock::now() + timeout;
    const Result<pid_t> pid = start(program, arguments, ends[1]);
    close(ends[1]);
    std::string text;
    const bool complete = pid && readAll(ends[0], deadline, text);
    close(ends[0]);
    if (!pid) return std::unexpected(pid.error());
    const std::optional<int> status = await(*pid, complete ? deadline : Clock::now());
    if (!complete)
        return failure(ErrorKind::Target, fmt::format("{} was stopped after {:.2g} s", program,
                                                      std::chrono::duration<double>(timeout).count()));
    if (status && (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0))
        return failure(ErrorKind::Target, fmt::format("{} failed", program));
    return text;
}

} // namespace dormer::instrument::cupti::sass
