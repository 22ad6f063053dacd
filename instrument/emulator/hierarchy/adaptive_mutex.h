// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace dormer::emulator::hierarchy {

/// A mutex that is held for less than a microsecond, many times a millisecond: whoever finds it taken tries
/// again for a while, since going to sleep and being woken costs a hundred times as much.
class AdaptiveMutex {
public:
    void lock() {
        for (int tries = 0; tries < kTries; ++tries) {
            if (m_mutex.try_lock()) return;
            __builtin_ia32_pause();
        }
        m_mutex.lock();
    }
    bool try_lock() { return m_mutex.try_lock(); }
    void unlock() { m_mutex.unlock(); }

private:
    static constexpr int kTries = 200;
    std::mutex m_mutex;
};

} // namespace dormer::emulator::hierarchy
