// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/process/child_process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

extern "C" char** environ;

namespace dormer::instrument::launch::process {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxCapturedBytes = std::size_t{16} << 20;

std::string errorText(int code) {
    return std::generic_category().message(code);
}

std::vector<std::string> mergedEnvironment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> merged;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (std::ranges::none_of(added, [&](const auto& pair) { return pair.first == name; }))
            merged.emplace_back(text);
    }
    for (const auto& [name, value] : added)
        merged.push_back(name + "=" + value);
    return merged;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Both ends closed on exec and numbered above the descriptors a child inherits, so that the renumbering in
/// the child can't overwrite one with the other.
Result<std::pair<UniqueFd, UniqueFd>> makePipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return failure(ErrorKind::Target, "can't create a pipe: " + errorText(errno));
    const UniqueFd low0{ends[0]};
    const UniqueFd low1{ends[1]};
    UniqueFd readEnd{fcntl(ends[0], F_DUPFD_CLOEXEC, 16)};
    UniqueFd writeEnd{fcntl(ends[1], F_DUPFD_CLOEXEC, 16)};
    if (readEnd.get() < 0 || writeEnd.get() < 0)
        return failure(ErrorKind::Target, "can't create a pipe: " + errorText(errno));
    return std::pair{std::move(readEnd), std::move(writeEnd)};
}

/// What a child needs, made before fork(): after it, only calls that are safe in a signal handler.
struct Plan {
    const char* program;
    char* const* arguments;
    char* const* environment;
    int output; ///< becomes stdout; -1: stderr does
    int errors; ///< becomes stderr; -1: ours is
    int input;  ///< becomes stdin; -1: ours is
    int failed; ///< gets errno when the program can't be started
    bool noInput;
    pid_t parent;
    const char* folder; ///< to start in; null = ours
};

/// The number under which the child holds Plan::failed.
constexpr int kFailed = STDERR_FILENO + 1;

[[noreturn]] void becomeProgram(const Plan& plan) {
    setpgid(0, 0);
    // SIGKILL when the thread that started us ends. If it did already, nobody would tell.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != plan.parent) _exit(127);
    if (plan.noInput)
        if (const int null = open("/dev/null", O_RDONLY); null >= 0) dup2(null, STDIN_FILENO);
    if (plan.input >= 0) dup2(plan.input, STDIN_FILENO);
    if (plan.errors >= 0) dup2(plan.errors, STDERR_FILENO);
    dup2(plan.output >= 0 ? plan.output : STDERR_FILENO, STDOUT_FILENO);
    dup3(plan.failed, kFailed, O_CLOEXEC);
    closefrom(kFailed + 1);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ})
        std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (plan.folder == nullptr || chdir(plan.folder) == 0)
        execvpe(plan.program, plan.arguments, plan.environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(kFailed, &error, sizeof error);
    _exit(127);
}

/// Not posix_spawn(), which can't tie a child's life to ours. Returns 0, or the error.
int spawn(pid_t& pid, const ChildCommand& command, int output, int errors, int input) {
    auto failed = makePipe();
    if (!failed) return errno;
    std::vector<std::string> arguments{command.program.string()};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> environment = mergedEnvironment(command.environment);
    const std::vector<char*> argumentPointers = pointersTo(arguments);
    const std::vector<char*> environmentPointers = pointersTo(environment);
    // A group in the background that reads the terminal would be stopped for ever.
    const Plan plan{command.program.c_str(),
                    argumentPointers.data(),
                    environmentPointers.data(),
                    output,
                    errors,
                    input,
                    failed->second.get(),
                    isatty(STDIN_FILENO) == 1,
                    getpid(),
                    command.workingFolder.empty() ? nullptr : command.workingFolder.c_str()};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // no handler of ours runs in the child
    pid = fork();
    if (pid == 0) becomeProgram(plan);
    int error = pid < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    failed->second.reset();
    if (pid < 0) return error;
    setpgid(pid, pid); // here too: who signals the group must not come before it
    ssize_t got = 0;
    while ((got = read(failed->first.get(), &error, sizeof error)) < 0 && errno == EINTR) {
    }
    if (got != sizeof error) return 0;
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return error;
}

} // namespace

void UniqueFd::reset() {
    if (m_fd >= 0) close(m_fd);
    m_fd = -1;
}

Result<ChildProcess> ChildProcess::start(const ChildCommand& command) {
    using Ends = std::pair<UniqueFd, UniqueFd>; // to read from, to write to
    Ends output, errors, input;
    const auto open = [](Ends& pipe, bool wanted) -> Result<void> {
        if (!wanted) return {};
        auto ends = makePipe();
        if (!ends) return std::unexpected(ends.error());
        pipe = std::move(*ends);
        return {};
    };
    for (const auto& opened : {open(output, command.output == ChildOutput::Pipe),
                               open(errors, command.converses), open(input, command.converses)})
        if (!opened) return std::unexpected(opened.error());
    for (const int ours : {output.first.get(), errors.first.get()})
        if (ours >= 0) fcntl(ours, F_SETFL, O_NONBLOCK);
    pid_t pid = -1;
    const int error = spawn(pid, command, output.second.get(), errors.second.get(), input.first.get());
    if (error != 0)
        return failure(ErrorKind::Target,
                       fmt::format("can't start {}: {}", command.program.string(), errorText(error)));
    return ChildProcess{pid, std::move(output.first), std::move(errors.first), std::move(input.second)};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1))
    , m_exited(other.m_exited)
    , m_pipe(std::move(other.m_pipe))
    , m_errors(std::move(other.m_errors))
    , m_input(std::move(other.m_input)) {}

ChildProcess::~ChildProcess() {
    if (m_pid < 0) return;
    signalGroup(SIGKILL);
    while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool ChildProcess::exited() {
    if (m_exited) return true;
    // Without reaping: the process id, and with it the group's, stays ours until reap().
    siginfo_t info{};
    const int result = waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT);
    m_exited = (result == 0 && info.si_pid == m_pid) || (result < 0 && errno == ECHILD);
    return m_exited;
}

void ChildProcess::signalGroup(int signal) const {
    if (m_pid > 0) kill(-m_pid, signal);
}

ExitStatus ChildProcess::reap() {
    int status = 0;
    pid_t result = -1;
    while ((result = waitpid(m_pid, &status, 0)) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    ExitStatus end;
    if (result > 0 && WIFEXITED(status)) end.exitCode = WEXITSTATUS(status);
    if (result > 0 && WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    return end;
}

Result<Captured> capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         std::chrono::duration<double> timeout) {
    auto child = ChildProcess::start({program, arguments, {}, ChildOutput::Pipe});
    if (!child) return std::unexpected(child.error());
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
    Captured captured;
    bool open = true;
    while (open || !child->exited()) {
        if (Clock::now() >= deadline) {
            captured.timedOut = true;
            child->signalGroup(SIGKILL);
            break;
        }
        pollfd waiting{child->pipe(), POLLIN, 0};
        // 5 ms: the pipe may be closed, or a child of the helper may hold it, while we wait for the end.
        if (open)
            poll(&waiting, 1, child->exited() ? 0 : 5);
        else
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        std::array<char, 65536> buffer;
        const ssize_t got = open ? read(child->pipe(), buffer.data(), buffer.size()) : 0;
        if (got > 0 && captured.output.size() < kMaxCapturedBytes)
            captured.output.append(buffer.data(), static_cast<std::size_t>(got));
        else if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            open = false;
        else if (got < 0 && child->exited())
            open = false; // what is left belongs to its children
    }
    while (!child->exited())
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    captured.status = child->reap();
    return captured;
}

std::string describe(const ExitStatus& status) {
    if (status.signal) return fmt::format("signal {} ({})", *status.signal, strsignal(*status.signal));
    if (status.exitCode) return fmt::format("exit code {}", *status.exitCode);
    return "an unknown status";
}

} // namespace dormer::instrument::launch::process
