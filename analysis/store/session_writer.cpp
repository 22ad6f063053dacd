// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"

#include "analysis/store/session_database.h"

#include <fmt/format.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace dormer::store {

namespace {

using Clock = std::chrono::steady_clock;
/// Longest a record waits for its commit; well within what the format promises.
constexpr std::chrono::milliseconds kCommitAfter{30};

Error writeError(const std::filesystem::path& path, std::string_view what) {
    return {ErrorKind::Usage, fmt::format("cannot write {}: {}", path.string(), what)};
}

/// Why a file must not be made here, or nothing.
std::optional<std::string> objection(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, error))
        return fmt::format("there is no directory {}", folder.string());
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return std::nullopt;
    if (std::filesystem::is_directory(status)) return "it is a directory";
    if (!std::filesystem::is_regular_file(status)) return "it is not a regular file";
    if (std::filesystem::file_size(path, error) == 0 && !error) return std::nullopt;
    const auto header = readFileHeader(path);
    if (!header) return header.error().message;
    if (!header->isSession) return "it exists and is not a Dormer session; choose another name";
    return std::nullopt;
}

} // namespace

/// Commits happen on a thread of its own, so that a launch followed by silence is on disk in time, too.
struct SessionWriter::Impl {
    Impl(std::filesystem::path path, SessionDatabase::Mode mode)
        : m_path(std::move(path)), m_database(m_path, mode), m_live(mode == SessionDatabase::Mode::Live) {
        if (m_live) m_committer = std::thread([this] { commitInTime(); });
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { stopCommitter(); }

    /// Runs `action` on the database; the first failure, wherever it happened, is what everyone gets from
    /// then on.
    Result<void> guarded(const auto& action) {
        const std::lock_guard lock(m_mutex);
        if (!m_error) attempt(action);
        if (m_error) return std::unexpected(*m_error);
        return {};
    }

    void attempt(const auto& action) {
        try {
            action();
        } catch (const std::exception& e) {
            m_error = writeError(m_path, e.what());
        }
    }

    Result<void> append(const session::Record& record, std::uint32_t process) {
        return guarded([&] {
            const bool first = m_database.begin();
            m_database.append(record, process);
            if (first) m_pendingSince = Clock::now();
            if (first && m_live) m_wake.notify_one();
        });
    }

    void commitInTime() {
        std::unique_lock lock(m_mutex);
        while (!m_stop) {
            if (!m_database.pending() || m_error) {
                m_wake.wait(lock);
            } else if (m_wake.wait_until(lock, m_pendingSince + kCommitAfter) == std::cv_status::timeout) {
                attempt([&] { m_database.commit(); });
            }
        }
    }

    void stopCommitter() {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_wake.notify_one();
        if (m_committer.joinable()) m_committer.join();
    }

    std::filesystem::path m_path;
    SessionDatabase m_database;
    bool m_live;
    std::mutex m_mutex; ///< guards all below and the database
    std::condition_variable m_wake;
    Clock::time_point m_pendingSince;
    bool m_stop = false;
    std::optional<Error> m_error;
    std::thread m_committer;
};

SessionWriter::SessionWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
SessionWriter::SessionWriter(SessionWriter&&) noexcept = default;
SessionWriter& SessionWriter::operator=(SessionWriter&& other) noexcept {
    if (m_impl) static_cast<void>(close()); // nobody is left to tell
    m_impl = std::move(other.m_impl);
    return *this;
}
SessionWriter::~SessionWriter() {
    if (m_impl) static_cast<void>(close());
}

Result<SessionWriter> SessionWriter::create(const std::filesystem::path& path) {
    if (const auto why = objection(path)) return std::unexpected(writeError(path, *why));
    try {
        SessionDatabase::removeFiles(path);
        return SessionWriter(std::make_unique<Impl>(path, SessionDatabase::Mode::Live));
    } catch (const std::exception& e) {
        return std::unexpected(writeError(path, e.what()));
    }
}

Result<void> SessionWriter::append(const session::Record& record, std::uint32_t process) {
    assert(m_impl && "the writer is closed");
    return m_impl->append(record, process);
}

Result<void> SessionWriter::flush() {
    assert(m_impl && "the writer is closed");
    return m_impl->guarded([&] { m_impl->m_database.commit(); });
}

Result<void> SessionWriter::close() {
    if (!m_impl) return {};
    const std::unique_ptr<Impl> impl = std::move(m_impl);
    impl->stopCommitter();
    return impl->guarded([&] { impl->m_database.finish(); });
}

Result<void> saveSession(const session::Session& session, const std::filesystem::path& path) {
    if (const auto why = objection(path)) return std::unexpected(writeError(path, *why));
    // Written beside and moved into place, so that a file that is there stays whole until the new one is.
    std::filesystem::path temporary = path;
    temporary += fmt::format(".{}.tmp", Clock::now().time_since_epoch().count());
    try {
        SessionDatabase database(temporary, SessionDatabase::Mode::Bulk);
        database.begin();
        forEachRecord(session, [&](std::uint32_t process, const session::Record& record) {
            database.append(record, process);
        });
        database.finish();
        std::filesystem::rename(temporary, path);
        SessionDatabase::removeSidecars(path); // of the file that was there
        return {};
    } catch (const std::exception& e) {
        std::error_code ignored; // the first error is the one to tell
        std::filesystem::remove(temporary, ignored);
        return std::unexpected(writeError(path, e.what()));
    }
}

} // namespace dormer::store
