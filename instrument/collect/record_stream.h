// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"

#include <sys/types.h>

#include <mutex>
#include <string>

namespace dormer::instrument::collect {

/// This process's own connection to the launcher, made at its first record, on which records go out as JSON
/// lines, each in one piece. Thread-safe. A child of fork() has no part in it: its first ProcessStart opens
/// another, and what it writes before is dropped. Once the launcher has said farewell, records are dropped:
/// the program must not suffer. A launcher that is gone without it was killed, and so is this process: nobody
/// is left who could stop it. A process that can't connect leaves word for the launcher, and says it on
/// stderr. Must live until the process ends, whose exit code it tells.
class RecordStream {
public:
    explicit RecordStream(std::string launcher);
    void write(const session::Record& record);

private:
    [[nodiscard]] bool connected();
    void end(int status);

    std::string m_launcher;
    std::mutex m_mutex;    ///< guards what follows
    std::string m_name;    ///< of the stream, see stream::kStreamName
    std::string m_pending; ///< lines that wait for a connection
    int m_fd = -1;
    ino_t m_inode = 0; ///< of m_fd, since programs may close it and open another under its number
    pid_t m_pid;       ///< whose stream this is
    bool m_over = false, m_complained = false;
    std::string m_word; ///< left for the launcher, see stream::leaveWord
};

} // namespace dormer::instrument::collect
