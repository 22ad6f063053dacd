// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace dormer::instrument {

/// The NVTX ranges open at any moment: push/pop ones per thread, start/end ones for the whole process,
/// registered strings resolved. Fed by CUPTI's NVTX callbacks; knows no CUPTI types.
class NvtxRanges {
public:
    using Ended = std::function<void(const std::string& path, std::int64_t startNs, std::int64_t endNs)>;
    explicit NvtxRanges(Ended ended) : m_ended(std::move(ended)) {}

    void push(std::string name, std::int64_t nowNs);
    void pop(std::int64_t nowNs);
    void start(std::uint64_t id, std::string name, std::int64_t nowNs);
    void end(std::uint64_t id, std::int64_t nowNs);
    void registerString(const void* handle, std::string text);
    [[nodiscard]] std::string registeredString(const void* handle) const;

    /// Ranges around the calling thread, outermost first, joined by " > ": process-wide ones, then the
    /// thread's own.
    [[nodiscard]] std::string path() const;

private:
    struct Open {
        std::string name;
        std::int64_t startNs;
    };
    static std::vector<Open>& threadStack();
    [[nodiscard]] std::string processPath() const;

    Ended m_ended;
    mutable std::mutex m_mutex;
    std::map<std::uint64_t, Open> m_started;
    std::map<const void*, std::string> m_strings;
};

} // namespace dormer::instrument
