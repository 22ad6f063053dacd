// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/target.h"

#include "instrument/collector_abi.h"
#include "instrument/launch/child_process.h"
#include "instrument/launch/filter_answers.h"
#include "instrument/stream/codec.h"
#include "instrument/stream/line_reader.h"

#include <fmt/format.h>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>

namespace dormer::instrument::launch {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
constexpr auto kPollInterval = 20ms;
constexpr auto kKillAfter = 2s;
/// A grandchild may hold the pipe after the target is gone: so long may it stay silent, and so long may it
/// talk.
constexpr auto kSilenceAfterExit = 300ms;
constexpr auto kTalkAfterExit = 5s;

ChildCommand commandFor(const Target& target, const std::optional<FilterAnswers>& answers) {
    ChildCommand command{target.program, target.arguments, {}, PipeTo::StreamFd};
    auto& environment = command.environment;
    environment.emplace_back(stream::kStreamFdEnv, std::to_string(kTargetStreamFd));
    environment.emplace_back(stream::kOptionsEnv, stream::toJson(target.options));
    if (answers) {
        command.filterFd = answers->targetEnd();
        environment.emplace_back(stream::kFilterFdEnv, std::to_string(kTargetFilterFd));
    }
    if (!target.collector.empty()) {
        for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", DORMER_COLLECTOR_ENV})
            environment.emplace_back(name, target.collector.string());
    }
    if (!target.emulator.empty()) {
        std::string folders = target.emulator.parent_path().string();
        if (const char* ours = std::getenv("LD_LIBRARY_PATH"); ours != nullptr && *ours != '\0')
            folders += std::string(":") + ours;
        environment.emplace_back("LD_LIBRARY_PATH", std::move(folders));
        environment.emplace_back("NVTX_INJECTION64_PATH", target.emulator.string());
        environment.emplace_back(DORMER_COLLECTOR_ENV, target.emulator.string());
    }
    environment.insert(environment.end(), target.environment.begin(), target.environment.end());
    return command;
}

/// Turns the target's bytes into records. What the target says about its own end is held back: the kernel
/// knows better.
class StreamDecoder {
public:
    explicit StreamDecoder(const std::function<void(const session::Record&)>& onRecord)
        : m_onRecord(onRecord) {}

    void feed(std::string_view bytes) {
        m_reader.feed(bytes, [this](std::string_view line) { decode(line); });
    }

    /// Precondition: no more feed(). Returns how many lines were no records.
    std::size_t finish() {
        // A last line without its end is a record when it is whole, else the mark of a target cut short.
        if (!m_reader.unfinished().empty()) decode(std::string{m_reader.unfinished()});
        m_badLines += m_reader.droppedLines();
        if (m_badLines > 0) {
            session::Note note;
            note.code = "bad-lines";
            note.text =
                fmt::format("{} {} from the target could not be read and {} dropped; the first: {}",
                            m_badLines, m_badLines == 1 ? "line" : "lines", m_badLines == 1 ? "was" : "were",
                            m_firstProblem.empty() ? "longer than 8 MiB" : m_firstProblem);
            m_onRecord(note);
        }
        return m_badLines;
    }

private:
    void decode(std::string_view line) {
        const Result<session::Record> record = stream::parseRecord(line);
        if (!record) {
            ++m_badLines;
            if (m_firstProblem.empty()) m_firstProblem = record.error().message;
        } else if (!std::holds_alternative<session::ProcessEnd>(*record)) {
            m_onRecord(*record);
        }
    }

    const std::function<void(const session::Record&)>& m_onRecord;
    stream::LineReader m_reader;
    std::size_t m_badLines = 0;
    std::string m_firstProblem;
};

enum class ReadResult { Data, Nothing, Closed };

ReadResult readOnce(int fd, StreamDecoder& decoder) {
    std::array<char, 65536> buffer;
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got > 0) {
        decoder.feed({buffer.data(), static_cast<std::size_t>(got)});
        return ReadResult::Data;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return ReadResult::Nothing;
    return ReadResult::Closed;
}

/// SIGTERM when asked to stop, SIGKILL when that did not help in time.
class Stopper {
public:
    void update(const std::atomic<bool>& stop, const ChildProcess& child) {
        if (!stop.load(std::memory_order_relaxed)) return;
        if (!m_asked) {
            m_asked = Clock::now();
            child.signalGroup(SIGTERM);
        } else if (!m_killed && Clock::now() - *m_asked >= kKillAfter) {
            m_killed = true;
            child.signalGroup(SIGKILL);
        }
    }
    [[nodiscard]] bool asked() const { return m_asked.has_value(); }

private:
    std::optional<Clock::time_point> m_asked;
    bool m_killed = false;
};

} // namespace

Result<TargetEnd> runTarget(const Target& target, const std::function<void(const session::Record&)>& onRecord,
                            const std::atomic<bool>& stop) {
    std::optional<FilterAnswers> answers;
    if (!target.options.kernels.empty()) {
        Result<FilterAnswers> opened = FilterAnswers::open(target.options.kernels);
        if (!opened) return std::unexpected(opened.error());
        answers = std::move(*opened);
    }
    Result<ChildProcess> child = ChildProcess::start(commandFor(target, answers));
    if (!child) return std::unexpected(child.error());
    if (answers) answers->closeTargetEnd();

    StreamDecoder decoder{onRecord};
    Stopper stopper;
    bool open = true;
    std::optional<Clock::time_point> exitedAt;
    Clock::time_point lastData = Clock::now();
    while (true) {
        if (!exitedAt) stopper.update(stop, *child); // a target already gone was not stopped by us
        // Asked before reading: what the target wrote is in the pipe when it is gone.
        if (!exitedAt && child->exited()) exitedAt = Clock::now();
        if (exitedAt && !open) break;
        // Without the stream the target may still ask which kernels count.
        std::array<pollfd, 2> waiting{pollfd{open ? child->pipe() : -1, POLLIN, 0},
                                      pollfd{answers ? answers->fd() : -1, POLLIN, 0}};
        poll(waiting.data(), waiting.size(), static_cast<int>(kPollInterval.count()));
        if (waiting[1].revents != 0) answers->answer();
        if (open) {
            const ReadResult result = readOnce(child->pipe(), decoder);
            if (result == ReadResult::Data) lastData = Clock::now();
            open = result != ReadResult::Closed;
        }
        if (exitedAt && open) {
            const auto now = Clock::now();
            const auto grace = stopper.asked() ? 50ms : kSilenceAfterExit;
            const bool silent = now - std::max(lastData, *exitedAt) >= grace;
            if ((silent && now - *exitedAt >= grace) || now - *exitedAt >= kTalkAfterExit) break;
        }
    }
    if (stopper.asked()) child->signalGroup(SIGKILL); // children that ignored SIGTERM

    TargetEnd end;
    end.badLines = decoder.finish();
    const ExitStatus status = child->reap();
    end.exitCode = status.exitCode;
    end.signal = status.signal;
    end.stopped = stopper.asked();
    onRecord(session::ProcessEnd{end.exitCode, end.signal});
    return end;
}

} // namespace dormer::instrument::launch
