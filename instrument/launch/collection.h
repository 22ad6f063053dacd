// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "analysis/store/session_file.h"
#include "instrument/launch/target.h"

#include <set>

namespace dormer::instrument::launch {

struct CollectionEnd {
    TargetEnd target;
    std::optional<Error> unwritten; ///< why the session file lacks something
};

/// Runs the target like runTarget(). Each record is in the file, if there is one, before `onRecord` sees it,
/// and the file is closed at the end. A file that can't be written any more stops the target.
[[nodiscard]] Result<CollectionEnd> runCollection(const Target& target,
                                                  std::optional<store::SessionWriter> writer,
                                                  const process::OnRecord& onRecord, std::atomic<bool>& stop);

/// What the notes of a growing session tell a person. All of them are in the session; a target gone mad must
/// not flood a screen, so each text comes once, and after kMostNotes only that there are more.
class NoteFeed {
public:
    static constexpr std::size_t kMostNotes = 20;

    /// The emulator says its own notes on stderr, too, which a terminal shares with it.
    explicit NoteFeed(bool sharesStderr) : m_sharesStderr(sharesStderr) {}
    /// Texts of the notes that came since the last call.
    [[nodiscard]] std::vector<std::string> fresh(const session::Session& session);

private:
    bool m_sharesStderr;
    std::size_t m_seen = 0;
    std::set<std::string> m_shown;
};

} // namespace dormer::instrument::launch
