// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What is left when dormer itself is killed: a file with all that had finished, and no process.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>
#include <thread>

using namespace dormer;
using namespace dormer::tests;
using namespace std::chrono_literals;

namespace {

/// A dormer that runs until it is killed.
class RunningCli {
public:
    explicit RunningCli(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), DORMER_BIN_DIR "/dormer");
        m_pid = fork();
        if (m_pid != 0) return;
        const int null = open("/dev/null", O_RDWR);
        for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(null, fd);
        setenv("DORMER_HOME", DORMER_FAKE_HOME, 1);
        std::vector<char*> pointers;
        for (std::string& word : arguments)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        execv(pointers.front(), pointers.data());
        _exit(127);
    }
    RunningCli(const RunningCli&) = delete;
    RunningCli& operator=(const RunningCli&) = delete;
    ~RunningCli() { killNow(); }

    void killNow() {
        if (m_pid <= 0) return;
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
        m_pid = -1;
    }

private:
    pid_t m_pid = -1;
};

bool within(std::chrono::milliseconds limit, const auto& holdsNow) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!holdsNow()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

/// Numbers of processes, one a line, that they have written themselves.
std::vector<pid_t> named(const std::string& file) {
    std::vector<pid_t> pids;
    std::istringstream lines(readFile(file));
    for (pid_t pid = 0; lines >> pid;)
        pids.push_back(pid);
    return pids;
}

/// Gone, or a zombie that nobody here has to bury.
bool gone(pid_t pid) {
    const std::string stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    return stat.empty() || stat.find(") Z") != std::string::npos;
}

} // namespace

TEST_CASE("A killed dormer leaves no process and loses no finished launch", "[processes]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer", pids = folder / "pids";
    {
        const int made = open(pids.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        close(made);
    }
    RunningCli cli({"profile", "--on", "emulator", "-o", file, "--", DORMER_PROCESSES "/dormer_processes",
                    "endless", pids});
    // Two processes, one in a session of its own; each has taken its steps when it names itself.
    REQUIRE(within(20s, [&] { return named(pids).size() == 2; }));
    std::this_thread::sleep_for(100ms);
    const auto running = store::loadSession(file);
    REQUIRE(running);
    CHECK(running->launches().size() == 12);
    for (const pid_t pid : named(pids))
        CHECK_FALSE(gone(pid));

    cli.killNow();
    for (const pid_t pid : named(pids))
        CHECK(within(2s, [pid] { return gone(pid); }));
    const auto left = store::loadSession(file);
    REQUIRE(left);
    CHECK(left->launches().size() == 12);
    for (const session::Launch& launch : left->launches())
        CHECK(launch.counted);
}

TEST_CASE("A killed dormer's target ends with what it started, CUDA or not", "[processes]") {
    const CommandFolder folder;
    const std::string pids = folder / "pids";
    {
        const int made = open(pids.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        close(made);
    }
    RunningCli cli({"profile", "--on", "emulator", "-o", folder / "x.dormer", "--", "bash", "-c",
                    "sleep 100 & echo $! >> " + pids + "; echo $$ >> " + pids + "; wait"});
    REQUIRE(within(20s, [&] { return named(pids).size() == 2; }));
    cli.killNow();
    for (const pid_t pid : named(pids))
        CHECK(within(2s, [pid] { return gone(pid); }));
}
