// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session_input.h"

#include "analysis/store/session_file.h"

namespace dormer::cli {

Result<session::Session> loadMerged(const std::vector<std::filesystem::path>& files) {
    if (files.size() == 1) return store::loadSession(files.front());
    session::Session merged;
    for (const std::filesystem::path& file : files) {
        const Result<session::Session> session = store::loadSession(file);
        if (!session) return session;
        const auto offset = static_cast<std::uint32_t>(merged.processes().size());
        for (const auto& [process, record] : store::recordsOf(*session))
            merged.apply(record, offset + process);
    }
    return merged;
}

} // namespace dormer::cli
