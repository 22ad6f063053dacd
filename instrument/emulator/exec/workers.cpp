// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/workers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

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

Workers::Workers(unsigned count)
    : m_count(count == 0 ? usableProcessors() : count), m_pid(getpid()), m_team(assembled()) {}

std::unique_ptr<Workers::Team> Workers::assembled() const {
    auto team = std::make_unique<Team>();
    // The program's signal handlers run on its own threads, not on ours.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (unsigned i = 1; i < m_count; ++i)
        team->threads.emplace_back([&shared = *team, i] { loop(shared, i); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return team;
}

Workers::~Workers() {
    if (m_pid != getpid()) {
        static_cast<void>(m_team.release()); // its threads are the parent's
        return;
    }
    {
        const std::lock_guard lock(m_team->mutex);
        m_team->stop = true;
    }
    m_team->begin.notify_all();
    for (std::thread& thread : m_team->threads)
        thread.join();
}

void Workers::run(unsigned useCount, const std::function<void(unsigned)>& task) {
    if (m_pid != getpid()) {
        static_cast<void>(m_team.release()); // its threads did not come along, and wait on it for ever
        m_pid = getpid();
        m_team = assembled();
    }
    Team& team = *m_team;
    const unsigned use = std::clamp(useCount, 1u, m_count);
    if (use > 1) {
        {
            const std::lock_guard lock(team.mutex);
            team.task = &task;
            team.use = use;
            team.running = use - 1;
            ++team.generation;
        }
        team.begin.notify_all();
    }
    task(0);
    if (use > 1) {
        std::unique_lock lock(team.mutex);
        team.end.wait(lock, [&] { return team.running == 0; });
        team.task = nullptr;
    }
}

void Workers::loop(Team& team, unsigned index) {
    std::uint64_t seen = 0;
    while (true) {
        const std::function<void(unsigned)>* task = nullptr;
        {
            std::unique_lock lock(team.mutex);
            team.begin.wait(lock, [&] { return team.stop || (team.generation != seen && index < team.use); });
            if (team.stop) return;
            seen = team.generation;
            task = team.task;
        }
        (*task)(index);
        const std::lock_guard lock(team.mutex);
        if (--team.running == 0) team.end.notify_one();
    }
}

} // namespace dormer::emulator::exec
