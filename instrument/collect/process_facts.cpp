// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/process_facts.h"

#include "instrument/stream/launcher_socket.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace dormer::instrument::collect {

namespace {

/// Program and arguments as the kernel knows them.
std::vector<std::string> commandLine() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\0', begin), bytes.size());
        words.push_back(bytes.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

std::string hostName() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

} // namespace

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::int64_t processAgeNs() {
    std::ifstream file("/proc/self/stat");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    // Fields follow the program's name, which may hold anything, in parentheses; the 22nd of all is its start
    // in ticks since the machine's (proc_pid_stat(5)).
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    constexpr int kFieldsBetween = 19;
    std::string field;
    for (int i = 0; i < kFieldsBetween; ++i)
        fields >> field;
    std::int64_t startTicks = 0;
    timespec now = {};
    if (!(fields >> startTicks) || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
    constexpr std::int64_t kSecond = 1'000'000'000;
    return std::max<std::int64_t>(0, now.tv_sec * kSecond + now.tv_nsec -
                                         startTicks * (kSecond / sysconf(_SC_CLK_TCK)));
}

session::Process describeProcess() {
    session::Process process;
    process.pid = getpid();
    process.host = hostName();
    std::vector<std::string> words = commandLine();
    if (!words.empty()) {
        process.program = words.front();
        process.arguments.assign(words.begin() + 1, words.end());
    }
    process.toolVersion = DORMER_VERSION;
    process.startUnixNs = nowNs();
    return process;
}

std::string launcherName() {
    const char* name = std::getenv(stream::kStreamEnv);
    return name == nullptr ? "" : name;
}

stream::CollectOptions collectOptions(std::vector<session::Note>& notes) {
    const char* json = std::getenv(stream::kOptionsEnv);
    if (json == nullptr) return {};
    Result<stream::CollectOptions> options = stream::collectOptionsFromJson(json);
    if (options) return *options;
    notes.push_back({0, "bad-options", options.error().message});
    return {};
}

std::vector<std::string>& workloadStack() {
    thread_local std::vector<std::string> stack;
    return stack;
}

std::string currentWorkload() {
    return workloadStack().empty() ? std::string() : workloadStack().back();
}

namespace {
thread_local std::uint64_t runOfThread = 0;
void nextRun() {
    static std::atomic<std::uint64_t> last{0};
    runOfThread = ++last;
}
} // namespace

void enterWorkload(const char* name) {
    workloadStack().emplace_back(name);
    nextRun();
}

void leaveWorkload() {
    if (workloadStack().empty()) return;
    workloadStack().pop_back();
    nextRun();
}

std::uint64_t workloadRun() {
    return runOfThread;
}

} // namespace dormer::instrument::collect
