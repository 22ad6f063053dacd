// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace dormer::instrument::collect {

/// When the youngest part of the running program was built: its executable, and the libraries it has loaded
/// besides the one this code is in. Absent when that can't be told.
[[nodiscard]] std::optional<std::filesystem::file_time_type> programBuildTime();

/// The text of the source files that counts per line name, read on this machine for the session. Not
/// thread-safe: the caller holds its lock.
class SourceFiles {
public:
    static constexpr std::size_t kMaxFileBytes = std::size_t{2} << 20, kMaxBytes = std::size_t{32} << 20;

    using BuildTime = std::function<std::optional<std::filesystem::file_time_type>()>;

    /// `built`: files that changed since then may not be what ran. Asked for each file, since programs load
    /// more as they run.
    explicit SourceFiles(BuildTime built = programBuildTime) : m_built(std::move(built)) {}

    /// A SourceFile for each file that these lines name and none did before: files of their user, and those
    /// of libraries only for lines that have no other (analysis/user_line.h). A relative path is one from the
    /// current directory. Files that are no text, not readable, larger than kMaxFileBytes, or beyond
    /// kMaxBytes in all are left out. Among them, once, a Note "source-newer" when a file is younger than the
    /// program.
    [[nodiscard]] std::vector<session::Record> named(std::span<const session::LineCounts> lines);

private:
    void add(const std::string& path, std::vector<session::Record>& records);

    BuildTime m_built;
    std::set<std::pair<std::string, session::CallChain>> m_chains; ///< file and calls of lines that were seen
    std::set<std::string, std::less<>> m_files;
    std::size_t m_bytes = 0; ///< of all texts
    bool m_newerTold = false;
};

} // namespace dormer::instrument::collect
