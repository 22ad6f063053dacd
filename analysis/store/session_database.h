// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/store/counter_store.h"
#include "analysis/store/session_sql.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <functional>
#include <set>

namespace dormer::store {

/// A session file being written: records in, rows out. Not thread-safe. Throws SQLite::Exception and
/// std::filesystem::filesystem_error.
class SessionDatabase {
public:
    enum class Mode {
        Live, ///< others may read while we write, and a kill loses nothing committed
        Bulk, ///< nobody reads before it is finished: no journal, one transaction
    };
    /// `path` must not exist, or be empty.
    SessionDatabase(const std::filesystem::path& path, Mode mode);

    /// Opens a transaction. False when one was open.
    bool begin();
    void append(const session::Record& record, std::uint32_t process);
    [[nodiscard]] bool pending() const { return m_pending; }
    void commit();
    /// Commits and brings the file to rest: one file, no journal.
    void finish();

    /// Removes a session file and what SQLite keeps beside it.
    static void removeFiles(const std::filesystem::path& path);
    static void removeSidecars(const std::filesystem::path& path);

private:
    void ensureProcess(std::uint32_t process);
    void put(const session::ProcessStart& start, std::uint32_t process);
    void put(const session::ProcessEnd& end, std::uint32_t process);
    void put(const session::Device& device, std::uint32_t process);
    void put(const session::Kernel& kernel, std::uint32_t process);
    void put(const session::Launch& launch, std::uint32_t process);
    void put(const session::LaunchCounters& counters, std::uint32_t process);
    void put(const session::LaunchLines& lines, std::uint32_t process);
    void put(const session::NvtxRange& range, std::uint32_t process);
    void put(const session::Note& note, std::uint32_t process);
    void put(const session::Expectation& expectation, std::uint32_t process);
    void put(const session::Check& check, std::uint32_t process);
    void put(const session::Progress&, std::uint32_t) {} // of the moment only
    void put(const session::MeasuredCeiling& ceiling, std::uint32_t process);
    void put(const session::Workload& workload, std::uint32_t process);
    void put(const session::Sweep& sweep, std::uint32_t process);
    void put(const session::Transfer& transfer, std::uint32_t process);
    void put(const session::MemoryCall& call, std::uint32_t process);
    void put(const session::DeviceActivity& activity, std::uint32_t process);
    void put(const session::SignatureCounter& sampled, std::uint32_t process);
    void put(const session::WarpSamples& samples, std::uint32_t process);
    void put(const session::SourceFile& source, std::uint32_t process);
    void put(const session::KernelCode& code, std::uint32_t process);
    void put(const session::Unknown& unknown, std::uint32_t process);
    void noteOnce(const session::Note& note);
    /// Binds key and process, if any, then the fields, and runs the statement.
    template <typename T>
    void insert(SQLite::Statement& statement, std::initializer_list<std::int64_t> keys, const T& value);

    using Key = std::pair<std::uint32_t, std::uint64_t>; ///< process and id in it

    SQLite::Database m_database;
    Mode m_mode;
    bool m_pending = false;
    std::int64_t m_processes = 0;
    std::map<Key, std::int64_t> m_kernelRows;
    std::map<Key, std::int64_t> m_launchRows;
    std::vector<bool> m_counted;        ///< by launch row
    std::set<std::int64_t> m_withLines; ///< launch rows
    std::set<std::string> m_sources;    ///< paths of those that are stored
    std::set<std::int64_t> m_withCode;  ///< kernel rows
    /// Rows of counters that belong to a signature.
    std::unordered_map<session::LaunchSignature, std::map<std::string, std::int64_t>,
                       session::LaunchSignatureHash>
        m_signatureRows;
    std::int64_t m_signatureCounters = 0;
    std::set<std::pair<std::uint32_t, std::string>> m_noted;
    CounterStore m_counters;

    SQLite::Statement m_insertProcess;
    SQLite::Statement m_startProcess;
    SQLite::Statement m_endProcess;
    SQLite::Statement m_insertDevice;
    SQLite::Statement m_insertKernel;
    SQLite::Statement m_insertLaunch;
    SQLite::Statement m_markCounted;
    SQLite::Statement m_insertLine;
    SQLite::Statement m_removeLines;
    SQLite::Statement m_insertRange;
    SQLite::Statement m_insertNote;
    SQLite::Statement m_insertExpectation;
    SQLite::Statement m_insertCheck;
    SQLite::Statement m_insertCeiling;
    SQLite::Statement m_insertWorkload;
    SQLite::Statement m_insertSweep;
    SQLite::Statement m_insertTransfer;
    SQLite::Statement m_insertMemoryCall;
    SQLite::Statement m_insertDeviceActivity;
    SQLite::Statement m_insertSourceFile;
    SQLite::Statement m_insertKernelCode;
    SQLite::Statement m_insertSignatureCounter;
    SQLite::Statement m_insertWarpSamples;
    SQLite::Statement m_insertUnknown;
};

/// Calls `visit` for each record whose fold is this session, one alive at a time (session_records.cpp).
void forEachRecord(const session::Session& session,
                   const std::function<void(std::uint32_t, const session::Record&)>& visit);

} // namespace dormer::store
