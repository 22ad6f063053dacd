// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session_input.h"

#include "analysis/session_file.h"

namespace dormer::cli {

Result<analysis::Session> loadMerged(const std::vector<std::filesystem::path>& files) {
    if (files.size() == 1) return analysis::loadSession(files.front());
    analysis::Session merged;
    for (const std::filesystem::path& file : files) {
        const Result<analysis::Session> session = analysis::loadSession(file);
        if (!session) return session;
        const auto offset = static_cast<std::uint32_t>(merged.processes().size());
        for (const auto& [process, record] : analysis::recordsOf(*session))
            merged.apply(record, offset + process);
    }
    return merged;
}

} // namespace dormer::cli
