// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/by_scope.h"

#include "analysis/store/session_file.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace dormer::cli {

namespace {

using session::Scope;

/// How a process ended, behind its name.
std::string endOf(const session::Process& process) {
    if (process.signal) return fmt::format(", signal {}", *process.signal);
    return process.exitCode ? fmt::format(", exit code {}", *process.exitCode) : std::string();
}

/// Sorts records into the sessions of their scopes.
class Divider {
public:
    Divider(const session::Session& session, Scope by) : m_session(session), m_by(by) {
        for (const session::Launch& launch : session.launches())
            m_scopes[{launch.process, launch.id}] =
                partOf(session::scopeOf(session, launch, by), launch.process);
        for (const session::Transfer& transfer : session.transfers())
            static_cast<void>(partOf(scopeOf(transfer, transfer.process), transfer.process));
    }

    void add(const session::Record& record, std::uint32_t process) {
        if (const auto* launch = std::get_if<session::Launch>(&record))
            return give(record, process, launch->id);
        if (const auto* counters = std::get_if<session::LaunchCounters>(&record))
            return give(record, process, counters->launch);
        if (const auto* lines = std::get_if<session::LaunchLines>(&record))
            return give(record, process, lines->launch);
        if (const auto* transfer = std::get_if<session::Transfer>(&record)) {
            const auto part = partOf(scopeOf(*transfer, process), process);
            m_parts[part].session.apply(record, numberIn(part, process));
            return;
        }
        // What belongs to a process, for all that ran in it; what programs declare holds for all.
        for (std::size_t part = 0; part < m_parts.size(); ++part)
            if (m_processes[part].contains(process) || isOfAll(record))
                m_parts[part].session.apply(record, numberIn(part, process));
    }

    std::vector<ScopePart> finish() {
        if (m_by != Scope::Process) return std::move(m_parts);
        std::map<std::uint32_t, ScopePart> byProcess; // each has one
        for (std::size_t part = 0; part < m_parts.size(); ++part)
            byProcess.emplace(*m_processes[part].begin(), std::move(m_parts[part]));
        std::vector<ScopePart> parts;
        for (auto& [process, part] : byProcess)
            parts.push_back(std::move(part));
        return parts;
    }

private:
    static bool isOfAll(const session::Record& record) {
        return std::holds_alternative<session::Workload>(record) ||
               std::holds_alternative<session::Sweep>(record) ||
               std::holds_alternative<session::Expectation>(record) ||
               std::holds_alternative<session::SourceFile>(record);
    }

    [[nodiscard]] std::string scopeOf(const session::Transfer& transfer, std::uint32_t process) const {
        session::Launch like;
        like.process = process;
        like.stream = transfer.stream;
        like.nvtx = transfer.nvtx;
        return session::scopeOf(m_session, like, m_by);
    }

    std::size_t partOf(const std::string& scope, std::uint32_t process) {
        const auto [at, isNew] = m_known.try_emplace(scope, m_parts.size());
        if (isNew) {
            const bool named = m_by == Scope::Process;
            m_parts.push_back({named ? scope + endOf(m_session.processes()[process]) : scope, {}});
            m_processes.emplace_back();
        }
        m_processes[at->second].insert(process);
        return at->second;
    }

    /// A part counts its own processes.
    [[nodiscard]] std::uint32_t numberIn(std::size_t part, std::uint32_t process) const {
        const auto at = m_processes[part].find(process);
        return static_cast<std::uint32_t>(
            at == m_processes[part].end() ? 0 : std::distance(m_processes[part].begin(), at));
    }

    void give(const session::Record& record, std::uint32_t process, std::uint64_t launch) {
        const std::size_t part = m_scopes.at({process, launch});
        m_parts[part].session.apply(record, numberIn(part, process));
    }

    const session::Session& m_session;
    Scope m_by;
    std::vector<ScopePart> m_parts;
    std::vector<std::set<std::uint32_t>> m_processes; ///< by part
    std::map<std::string, std::size_t> m_known;       ///< by scope
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> m_scopes;
};

} // namespace

std::vector<ScopePart> byScope(const session::Session& session, Scope by) {
    Divider divider(session, by);
    for (const auto& [process, record] : store::recordsOf(session))
        divider.add(record, process);
    return divider.finish();
}

} // namespace dormer::cli
