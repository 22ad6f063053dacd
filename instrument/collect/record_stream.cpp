// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/record_stream.h"

#include "instrument/collect/launcher_watch.h"
#include "instrument/collect/process_facts.h"
#include "instrument/stream/codec.h"
#include "instrument/stream/launcher_socket.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace dormer::instrument::collect {

namespace {

/// Away from the numbers that programs count on.
constexpr int kLowestDescriptor = 200;
/// While no connection can be made, so many bytes of records wait.
constexpr std::size_t kMostPending = std::size_t{4} << 20;

ino_t inodeOf(int fd) {
    struct stat facts {};
    return fstat(fd, &facts) == 0 && S_ISSOCK(facts.st_mode) ? facts.st_ino : 0;
}

int connectHigh(const std::string& launcher) {
    const int fd = stream::connectTo(launcher);
    const int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, kLowestDescriptor);
    if (high < 0) return fd; // more than the program may have
    close(fd);
    return high;
}

} // namespace

RecordStream::RecordStream(std::string launcher) : m_launcher(std::move(launcher)), m_pid(getpid()) {
    on_exit([](int status, void* self) { static_cast<RecordStream*>(self)->end(status); }, this);
}

bool RecordStream::connected() {
    if (m_fd >= 0 && inodeOf(m_fd) == m_inode) return true;
    m_fd = connectHigh(m_launcher);
    if (m_fd < 0) {
        if (!std::exchange(m_complained, true)) {
            const char* why = std::strerror(errno);
            fmt::print(stderr,
                       "dormer: process {} can't reach the launcher ({}): what it does is not recorded\n",
                       m_pid, why);
            std::error_code error; // a link is read without a descriptor
            const std::string program = std::filesystem::read_symlink("/proc/self/exe", error);
            m_word = stream::leaveWord(m_launcher, fmt::format("{} ({})", program, why));
        }
        return false;
    }
    if (!m_over) stream::withdrawWord(std::exchange(m_word, {})); // all that waited goes out now
    m_inode = inodeOf(m_fd);
    if (m_name.empty()) m_name = fmt::format("{}-{}", m_pid, nowNs());
    m_pending.insert(0, stream::kStreamName + m_name + '\n');
    watchLauncher(m_fd);
    return true;
}

void RecordStream::write(const session::Record& record) {
    const std::lock_guard lock(m_mutex);
    if (getpid() != m_pid) { // of a child of fork()
        if (!std::holds_alternative<session::ProcessStart>(record)) return;
        if (m_fd >= 0 && inodeOf(m_fd) == m_inode) close(m_fd);
        m_fd = -1;
        m_pid = getpid();
        m_name.clear();
        m_pending.clear();
        m_over = m_complained = false;
        m_word.clear();
    }
    if (m_over) return;
    m_pending += stream::formatRecord(record) + '\n';
    if (connected()) {
        m_over = !stream::sendAll(m_fd, m_pending);
        m_pending.clear();
    } else if (m_pending.size() > kMostPending) {
        m_over = true;
        m_pending = {};
    }
}

void RecordStream::end(int status) {
    if (getpid() != m_pid || m_fd < 0) return; // of others, or nothing was told
    write(session::ProcessEnd{status & 0xff, {}});
}

} // namespace dormer::instrument::collect
