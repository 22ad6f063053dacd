// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace dormer::instrument {

/// Runs jobs one after the other on a thread of its own, which starts with the first job.
class OrderedWorker {
public:
    OrderedWorker() = default;
    ~OrderedWorker() { finish(); }
    OrderedWorker(const OrderedWorker&) = delete;
    OrderedWorker& operator=(const OrderedWorker&) = delete;

    void add(std::function<void()> job);
    /// Waits until every job is done. Jobs may be added again afterwards.
    void finish();

private:
    void run();

    std::mutex m_mutex;
    std::condition_variable m_added;
    std::deque<std::function<void()>> m_jobs;
    bool m_finishing = false;
    std::thread m_thread;
};

} // namespace dormer::instrument
