// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_files.h"

namespace dormer::store {

Result<session::Session> loadSessions(const std::vector<std::filesystem::path>& paths) {
    if (paths.size() == 1) return loadSession(paths.front());
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
