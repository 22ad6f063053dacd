// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::store {

Result<session::Session> loadSessions(const std::vector<std::filesystem::path>& paths) {
    if (paths.size() == 1) return loadSession(paths.front());
    for (auto path = paths.begin(); path != paths.end(); ++path) {
        const auto isSame = [path](const std::filesystem::path& other) {
            std::error_code missing; // is for the reader to report
            return std::filesystem::equivalent(*path, other, missing);
        };
        if (std::any_of(paths.begin(), path, isSame))
            return failure(ErrorKind::Usage, fmt::format("{} is named twice", path->string()));
    }
    session::Session merged;
    for (const std::filesystem::path& path : paths) {
        const Result<session::Session> session = loadSession(path);
        if (!session) return session;
        const auto offset = static_cast<std::uint32_t>(merged.processes().size());
        for (const auto& [process, record] : recordsOf(*session))
            merged.apply(record, offset + process);
    }
    return merged;
}

} // namespace dormer::store
