// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/workers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>

namespace dormer::emulator::exec {

namespace {

unsigned usableProcessors() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace

Workers::Workers(unsigned count) {
    const unsigned wanted = count == 0 ? usableProcessors() : count;
    // The program's signal handlers run on its own threads, not on ours.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (unsigned i = 1; i < wanted; ++i)
        m_threads.emplace_back([this, i] { loop(i); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Workers::~Workers() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_begin.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void Workers::run(unsigned useCount, const std::function<void(unsigned)>& task) {
    const unsigned use = std::clamp(useCount, 1u, count());
    if (use > 1) {
        {
            const std::lock_guard lock(m_mutex);
            m_task = &task;
            m_use = use;
            m_running = use - 1;
            ++m_generation;
        }
        m_begin.notify_all();
    }
    task(0);
    if (use > 1) {
        std::unique_lock lock(m_mutex);
        m_end.wait(lock, [this] { return m_running == 0; });
        m_task = nullptr;
    }
}

void Workers::loop(unsigned index) {
    std::uint64_t seen = 0;
    while (true) {
        const std::function<void(unsigned)>* task = nullptr;
        {
            std::unique_lock lock(m_mutex);
            m_begin.wait(lock, [&] { return m_stop || (m_generation != seen && index < m_use); });
            if (m_stop) return;
            seen = m_generation;
            task = m_task;
        }
        (*task)(index);
        const std::lock_guard lock(m_mutex);
        if (--m_running == 0) m_end.notify_one();
    }
}

} // namespace dormer::emulator::exec
