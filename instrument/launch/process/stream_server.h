// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/names/name_filter.h"
#include "analysis/session/record.h"
#include "instrument/launch/process/child_process.h"
#include "instrument/stream/line_reader.h"

#include <chrono>
#include <deque>
#include <functional>
#include <list>

namespace dormer::instrument::launch::process {

/// A record, and which process of the session it comes from: they are numbered as their first records come.
using OnRecord = std::function<void(const session::Record& record, std::uint32_t process)>;

/// The launcher's side of the record streams: every process of a target connects to it by itself, any number
/// at once, each its own row of the session. What can't be read is held back in the senders, not here. It
/// also answers which kernels --kernels means: collectors live in foreign programs, where the matcher can't
/// follow (RE2 would be one library more to find there).
class StreamServer {
public:
    /// ErrorKind::Usage for an invalid --kernels, ErrorKind::Target when there can't be a socket.
    [[nodiscard]] static Result<StreamServer> open(const std::string& kernels);

    /// What targets get as DORMER_STREAM.
    [[nodiscard]] const std::string& name() const { return m_name; }

    /// Waits for at most that long until somebody has something to say, and hands it on. True when there was
    /// something.
    bool serve(std::chrono::milliseconds wait, const OnRecord& onRecord);

    /// Streams of processes that still live.
    [[nodiscard]] std::size_t openStreams() const;
    /// When a record last came.
    [[nodiscard]] std::chrono::steady_clock::time_point lastHeard() const { return m_lastHeard; }
    /// The process that runs, or ran, under that number; the last one of several (exec). Nothing when it sent
    /// no record.
    [[nodiscard]] std::optional<std::uint32_t> processOf(pid_t pid) const;
    [[nodiscard]] std::size_t processes() const { return m_processes.size(); }

    /// Ends all streams. Each process but the target's own, `main`, gets what it said of its own end; notes
    /// tell of what could not be read and of processes that ended without a word. With `farewell`, processes
    /// that still live go on, unrecorded and named by a note; without, they end.
    /// Returns how many lines were no records.
    std::size_t finish(pid_t main, bool farewell, const OnRecord& onRecord);

private:
    using Clock = std::chrono::steady_clock;

    /// A process and what it left out.
    struct Sender {
        pid_t pid = 0;
        std::string stream; ///< its name, empty when it gave none
        std::string program;
        std::optional<session::ProcessEnd> end; ///< by its own word
        std::size_t badLines = 0;
        std::string firstProblem;
    };
    struct Connection {
        UniqueFd fd;
        UniqueFd life; ///< readable when its process is gone; absent where the kernel can't tell
        pid_t pid = 0;
        bool gone = false;
        std::string stream;
        std::optional<std::uint32_t> process;
        stream::LineReader reader{};
    };

    StreamServer(std::string name, UniqueFd listening, std::optional<session::NameFilter> filter)
        : m_name(std::move(name)), m_listening(std::move(listening)), m_filter(std::move(filter)) {}

    bool acceptAll(const OnRecord& onRecord);
    bool receive(Connection& connection, const OnRecord& onRecord);
    void take(Connection& connection, std::string_view line, const OnRecord& onRecord);
    void answer(const Connection& connection, std::string_view question) const;
    Sender& senderOf(Connection& connection);
    void close(Connection& connection, const OnRecord& onRecord);
    [[nodiscard]] std::string called(const Sender& sender) const;

    std::string m_name;
    UniqueFd m_listening;
    std::optional<session::NameFilter> m_filter;
    std::list<Connection> m_connections;
    std::deque<Sender> m_processes; ///< by number
    Clock::time_point m_lastHeard = Clock::now();
    bool m_refused = false, m_full = false;
};

} // namespace dormer::instrument::launch::process
