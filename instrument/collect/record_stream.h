// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"

#include <mutex>

namespace dormer::instrument::collect {

/// Writes records as JSON lines to the file descriptor the launcher handed down. Thread-safe; a line goes out
/// in one piece. Once the launcher is gone, records are dropped: the program must not suffer.
class RecordStream {
public:
    explicit RecordStream(int fd) : m_fd(fd) {}
    void write(const session::Record& record);

private:
    std::mutex m_mutex;
    int m_fd;
};

} // namespace dormer::instrument::collect
