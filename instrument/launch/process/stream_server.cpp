// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/process/stream_server.h"

#include "instrument/stream/codec.h"
#include "instrument/stream/launcher_socket.h"

#include <fmt/format.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <random>

namespace dormer::instrument::launch::process {

namespace {

/// Of each process in turn, so that none keeps the others waiting.
constexpr std::size_t kMostAtOnce = std::size_t{64} << 10;

/// Who connected, and as which user.
std::optional<ucred> peerOf(int fd) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
    return peer;
}

std::string freshName() {
    std::random_device random;
    return fmt::format("dormer-{}-{:08x}{:08x}", getpid(), random(), random());
}

} // namespace

Result<StreamServer> StreamServer::open(const std::string& kernels) {
    std::optional<session::NameFilter> filter;
    if (!kernels.empty()) {
        auto compiled = session::NameFilter::compile(kernels, "--kernels");
        if (!compiled) return std::unexpected(compiled.error());
        filter = std::move(*compiled);
    }
    std::string name = freshName();
    UniqueFd listening{stream::listenAs(name)};
    if (listening.get() < 0)
        return failure(ErrorKind::Target, std::string("can't make a socket: ") + std::strerror(errno));
    return StreamServer{std::move(name), std::move(listening), std::move(filter)};
}

bool StreamServer::serve(std::chrono::milliseconds wait, const OnRecord& onRecord) {
    std::vector<pollfd> waiting{{m_full ? -1 : m_listening.get(), POLLIN, 0}};
    for (const Connection& connection : m_connections) {
        waiting.push_back({connection.fd.get(), POLLIN, 0});
        waiting.push_back({connection.life.get(), POLLIN, 0});
    }
    if (poll(waiting.data(), waiting.size(), static_cast<int>(wait.count())) < 0) return false;
    bool any = false;
    std::size_t at = 1;
    for (Connection& connection : m_connections) {
        const bool readable = waiting[at].revents != 0;
        const bool died = waiting[at + 1].revents != 0;
        at += 2;
        // Known before reading: what it wrote is there when it is gone.
        connection.gone = connection.gone || died;
        if (readable || connection.gone) any = receive(connection, onRecord) || any;
    }
    std::erase_if(m_connections, [](const Connection& connection) { return connection.fd.get() < 0; });
    return acceptAll(onRecord) || any;
}

bool StreamServer::acceptAll(const OnRecord& onRecord) {
    bool any = false;
    while (true) {
        UniqueFd fd{accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
        if (fd.get() < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            const bool full = errno == EMFILE || errno == ENFILE;
            if (full && !m_full)
                onRecord(session::Note{0, "many-processes",
                                       fmt::format("{} processes at once are more than dormer may listen to: "
                                                   "the next ones wait until others end; raise 'ulimit -n'",
                                                   m_connections.size())},
                         0);
            m_full = full;
            return any;
        }
        any = true;
        const std::optional<ucred> peer = peerOf(fd.get());
        // Names of sockets are no secret: other users' processes stay out.
        if (!peer || (peer->uid != geteuid() && peer->uid != 0 && geteuid() != 0)) {
            if (!std::exchange(m_refused, true))
                onRecord(session::Note{0, "other-user",
                                       fmt::format("process {} runs as another user: it is not recorded",
                                                   peer ? peer->pid : 0)},
                         0);
            continue;
        }
        Connection connection{.fd = std::move(fd), .life = {}, .pid = peer->pid, .stream = {}, .process = {}};
        if (peer->pid > 0) {
            connection.life = UniqueFd{static_cast<int>(syscall(SYS_pidfd_open, peer->pid, 0))};
            connection.gone = connection.life.get() < 0 && errno == ESRCH;
        }
        m_connections.push_back(std::move(connection));
    }
}

bool StreamServer::receive(Connection& connection, const OnRecord& onRecord) {
    std::array<char, kMostAtOnce> buffer;
    const ssize_t got = read(connection.fd.get(), buffer.data(), buffer.size());
    if (got > 0) {
        connection.reader.feed({buffer.data(), static_cast<std::size_t>(got)},
                               [&](std::string_view line) { take(connection, line, onRecord); });
        return true;
    }
    // A child of its may hold the connection of a process that is gone.
    const bool nothingYet = got < 0 && (errno == EAGAIN || errno == EINTR);
    if (!nothingYet || connection.gone) close(connection, onRecord);
    return !nothingYet;
}

StreamServer::Sender& StreamServer::senderOf(Connection& connection) {
    if (!connection.process) {
        const auto known = std::ranges::find_if(m_processes, [&](const Sender& sender) {
            return !connection.stream.empty() && sender.stream == connection.stream;
        });
        connection.process = static_cast<std::uint32_t>(known - m_processes.begin());
        if (known == m_processes.end()) {
            Sender sender;
            sender.pid = connection.pid;
            sender.stream = connection.stream;
            m_processes.push_back(std::move(sender));
        }
    }
    return m_processes[*connection.process];
}

void StreamServer::take(Connection& connection, std::string_view line, const OnRecord& onRecord) {
    if (line.front() == stream::kQuestion) return answer(connection, line.substr(1));
    if (line.front() == stream::kStreamName) {
        connection.stream = line.substr(1);
        return;
    }
    m_lastHeard = Clock::now();
    Sender& sender = senderOf(connection);
    const Result<session::Record> record = stream::parseRecord(line);
    if (!record) {
        ++sender.badLines;
        if (sender.firstProblem.empty()) sender.firstProblem = record.error().message;
    } else if (const auto* end = std::get_if<session::ProcessEnd>(&*record)) {
        sender.end = *end;
    } else {
        if (const auto* start = std::get_if<session::ProcessStart>(&*record)) {
            sender.program = start->process.program;
            if (sender.pid == 0) sender.pid = start->process.pid;
        }
        onRecord(*record, *connection.process);
    }
}

void StreamServer::answer(const Connection& connection, std::string_view question) const {
    const std::size_t middle = question.find(stream::kQuestionBreak);
    const std::string_view kernel =
        middle == std::string_view::npos ? "" : std::string_view(question).substr(middle + 1);
    const bool kept = !m_filter || m_filter->matches(question.substr(0, middle), kernel);
    const char word = kept ? '1' : '0';
    send(connection.fd.get(), &word, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void StreamServer::close(Connection& connection, const OnRecord& onRecord) {
    // A last line without its end is a record when it is whole, else the mark of a process cut short.
    if (const std::string last = connection.reader.unfinished(); !last.empty())
        take(connection, last, onRecord);
    if (const std::size_t dropped = connection.reader.droppedLines(); dropped > 0) {
        Sender& sender = senderOf(connection);
        sender.badLines += dropped;
        if (sender.firstProblem.empty()) sender.firstProblem = "longer than 8 MiB";
    }
    connection.fd.reset();
}

std::size_t StreamServer::openStreams() const {
    return m_connections.size();
}

std::optional<std::uint32_t> StreamServer::processOf(pid_t pid) const {
    const auto last = std::ranges::find(m_processes.rbegin(), m_processes.rend(), pid, &Sender::pid);
    if (last == m_processes.rend()) return std::nullopt;
    return static_cast<std::uint32_t>(m_processes.rend() - last - 1);
}

std::string StreamServer::called(const Sender& sender) const {
    const std::size_t slash = sender.program.rfind('/');
    return fmt::format("process {} ({})", sender.pid,
                       sender.program.empty()       ? "unnamed"
                       : slash == std::string::npos ? sender.program
                                                    : sender.program.substr(slash + 1));
}

std::size_t StreamServer::finish(pid_t main, bool farewell, const OnRecord& onRecord) {
    for (Connection& connection : m_connections) {
        const bool lives = connection.fd.get() >= 0 && !connection.gone;
        if (farewell && lives) {
            const char word = stream::kFarewell;
            send(connection.fd.get(), &word, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
            Sender& sender = senderOf(connection);
            sender.end.emplace(); // not the end, but it is accounted for
            onRecord(session::Note{0, "left-behind",
                                   fmt::format("{} goes on after the program that started it: what it does "
                                               "from now on is not recorded",
                                               called(sender))},
                     *connection.process);
        }
        close(connection, onRecord);
    }
    m_connections.clear();
    m_listening.reset();

    for (const stream::Word& word : stream::takeWords(m_name))
        onRecord(session::Note{0, "process-unrecorded",
                               fmt::format("process {} could not reach dormer: what it did is not in this "
                                           "session; it ran {}",
                                           word.pid, word.text)},
                 0);
    std::size_t badLines = 0;
    for (std::uint32_t process = 0; process < m_processes.size(); ++process) {
        const Sender& sender = m_processes[process];
        badLines += sender.badLines;
        if (sender.badLines > 0)
            onRecord(
                session::Note{0, "bad-lines",
                              fmt::format("{} {} from {} could not be read and {} dropped; the first: {}",
                                          sender.badLines, sender.badLines == 1 ? "line" : "lines",
                                          called(sender), sender.badLines == 1 ? "was" : "were",
                                          sender.firstProblem)},
                process);
        if (sender.pid == main || processOf(sender.pid) != process) continue; // or it became another program
        if (!sender.end)
            onRecord(session::Note{0, "no-farewell",
                                   fmt::format("{} ended without a word (a signal, _exit or exec): its exit "
                                               "code is not known, and what it copied in its last 0.2 s may "
                                               "be missing",
                                               called(sender))},
                     process);
        else if (sender.end->exitCode || sender.end->signal)
            onRecord(*sender.end, process);
    }
    return badLines;
}

} // namespace dormer::instrument::launch::process
