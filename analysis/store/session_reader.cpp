// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"

#include "analysis/store/row_reader.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>

namespace dormer::store {

namespace {

/// Longest text or row: kernel names reach half a mebibyte, rows of counters 20 KB.
constexpr int kMaxValueBytes = 16 << 20;
/// Most cells of counters we make room for, 2 GB: a small file may claim a huge, almost empty table.
constexpr std::uint64_t kMaxCounterCells = 250'000'000;

std::uint64_t sizeOrZero(const std::filesystem::path& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return error ? 0 : size;
}

} // namespace

/// Reads the tables of an open database into a session. Throws BrokenFile and SQLite::Exception.
class SessionReader {
public:
    SessionReader(SQLite::Database& database, std::uint64_t fileBytes)
        : m_database(database), m_budget{fileBytes} {}

    session::Session read() {
        readProcesses();
        each<session::Device>(tables::devices(),
                              [&](const session::Device& device) { m_session.apply(device, m_process); });
        readKernels();
        readLaunches();
        readCounters();
        readLines();
        each<session::NvtxRange>(tables::ranges(),
                                 [&](const session::NvtxRange& range) { m_session.apply(range, m_process); });
        each<session::Note>(tables::notes(),
                            [&](const session::Note& note) { m_session.apply(note, m_process); });
        each<session::Expectation>(tables::expectations(),
                                   [&](const session::Expectation& e) { m_session.apply(e); });
        each<session::Check>(tables::checks(), [&](const session::Check& check) { m_session.apply(check); });
        each<session::MeasuredCeiling>(
            tables::ceilings(), [&](const session::MeasuredCeiling& c) { m_session.apply(c, m_process); });
        eachOfLater<session::Workload>(tables::workloads(),
                                       [&](const session::Workload& w) { m_session.apply(w); });
        eachOfLater<session::Sweep>(tables::sweeps(), [&](const session::Sweep& s) { m_session.apply(s); });
        eachOfLater<session::Transfer>(tables::transfers(),
                                       [&](const session::Transfer& t) { m_session.apply(t, m_process); });
        eachOfLater<session::MemoryCall>(
            tables::memoryCalls(), [&](const session::MemoryCall& c) { m_session.apply(c, m_process); });
        eachOfLater<session::DeviceActivity>(
            tables::deviceActivity(),
            [&](const session::DeviceActivity& activity) { m_session.apply(activity, m_process); });
        eachOfLater<session::SourceFile>(tables::sourceFiles(),
                                         [&](const session::SourceFile& s) { m_session.apply(s); });
        eachOfLater<session::KernelCode>(tables::kernelCode(), [&](session::KernelCode& code) {
            code.kernel = kernelAt(static_cast<std::int64_t>(code.kernel), "code");
            m_session.apply(code, m_process);
        });
        eachOfLater<session::SignatureCounter>(
            tables::signatureCounters(), [&](session::SignatureCounter& sampled) {
                sampled.kernel = kernelAt(static_cast<std::int64_t>(sampled.kernel), "sampled counter");
                m_session.apply(sampled, m_process);
            });
        eachOfLater<session::WarpSamples>(tables::warpSamples(), [&](session::WarpSamples& samples) {
            samples.kernel = kernelAt(static_cast<std::int64_t>(samples.kernel), "warp samples");
            m_session.apply(samples, m_process);
        });
        RowReader unknown = open(tables::unknownRecords());
        while (unknown.next()) {
            session::Unknown record;
            unknown.required("json", record.json);
            m_session.apply(record);
        }
        return std::move(m_session);
    }

private:
    /// Names of a table's columns. It must be a table: views and virtual tables run code of the file's
    /// author.
    std::vector<std::string> columnsIn(const char* table) {
        SQLite::Statement kind(m_database, "SELECT type, rootpage FROM sqlite_schema WHERE name = ?");
        kind.bind(1, table);
        // A virtual table has no pages of its own.
        if (!kind.executeStep() || kind.getColumn(0).getString() != "table" ||
            kind.getColumn(1).getInt64() <= 0) {
            throw BrokenFile(fmt::format("there is no table {}", table));
        }
        std::vector<std::string> names;
        SQLite::Statement info(m_database, "SELECT name FROM pragma_table_info(?)");
        info.bind(1, table);
        while (info.executeStep())
            names.push_back(info.getColumn(0).getString());
        return names;
    }

    /// Columns that a later version may leave out read as NULL.
    RowReader open(const TableSpec& table) {
        const std::vector<std::string> names = columnsIn(table.name);
        const std::string key = table.key != nullptr ? table.key : "rowid";
        std::string sql = fmt::format("SELECT \"{}\"", key);
        const auto add = [&](const std::string& name, bool required) {
            const bool there = std::ranges::find(names, name) != names.end();
            if (!there && required)
                throw BrokenFile(fmt::format("table {} has no column {}", table.name, name));
            sql += there ? fmt::format(", \"{}\"", name) : ", NULL";
        };
        if (table.key != nullptr && std::ranges::find(names, key) == names.end()) {
            throw BrokenFile(fmt::format("table {} has no column {}", table.name, key));
        }
        if (table.ofProcess) add("process", true);
        for (const Column& column : table.columns)
            add(column.name, column.required);
        sql += fmt::format(" FROM {} NOT INDEXED ORDER BY \"{}\"", table.name, key);
        return {m_database.getHandle(), table.name, sql, m_budget};
    }

    void readProcess(RowReader& row) {
        row.required("process", m_process);
        if (m_process >= m_session.processes().size())
            throw BrokenFile(fmt::format("there is no process {}", m_process));
    }

    template <typename T>
    void each(const TableSpec& table, const auto& use) {
        RowReader row = open(table);
        while (row.next()) {
            T value{};
            if (table.ofProcess) readProcess(row);
            session::visitFields(row, value);
            use(value);
        }
    }

    [[nodiscard]] bool isThere(const char* table) {
        SQLite::Statement there(m_database, "SELECT 1 FROM sqlite_schema WHERE name = ?");
        there.bind(1, table);
        return there.executeStep();
    }

    /// Of a table that files of earlier versions don't have.
    template <typename T>
    void eachOfLater(const TableSpec& table, const auto& use) {
        if (isThere(table.name)) each<T>(table, use);
    }

    void readProcesses() {
        RowReader row = open(tables::processes());
        for (std::uint32_t expected = 0; row.next(); ++expected) {
            if (row.key() != expected || expected >= kMaxProcesses) {
                throw BrokenFile("processes are not numbered from 0 without gaps");
            }
            session::ProcessStart start;
            session::visitFields(row, start.process);
            session::visitEnd(row, start.process);
            m_session.apply(start, expected);
        }
    }

    void readKernels() {
        RowReader row = open(tables::kernels());
        while (row.next()) {
            session::Kernel kernel;
            readProcess(row);
            session::visitFields(row, kernel);
            m_kernels.push_back({row.key(), m_process, kernel.id});
            m_session.apply(kernel, m_process);
        }
        if (m_session.kernels().size() != m_kernels.size()) throw BrokenFile("a kernel is there twice");
    }

    void readLaunches() {
        RowReader row = open(tables::launches());
        while (row.next()) {
            session::Launch launch;
            readProcess(row);
            session::visitFields(row, launch);
            launch.kernel =
                kernelAt(static_cast<std::int64_t>(launch.kernel), fmt::format("launch {}", row.key()));
            m_session.fold(std::move(launch), m_process);
            m_launchKeys.push_back(row.key());
            if (m_session.launches().size() != m_launchKeys.size()) {
                throw BrokenFile(fmt::format("launch {} is there twice", row.key()));
            }
        }
    }

    void readCounters() {
        std::vector<std::string> names = columnsIn("counters");
        if (std::erase(names, "launch") != 1) throw BrokenFile("table counters has no column launch");
        std::string sql = "SELECT \"launch\"";
        for (const std::string& name : names) {
            if (!session::isCounterName(name))
                throw BrokenFile("table counters has a column that can't be a counter");
            sql += fmt::format(", \"{}\"", name);
        }
        if (names.size() > session::kMaxCounters || names.size() * m_launchKeys.size() > kMaxCounterCells) {
            throw BrokenFile(
                fmt::format("it claims {} counters of {} launches", names.size(), m_launchKeys.size()));
        }
        std::vector<std::size_t> columns;
        for (const std::string& name : names) {
            columns.push_back(m_session.m_counters.intern(name));
            m_session.m_counters.reserve(columns.back(), m_launchKeys.size());
        }
        RowReader row(m_database.getHandle(), "counters",
                      sql + " FROM counters NOT INDEXED ORDER BY \"launch\"", m_budget);
        std::uint32_t launch = 0; // both tables are in order of launches
        while (row.next()) {
            while (launch < m_launchKeys.size() && m_launchKeys[launch] < row.key())
                ++launch;
            if (launch == m_launchKeys.size() || m_launchKeys[launch] != row.key()) {
                throw BrokenFile(
                    fmt::format("there are counters of launch {}, which is not there", row.key()));
            }
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (const auto value = row.number(static_cast<int>(i) + 1, names[i])) {
                    m_session.m_counters.set(session::LaunchIndex{launch}, columns[i], *value);
                }
            }
        }
    }

    /// Files written before there were lines have no such table.
    void readLines() {
        if (!isThere("lines")) return;
        RowReader row = open(tables::lines());
        std::vector<session::LineCounts> pending;
        std::int64_t launch = -1;
        const auto flush = [&](std::int64_t next) {
            if (!pending.empty()) m_session.setLines(launchAt(launch), std::exchange(pending, {}));
            launch = next;
        };
        while (row.next()) {
            std::int64_t of = 0;
            row.required("launch", of);
            if (of != launch) flush(of);
            session::visitFields(row, pending.emplace_back());
        }
        flush(-1);
    }

    /// The stream's id of a kernel of the process at hand.
    std::uint64_t kernelAt(std::int64_t key, std::string_view what) const {
        const auto kernel = std::ranges::lower_bound(m_kernels, key, {}, &KernelRow::key);
        if (kernel == m_kernels.end() || kernel->key != key || kernel->process != m_process)
            throw BrokenFile(fmt::format("{} is of a kernel that is not there", what));
        return kernel->id;
    }

    session::LaunchIndex launchAt(std::int64_t key) const {
        const auto at = std::ranges::lower_bound(m_launchKeys, key);
        if (at == m_launchKeys.end() || *at != key)
            throw BrokenFile(fmt::format("there are lines of launch {}, which is not there", key));
        return session::LaunchIndex{static_cast<std::uint32_t>(at - m_launchKeys.begin())};
    }

    struct KernelRow {
        std::int64_t key;
        std::uint32_t process;
        std::uint64_t id;
    };

    SQLite::Database& m_database;
    ReadBudget m_budget;
    session::Session m_session;
    std::uint32_t m_process = 0; ///< of the row at hand
    std::vector<KernelRow> m_kernels;
    std::vector<std::int64_t> m_launchKeys;
};

Result<session::Session> loadSession(const std::filesystem::path& path) {
    const auto broken = [&](std::string_view what) {
        return failure(ErrorKind::Input, fmt::format("cannot read {}: {}", path.string(), what));
    };
    const auto header = readFileHeader(path);
    if (!header) return std::unexpected(header.error());
    if (!header->isSession) {
        return broken(header->isDatabase ? "it is a database of another program, not a Dormer session"
                                         : "it is not a Dormer session");
    }
    if (header->version > kFormatVersion) {
        return broken(fmt::format("its format {} is newer than this Dormer reads ({}); use a newer Dormer",
                                  header->version, kFormatVersion));
    }
    if (header->version < 1) return broken(fmt::format("it has no format version ({})", header->version));
    std::filesystem::path wal = path;
    wal += "-wal";
    const std::uint64_t walBytes = sizeOrZero(wal);
    const std::uint64_t fileBytes = sizeOrZero(path);
    // SQLite would read what is missing of the last page as zeros.
    if (walBytes == 0 && fileBytes < header->declaredBytes) {
        return broken(
            fmt::format("it is cut off: {} of {} bytes are there", fileBytes, header->declaredBytes));
    }
    try {
        SQLite::Database database(path, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX, 5000);
        sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, kMaxValueBytes);
        database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
        // One transaction: what a collector adds meanwhile must not appear in some tables only.
        database.exec("BEGIN");
        return SessionReader(database, fileBytes + walBytes).read();
    } catch (const std::exception& e) {
        return broken(e.what());
    }
}

} // namespace dormer::store
