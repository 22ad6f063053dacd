// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/target.h"

#include "instrument/collector_abi.h"
#include "instrument/launch/cuda_program.h"
#include "instrument/launch/process/child_process.h"
#include "instrument/launch/process/descendants.h"
#include "instrument/launch/process/orphan_guard.h"
#include "instrument/launch/remote_run.h"
#include "instrument/stream/launcher_socket.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <span>

namespace dormer::instrument::launch {

using namespace process;

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
constexpr auto kPollInterval = 20ms;
constexpr auto kKillAfter = 2s;
/// Processes that live on after the program that started them: so long may one that uses CUDA stay silent
/// (an emulated kernel takes its time), and so long may others take to begin with it.
constexpr auto kSilenceAfterExit = 60s;
constexpr auto kStartAfterExit = 2s;
constexpr auto kLookInterval = 50ms;
/// After a stop the program's children get so long to write what they have, and we to read it.
constexpr auto kAfterStop = 50ms;
constexpr auto kDrain = 1s;

using Variable = std::pair<std::string, std::string>;

ChildCommand commandFor(const Target& target, const std::string& streamName) {
    ChildCommand command{target.program, target.arguments, {}, ChildOutput::Stderr, target.workingFolder};
    auto& environment = command.environment;
    environment.emplace_back(stream::kStreamEnv, streamName);
    environment.emplace_back(stream::kOptionsEnv, stream::toJson(target.options));
    if (!target.collector.empty()) {
        for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", DORMER_COLLECTOR_ENV})
            environment.emplace_back(name, target.collector.string());
    }
    if (!target.emulator.empty()) {
        // What the program would have anyway comes second.
        const auto putFirst = [&](const char* name, std::string value) {
            const auto theirs = std::ranges::find(target.environment, name, &Variable::first);
            const char* other =
                theirs != target.environment.end() ? theirs->second.c_str() : std::getenv(name);
            if (other != nullptr && *other != '\0') value += std::string(":") + other;
            environment.emplace_back(name, std::move(value));
        };
        const std::filesystem::path folder = target.emulator.parent_path();
        putFirst("LD_LIBRARY_PATH", folder.string());
        const Result<ProgramFacts> facts = readProgram(target.program);
        const std::string handles = (folder / "libdormer-handles.so").string();
        const bool canBeNamed = handles.find_first_of(" :") == std::string::npos; // what divides names there
        if (facts && needsHandles(*facts) && canBeNamed) putFirst("LD_PRELOAD", handles);
        environment.emplace_back("NVTX_INJECTION64_PATH", target.emulator.string());
        environment.emplace_back(DORMER_COLLECTOR_ENV, target.emulator.string());
    }
    // What makes the target ours can't be replaced: with two of a name it would be chance which one counts.
    const std::size_t own = environment.size();
    for (const Variable& added : target.environment)
        if (std::ranges::find(std::span(environment).first(own), added.first, &Variable::first) ==
            std::span(environment).first(own).end())
            environment.push_back(added);
    return command;
}

/// SIGTERM when asked to stop, SIGKILL when that did not help in time.
class Stopper {
public:
    explicit Stopper(const std::atomic<bool>* killNow) : m_killNow(killNow) {}
    void update(const std::atomic<bool>& stop, const ChildProcess& child) {
        if (!stop.load(std::memory_order_relaxed)) return;
        if (!m_asked) {
            m_asked = Clock::now();
            child.signalGroup(SIGTERM);
        } else if (!m_killed && (isHurried() || Clock::now() - *m_asked >= kKillAfter)) {
            m_killed = true;
            child.signalGroup(SIGKILL);
        }
    }
    [[nodiscard]] std::optional<Clock::time_point> asked() const { return m_asked; }

private:
    [[nodiscard]] bool isHurried() const {
        return m_killNow != nullptr && m_killNow->load(std::memory_order_relaxed);
    }

    const std::atomic<bool>* m_killNow;
    std::optional<Clock::time_point> m_asked;
    bool m_killed = false;
};

/// Processes that the program started and did not wait for.
class LeftBehind {
public:
    explicit LeftBehind(pid_t group) : m_group(group) {}

    /// Of a program that ended then: whether more may come.
    [[nodiscard]] bool worthWaiting(const StreamServer& streams, Clock::time_point exitedAt) {
        m_running.clear();
        const Clock::time_point now = Clock::now();
        if (streams.openStreams() > 0)
            return now - std::max(streams.lastHeard(), exitedAt) < kSilenceAfterExit;
        if (now < m_nextLook) return true;
        m_nextLook = now + kLookInterval;
        m_running = runningInGroup(m_group);
        return !m_running.empty() && now - std::max(streams.lastHeard(), exitedAt) < kStartAfterExit;
    }
    /// Those that never said anything, when they were not waited for any more.
    [[nodiscard]] std::string silent() const { return fmt::format("{}", fmt::join(m_running, ", ")); }

private:
    pid_t m_group;
    Clock::time_point m_nextLook{};
    std::vector<std::string> m_running;
};

} // namespace

Result<TargetEnd> runTarget(const Target& target, const OnRecord& onRecord, const std::atomic<bool>& stop) {
    if (target.remote) return runRemote(*target.remote, onRecord, stop, target.killNow);
    Result<StreamServer> streams = StreamServer::open(target.options.kernels);
    if (!streams) return std::unexpected(streams.error());
    Result<ChildProcess> child = ChildProcess::start(commandFor(target, streams->name()));
    if (!child) return std::unexpected(child.error());
    const pid_t pid = child->pid();
    const OrphanGuard guard{pid};

    Stopper stopper{target.killNow};
    LeftBehind leftBehind{pid};
    std::optional<Clock::time_point> exitedAt;
    while (true) {
        stopper.update(stop, *child);
        // Asked before serving: what the target wrote waits for us when it is gone.
        if (!exitedAt && child->exited()) exitedAt = Clock::now();
        const bool heard = streams->serve(kPollInterval, onRecord);
        if (!exitedAt) continue;
        if (stopper.asked()) {
            if (Clock::now() - std::max(*stopper.asked(), *exitedAt) >= (heard ? kKillAfter : kAfterStop))
                break;
        } else if (!heard && !leftBehind.worthWaiting(*streams, *exitedAt)) {
            break;
        }
    }
    if (stopper.asked()) { // children that ignored SIGTERM
        child->signalGroup(SIGKILL);
        const auto until = Clock::now() + kDrain;
        while (Clock::now() < until && streams->serve(kPollInterval, onRecord)) {
        }
    }

    TargetEnd end;
    end.badLines = streams->finish(pid, !stopper.asked(), onRecord);
    if (const std::string left = leftBehind.silent(); !left.empty() && !stopper.asked())
        onRecord(session::Note{0, "left-behind",
                               "the program left running: " + left +
                                   "; what they launch from now on is not recorded"},
                 streams->processOf(pid).value_or(0));
    const ExitStatus status = child->reap();
    end.exitCode = status.exitCode;
    end.signal = status.signal;
    end.stopped = stopper.asked().has_value();
    end.emulated = !target.emulator.empty();
    // A shell that only starts others is none of the session's processes.
    const std::optional<std::uint32_t> own = streams->processOf(pid);
    if (own || streams->processes() == 0)
        onRecord(session::ProcessEnd{end.exitCode, end.signal}, own.value_or(0));
    return end;
}

} // namespace dormer::instrument::launch
