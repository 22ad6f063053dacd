// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/session.h"

#include <filesystem>
#include <memory>

namespace dormer::store {

/// SQLite application_id of a session file: "Dorm".
inline constexpr std::int32_t kApplicationId = 0x446f726d;
/// Format version (SQLite user_version). A reader refuses newer ones with a message.
inline constexpr std::int32_t kFormatVersion = 1;

/// Writes records into a NAME.dormer file while they arrive. Launches are committed at most a second after
/// they finished, so that a kill loses at most the launch in flight; close() leaves one file without a
/// journal beside it.
class SessionWriter {
public:
    /// Creates the file, replacing an existing session (never another kind of file). Fails with
    /// ErrorKind::Usage when the path can't be written, so that it can be tried before anything runs.
    [[nodiscard]] static Result<SessionWriter> create(const std::filesystem::path& path);

    SessionWriter(SessionWriter&&) noexcept;
    SessionWriter& operator=(SessionWriter&&) noexcept;
    ~SessionWriter();

    [[nodiscard]] Result<void> append(const session::Record& record, std::uint32_t process = 0);
    /// Commits what is pending.
    [[nodiscard]] Result<void> flush();
    /// Commits, leaves WAL mode and closes; the file is complete at rest afterwards.
    [[nodiscard]] Result<void> close();

private:
    struct Impl;
    explicit SessionWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// Reads a whole session. The file is untrusted: not a database, another application's, truncated, newer or
/// hostile gives ErrorKind::Input and a message naming the path.
[[nodiscard]] Result<session::Session> loadSession(const std::filesystem::path& path);

/// Saves a session as it is, through the same writer.
[[nodiscard]] Result<void> saveSession(const session::Session& session, const std::filesystem::path& path);

/// The records whose fold is this session, in the order they would have streamed: for replay and for saving.
/// `first` is the process number, `second` the record.
[[nodiscard]] std::vector<std::pair<std::uint32_t, session::Record>>
recordsOf(const session::Session& session);

} // namespace dormer::store
