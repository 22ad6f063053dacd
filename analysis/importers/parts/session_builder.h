// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <set>

namespace dormer::importers {

/// Puts a session together from what a file of another tool holds. Its processes are those of the file, told
/// apart by host and number; their origin is Imported.
class SessionBuilder {
public:
    /// Index of the process, which is announced when it is new.
    std::uint32_t process(std::int32_t pid, const std::string& host, const std::string& program);
    /// Announces a device of a process; one of the same number that was announced before stays.
    void device(std::uint32_t process, const session::Device& device);
    [[nodiscard]] bool hasDevice(std::uint32_t process, std::int32_t id) const {
        return m_devices.contains({process, id});
    }
    /// Adds a launch with its kernel, which is announced when it is new, and its counters. Ids of both are
    /// given here.
    void launch(std::uint32_t process, session::Kernel kernel, session::Launch launch,
                std::map<std::string, double> counters);
    void add(std::uint32_t process, session::Record record);
    void note(std::uint32_t process, std::string code, std::string text);

    [[nodiscard]] const session::Session& session() const { return m_session; }
    [[nodiscard]] session::Session take() { return std::move(m_session); }

private:
    using KernelKey = std::tuple<std::uint32_t, std::string, std::string, std::uint32_t, std::uint64_t>;

    session::Session m_session;
    std::map<std::pair<std::string, std::int32_t>, std::uint32_t> m_processes;
    std::set<std::pair<std::uint32_t, std::int32_t>> m_devices;
    std::map<KernelKey, std::uint64_t> m_kernels;
    std::uint64_t m_launches = 0;
};

} // namespace dormer::importers
