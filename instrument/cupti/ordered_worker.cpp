// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/ordered_worker.h"

namespace dormer::instrument {

void OrderedWorker::add(std::function<void()> job) {
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_added.notify_one();
    if (!m_thread.joinable()) m_thread = std::thread([this] { run(); });
}

void OrderedWorker::finish() {
    if (!m_thread.joinable()) return;
    {
        const std::lock_guard lock(m_mutex);
        m_finishing = true;
    }
    m_added.notify_one();
    m_thread.join();
    m_thread = {};
    m_finishing = false;
}

void OrderedWorker::run() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_added.wait(lock, [this] { return m_finishing || !m_jobs.empty(); });
        if (m_jobs.empty()) return;
        const std::function<void()> job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        job();
        lock.lock();
    }
}

} // namespace dormer::instrument
