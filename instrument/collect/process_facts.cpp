// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/process_facts.h"

#include "instrument/stream/launcher_socket.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

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
