// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace dormer::emulator::exec {

/// Threads that work on one task together with the caller, and sleep in between. A child of fork() has
/// threads of its own.
class Workers {
public:
    /// `count` includes the caller; 0: one for each processor this process may use.
    explicit Workers(unsigned count);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    [[nodiscard]] unsigned count() const { return m_count; }
    /// Calls task(0) here and task(1) … task(useCount - 1) on the other threads; returns when all have ended.
    /// The task must not throw.
    void run(unsigned useCount, const std::function<void(unsigned)>& task);

private:
    /// What the threads of one process share.
    struct Team {
        std::mutex mutex;
        std::condition_variable begin, end;
        const std::function<void(unsigned)>* task = nullptr;
        std::uint64_t generation = 0;
        unsigned use = 0, running = 0;
        bool stop = false;
        std::vector<std::thread> threads;
    };
    [[nodiscard]] std::unique_ptr<Team> assembled() const;
    static void loop(Team& team, unsigned index);

    unsigned m_count;
    pid_t m_pid; ///< whose the team is
    std::unique_ptr<Team> m_team;
};

} // namespace dormer::emulator::exec
