// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/process/stream_server.h"
#include "instrument/stream/launcher_socket.h"

#include <atomic>
#include <cstdlib>
#include <thread>

namespace dormer::tests {

/// Answers this process's own collector which kernels --kernels means, as the launcher does for its target.
class AnsweringLauncher {
public:
    explicit AnsweringLauncher(const std::string& kernels)
        : m_server(instrument::launch::process::StreamServer::open(kernels).value()) {
        setenv(instrument::stream::kStreamEnv, m_server.name().c_str(), 1);
        m_thread = std::thread([this] {
            while (!m_stop)
                m_server.serve(std::chrono::milliseconds{1}, [](const auto&, std::uint32_t) {});
        });
    }
    AnsweringLauncher(const AnsweringLauncher&) = delete;
    AnsweringLauncher& operator=(const AnsweringLauncher&) = delete;
    ~AnsweringLauncher() {
        unsetenv(instrument::stream::kStreamEnv);
        m_stop = true;
        m_thread.join();
    }

private:
    instrument::launch::process::StreamServer m_server;
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

} // namespace dormer::tests
