// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/remote_run.h"

#include "instrument/launch/remote_stream.h"

#include <fmt/format.h>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace dormer::instrument::launch {

using namespace process;

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
constexpr int kPollMs = 20;
/// The dormer there needs up to three seconds to end what it runs.
constexpr auto kAnswerWithin = 8s;
/// Of what was said on stderr, enough to tell why ssh failed.
constexpr std::size_t kMostSaid = 16384;

/// Whether it is ssh that tells how the connection ended, not the program there.
bool isSshs(std::string_view said) {
    return std::ranges::any_of(std::array{"Connection to ", "Connection closed", "Connection reset",
                                          "client_loop: ", "Timeout, server ", "Read from remote host "},
                               [&](const char* begin) { return said.starts_with(begin); });
}

/// False when nobody reads, without the signal that comes with it: it is not ours to ignore in a whole
/// program.
bool sendWord(int fd, const std::string& word) {
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const bool sent = write(fd, word.data(), word.size()) >= 0;
    const timespec now{};
    if (!sent) sigtimedwait(&pipe, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return sent;
}

/// One run over a connection.
class Connection {
public:
    Connection(const RemoteCommand& command, ChildProcess child, const OnRecord& onRecord)
        : m_command(command), m_child(std::move(child)), m_onRecord(onRecord) {}

    Result<TargetEnd> run(const std::atomic<bool>& stop, const std::atomic<bool>* killNow) {
        while (true) {
            heedStop(stop, killNow);
            // Asked before reading: what was sent is there when ssh is gone.
            const bool exited = m_child.exited();
            const bool heard = receive();
            if (m_otherSchema || (exited && !heard)) break;
        }
        if (m_otherSchema) m_child.signalGroup(SIGKILL);
        while (!m_child.exited())
            poll(nullptr, 0, kPollMs);
        return conclude(m_child.reap());
    }

private:
    void heedStop(const std::atomic<bool>& stop, const std::atomic<bool>* killNow) {
        if (!stop.load(std::memory_order_relaxed)) return;
        if (!m_stopAsked) {
            m_stopAsked = Clock::now();
            const std::string word = std::string(kStopWord) + '\n';
            // A pipe that takes no five bytes has no reader: the end of the connection says it then.
            if (!sendWord(m_child.input(), word)) m_child.closeInput();
        }
        const bool hurried = killNow != nullptr && killNow->load(std::memory_order_relaxed);
        const bool connecting = !m_reader.begun();
        if (!m_left && (hurried || connecting || Clock::now() - *m_stopAsked > kAnswerWithin)) {
            m_left = true;
            m_child.signalGroup(SIGTERM);
        }
    }

    /// True when something came.
    bool receive() {
        std::array<pollfd, 2> waiting{{{m_outputOpen ? m_child.pipe() : -1, POLLIN, 0},
                                       {m_errorsOpen ? m_child.errors() : -1, POLLIN, 0}}};
        poll(waiting.data(), waiting.size(), kPollMs);
        const bool output = read(m_child.pipe(), m_outputOpen, [this](std::string_view bytes) {
            m_lines.feed(bytes, [this](std::string_view line) { take(line); });
        });
        const bool errors =
            read(m_child.errors(), m_errorsOpen, [this](std::string_view bytes) { hear(bytes); });
        return output || errors;
    }

    template <typename Take>
    static bool read(int fd, bool& open, Take take) {
        if (!open) return false;
        std::array<char, 65536> buffer;
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0) {
            take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
            return true;
        }
        open = got < 0 && (errno == EAGAIN || errno == EINTR);
        return false;
    }

    /// Until the stream begins it may tell why it does not; then it is the program's.
    void hear(std::string_view bytes) {
        if (!m_reader.begun()) m_said.append(bytes);
        if (m_said.size() > kMostSaid) m_said.erase(0, m_said.size() - kMostSaid);
        if (!m_reader.begun()) return;
        if (isSshs(bytes))
            m_lastWords = lastLine(bytes);
        else
            fmt::print(stderr, "{}", bytes);
    }

    void take(std::string_view line) {
        JoinedReader::Part part = m_reader.take(line);
        if (const auto* begin = std::get_if<JoinedReader::Begin>(&part)) {
            m_version = begin->version;
            m_otherSchema = begin->schema != kJoinedSchema;
        } else if (auto* record = std::get_if<JoinedReader::Line>(&part)) {
            m_onRecord(record->record, record->process);
        } else if (auto* end = std::get_if<JoinedEnd>(&part)) {
            m_end = std::move(*end);
        }
    }

    Result<TargetEnd> conclude(const ExitStatus& status) {
        const std::string& name = m_command.host.host;
        if (m_otherSchema)
            return failure(
                ErrorKind::Device,
                fmt::format("{}: the dormer there is {}, this one is {}, and their streams differ; "
                            "install the same version on both machines",
                            name, m_version.empty() ? "another version" : m_version, DORMER_VERSION));
        if (m_end && !*m_end)
            return failure(m_end->error().kind, fmt::format("{}: {}", name, m_end->error().message));
        if (!m_end && !m_reader.begun() && m_stopAsked) return stopped();
        if (!m_end && !m_reader.begun())
            return std::unexpected(remoteProblem(m_command.host, status, m_said));
        if (!m_end && m_left) return stopped();
        TargetEnd end;
        if (m_end) {
            end = **m_end;
        } else {
            end.lost = fmt::format("the connection to {} was lost{}", name,
                                   m_lastWords.empty() ? "" : " (" + m_lastWords + ")");
            m_onRecord(session::Note{0, "connection-lost",
                                     end.lost + ": what ran there afterwards is not in this session"},
                       0);
        }
        if (m_reader.badLines() > 0)
            m_onRecord(session::Note{0, "bad-lines",
                                     fmt::format("{} lines from {} could not be read and were dropped",
                                                 m_reader.badLines(), name)},
                       0);
        end.badLines += m_reader.badLines();
        end.stopped = end.stopped || m_stopAsked.has_value();
        return end;
    }

    static Result<TargetEnd> stopped() {
        TargetEnd end;
        end.stopped = true;
        return end;
    }

    const RemoteCommand& m_command;
    ChildProcess m_child;
    const OnRecord& m_onRecord;
    stream::LineReader m_lines;
    JoinedReader m_reader;
    bool m_outputOpen = true, m_errorsOpen = true;
    std::string m_said, m_lastWords, m_version;
    bool m_otherSchema = false;
    std::optional<JoinedEnd> m_end;
    std::optional<Clock::time_point> m_stopAsked;
    bool m_left = false;
};

} // namespace

Result<TargetEnd> runRemote(const RemoteCommand& command, const OnRecord& onRecord,
                            const std::atomic<bool>& stop, const std::atomic<bool>* killNow) {
    auto child = startThere(command.host, command.line);
    if (!child) return std::unexpected(child.error());
    return Connection(command, std::move(*child), onRecord).run(stop, killNow);
}

} // namespace dormer::instrument::launch
