// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace dormer::instrument::cupti::sampling {

/// The GPU's monitors sample counters or warps, not both (CUDA 13.0, H100: the second is refused, or crashes).
/// Warps take a short turn now and then; counters have the rest. Thread-safe.
class Turns {
public:
    /// Waits for warps to have had their turn; false when that took too long. leaveCounters() must follow true.
    [[nodiscard]] bool enterCounters(std::chrono::nanoseconds longest) {
        std::unique_lock lock(m_mutex);
        if (!m_free.wait_for(lock, longest, [this] { return !m_warps && !m_warpsWait; })) return false;
        ++m_counters;
        return true;
    }
    void leaveCounters() {
        const std::lock_guard lock(m_mutex);
        --m_counters;
    }
    /// True when whoever samples counters should leave for a while.
    [[nodiscard]] bool warpsWait() {
        const std::lock_guard lock(m_mutex);
        return m_warpsWait;
    }
    /// False while counters are sampled, which are asked to make room: to be tried again. leaveWarps() must
    /// follow true.
    [[nodiscard]] bool enterWarps() {
        const std::lock_guard lock(m_mutex);
        m_warpsWait = m_counters > 0;
        m_warps = !m_warpsWait;
        return m_warps;
    }
    void leaveWarps() {
        {
            const std::lock_guard lock(m_mutex);
            m_warps = false;
        }
        m_free.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_free;
    int m_counters = 0;
    bool m_warps = false, m_warpsWait = false;
};

} // namespace dormer::instrument::cupti::sampling
