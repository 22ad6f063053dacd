// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/record_stream.h"

#include "instrument/stream/codec.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace dormer::instrument::collect {

namespace {

/// Keeps a closed pipe from killing the program: SIGPIPE is blocked for this thread and taken away if it
/// came.
class WithoutSigpipe {
public:
    WithoutSigpipe() {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    ~WithoutSigpipe() {
        if (sigismember(&m_before, SIGPIPE) == 0) {
            const timespec now = {};
            while (sigtimedwait(&m_pipe, nullptr, &now) == SIGPIPE) {
            }
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    WithoutSigpipe(const WithoutSigpipe&) = delete;
    WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

private:
    sigset_t m_pipe = {}, m_before = {};
};

} // namespace

void RecordStream::write(const session::Record& record) {
    const std::string line = stream::formatRecord(record) + '\n';
    const std::lock_guard lock(m_mutex);
    if (m_fd < 0) return;
    const WithoutSigpipe guard;
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t written = ::write(m_fd, line.data() + done, line.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            m_fd = -1;
            return;
        }
        done += static_cast<std::size_t>(written);
    }
}

} // namespace dormer::instrument::collect
