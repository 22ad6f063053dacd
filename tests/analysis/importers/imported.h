// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/importers/importer.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace dormer::tests {

/// What importing a file of these bytes gives.
inline Result<session::Session> importBytes(const std::string& bytes, const char* name = "file") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return importers::importFile(path);
}

/// The same for a file that is known to be good.
inline session::Session imported(const std::string& bytes) {
    Result<session::Session> session = importBytes(bytes);
    INFO((session ? std::string() : session.error().message));
    REQUIRE(session);
    return std::move(*session);
}

inline bool hasNote(const session::Session& session, const std::string& code, const std::string& part = {}) {
    return std::ranges::any_of(session.notes(), [&](const session::Note& note) {
        return note.code == code && note.text.find(part) != std::string::npos;
    });
}

inline constexpr session::LaunchIndex kFirst{0};

} // namespace dormer::tests
