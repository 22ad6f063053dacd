// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace dormer::instrument::collect {

/// The NVTX ranges open at any moment: push/pop ones per thread, start/end ones for the whole process,
/// registered strings resolved. Fed by CUPTI's NVTX callbacks; knows no CUPTI types.
class NvtxRanges {
public:
    using Ended = std::function<void(const std::string& path, std::int64_t startNs, std::int64_t endNs)>;
    explicit NvtxRanges(Ended ended) : m_ended(std::move(ended)) {}

    /// Domains stack their ranges separately. Both return the nesting level, from 0, or -1 for a pop without
    /// a push.
    int push(std::string name, std::int64_t nowNs, const void* domain = nullptr);
    int pop(std::int64_t nowNs, const void* domain = nullptr);
    /// Id for end().
    std::uint64_t start(std::string name, std::int64_t nowNs);
    void end(std::uint64_t id, std::int64_t nowNs);

    /// Threads without a push/pop range of their own belong to those of the thread that pushed last and has
    /// not popped: frameworks launch from threads of their own what another thread requested
    /// (--nvtx-all-threads).
    void followOtherThreads() { m_followsOthers = true; }

    /// Ranges around the calling thread, outermost first, joined by " > ": process-wide ones, then the
    /// thread's own.
    [[nodiscard]] std::string path() const;
    /// Another number whenever path() of some thread may have changed.
    [[nodiscard]] std::uint64_t version() const { return m_version.load(std::memory_order_acquire); }

private:
    struct Open {
        std::string name;
        std::int64_t startNs = 0;
        const void* domain = nullptr;
    };
    static std::vector<Open>& threadStack();
    [[nodiscard]] std::string processPath() const;
    void pushed(const std::string& name, const void* domain);
    void popped(const void* domain);

    /// An open push/pop range of some thread.
    struct Pushed {
        std::thread::id thread;
        std::string name;
        const void* domain = nullptr;
    };

    Ended m_ended;
    std::atomic<std::uint64_t> m_version = 0;
    mutable std::mutex m_mutex;
    std::map<std::uint64_t, Open> m_started;
    std::vector<Pushed> m_pushed; ///< in order; kept only where other threads follow them
    bool m_followsOthers = false; ///< set before the first range
    std::uint64_t m_lastId = 0;
};

} // namespace dormer::instrument::collect
