// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dormer::instrument::launch::process {

/// A file descriptor that closes itself.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : m_fd(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~UniqueFd() { reset(); }
    void reset();
    [[nodiscard]] int get() const { return m_fd; }

private:
    int m_fd = -1;
};

/// Where what a child prints goes.
enum class ChildOutput {
    Stderr, ///< stdout joins stderr, which is ours
    Pipe    ///< stdout is a pipe that we read
};

struct ChildCommand {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment; ///< added to ours, replacing
    ChildOutput output = ChildOutput::Stderr;
    std::filesystem::path workingFolder{}; ///< empty: ours
    bool converses = false;                ///< stdin and stderr are pipes of ours, too
};

/// How a process ended, as the kernel says.
struct ExitStatus {
    std::optional<std::int32_t> exitCode;
    std::optional<std::int32_t> signal;
};

/// A running program in a process group of its own, so that ending it ends its children, and Ctrl-C in our
/// terminal does not reach it before we have saved what there is. It inherits 0, 1 and 2, nothing else.
/// Destroying it kills what still runs, and so does the end of the thread that started it, by whatever cause:
/// the kernel sees to that.
class ChildProcess {
public:
    /// ErrorKind::Target when the program can't be started.
    [[nodiscard]] static Result<ChildProcess> start(const ChildCommand& command);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// Our end of the pipe, non-blocking; -1 where there is none.
    [[nodiscard]] int pipe() const { return m_pipe.get(); }
    /// Where it converses: our end of its stderr, non-blocking, and of its stdin. -1 where there is none.
    [[nodiscard]] int errors() const { return m_errors.get(); }
    [[nodiscard]] int input() const { return m_input.get(); }
    /// It reads the end of its stdin from now on.
    void closeInput() { m_input.reset(); }
    /// True once the program itself is gone; its children may live on.
    [[nodiscard]] bool exited();
    /// Signals the whole group.
    void signalGroup(int signal) const;
    /// Frees the process entry. Precondition: exited().
    [[nodiscard]] ExitStatus reap();

private:
    ChildProcess(pid_t pid, UniqueFd pipe, UniqueFd errors, UniqueFd input)
        : m_pid(pid), m_pipe(std::move(pipe)), m_errors(std::move(errors)), m_input(std::move(input)) {}
    pid_t m_pid = -1; ///< -1 once reaped
    bool m_exited = false;
    UniqueFd m_pipe, m_errors, m_input;
};

/// What a short-lived helper program printed.
struct Captured {
    std::string output;
    ExitStatus status;
    bool timedOut = false; ///< it was killed because it took too long
};

/// Runs a helper to its end, for at most `timeout`, keeping at most 16 MiB of its stdout.
[[nodiscard]] Result<Captured> capture(const std::filesystem::path& program,
                                       const std::vector<std::string>& arguments,
                                       std::chrono::duration<double> timeout);

/// "exit code 3", "signal 11 (Segmentation fault)".
[[nodiscard]] std::string describe(const ExitStatus& status);

} // namespace dormer::instrument::launch::process
