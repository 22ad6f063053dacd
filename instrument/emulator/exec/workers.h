// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dormer::emulator::exec {

/// Threads that work on one task together with the caller, and sleep in between.
class Workers {
public:
    /// `count` includes the caller; 0: one for each processor this process may use.
    explicit Workers(unsigned count);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(m_threads.size()) + 1; }
    /// Calls task(0) here and task(1) … task(useCount - 1) on the other threads; returns when all have ended.
    /// The task must not throw.
    void run(unsigned useCount, const std::function<void(unsigned)>& task);

private:
    void loop(unsigned index);

    std::mutex m_mutex;
    std::condition_variable m_begin, m_end;
    const std::function<void(unsigned)>* m_task = nullptr;
    std::uint64_t m_generation = 0;
    unsigned m_use = 0;
    unsigned m_running = 0;
    bool m_stop = false;
    std::vector<std::thread> m_threads;
};

} // namespace dormer::emulator::exec
