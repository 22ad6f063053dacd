// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace dormer::tests {

namespace {

using Clock = std::chrono::steady_clock;
/// No call of these tests may take longer, whatever breaks.
constexpr std::chrono::seconds kLimit{120};

[[noreturn]] void becomeDormer(const std::vector<std::string>& arguments, const Environment& environment,
                               int out, int err) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    setenv("DORMER_HOME", DORMER_FAKE_HOME, 1);
    for (const auto& [name, value] : environment)
        setenv(name.c_str(), value.c_str(), 1);
    std::vector<std::string> words{DORMER_BIN_DIR "/dormer"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers.front(), pointers.data());
    _exit(127);
}

} // namespace

std::string CliResult::errorLine() const {
    return err.substr(0, err.find_last_not_of('\n') + 1);
}

bool CliResult::isOneErrorLine() const {
    return err.starts_with("dormer: ") && std::ranges::count(err, '\n') == 1 && err.ends_with('\n');
}

CliResult runCli(const std::vector<std::string>& arguments, const Environment& environment,
                 const std::function<void(pid_t)>& onLine) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipes");
    const auto start = Clock::now();
    const pid_t pid = fork();
    if (pid == 0) becomeDormer(arguments, environment, out[1], err[1]);
    close(out[1]);
    close(err[1]);

    CliResult result;
    std::array<pollfd, 2> waiting{{{out[0], POLLIN, 0}, {err[0], POLLIN, 0}}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        if (Clock::now() - start > kLimit) {
            kill(pid, SIGKILL);
            break;
        }
        poll(waiting.data(), waiting.size(), 100);
        for (pollfd& end : waiting) {
            if (end.fd < 0 || end.revents == 0) continue;
            std::array<char, 65536> buffer;
            const ssize_t got = read(end.fd, buffer.data(), buffer.size());
            if (got <= 0) {
                end.fd = -1;
                continue;
            }
            (&end == &waiting[0] ? result.out : result.err)
                .append(buffer.data(), static_cast<std::size_t>(got));
            if (&end != &waiting[0]) continue;
            const std::chrono::duration<double> at = Clock::now() - start;
            const auto lines = static_cast<std::size_t>(std::ranges::count(result.out, '\n'));
            while (result.outLineAt.size() < lines) {
                result.outLineAt.push_back(at.count());
                if (onLine) onLine(pid);
            }
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    close(out[0]);
    close(err[0]);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    return result;
}

bool emulatorBuilt() {
    return std::filesystem::exists(DORMER_BIN_DIR "/emulator/libcudart.so.13");
}

std::string readFile(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace dormer::tests
