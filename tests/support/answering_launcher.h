// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/filter_answers.h"
#include "instrument/stream/collect_options.h"

#include <poll.h>

#include <cstdlib>
#include <thread>

namespace dormer::tests {

/// Answers this process's own collector which kernels --kernels means, as the launcher does for its target.
class AnsweringLauncher {
public:
    explicit AnsweringLauncher(const std::string& kernels)
        : m_answers(instrument::launch::FilterAnswers::open(kernels).value()) {
        setenv(instrument::stream::kFilterFdEnv, std::to_string(m_answers.targetEnd()).c_str(), 1);
        m_thread = std::thread([this] {
            while (m_answers.fd() >= 0) {
                pollfd waiting{m_answers.fd(), POLLIN, 0};
                poll(&waiting, 1, -1);
                m_answers.answer();
            }
        });
    }
    AnsweringLauncher(const AnsweringLauncher&) = delete;
    AnsweringLauncher& operator=(const AnsweringLauncher&) = delete;
    ~AnsweringLauncher() {
        unsetenv(instrument::stream::kFilterFdEnv);
        m_answers.closeTargetEnd();
        m_thread.join();
    }

private:
    instrument::launch::FilterAnswers m_answers;
    std::thread m_thread;
};

} // namespace dormer::tests
