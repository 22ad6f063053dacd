// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_database.h"

#include "analysis/session/dropped_notes.h"
#include "analysis/store/session_file.h"

#include <fmt/format.h>

#include <cassert>

namespace dormer::store {

namespace {

SQLite::Database openNew(const std::filesystem::path& path, SessionDatabase::Mode mode) {
    // No mutex of SQLite's: the writer has its own around every use.
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
                              5000);
    const bool live = mode == SessionDatabase::Mode::Live;
    // Schema and identity go to the main file first, so that its header tells what it is whatever happens to
    // the WAL.
    database.exec(live ? "PRAGMA synchronous = OFF"
                       : "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE");
    database.exec("BEGIN");
    database.exec(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kFormatVersion));
    for (const std::string& statement : createStatements())
        database.exec(statement);
    database.exec("COMMIT");
    // In WAL mode NORMAL waits for the disk at checkpoints only; a killed process loses nothing that was
    // committed.
    if (live) database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    return database;
}

/// The statement of a process' start: how it ended is another record's business.
std::string startStatement() {
    TableSpec table = tables::processes();
    std::erase_if(table.columns, [](const Column& c) { return c.name == "exit_code" || c.name == "signal"; });
    return insertStatement(table, OnConflict::Replace, "process");
}

/// A repeated launch fills what its record leaves open from what was there, as Session::apply does.
std::string launchStatement() {
    std::string sql = insertStatement(tables::launches(), OnConflict::Fill, "launch");
    const auto replace = [&](std::string_view from, std::string_view to) {
        const std::size_t at = sql.rfind(from);
        assert(at != std::string::npos);
        sql.replace(at, from.size(), to);
    };
    replace("\"counted\" = excluded.\"counted\"", "\"counted\" = max(excluded.\"counted\", \"counted\")");
    replace("\"not_counted\" = coalesce(excluded.\"not_counted\", \"not_counted\")",
            "\"not_counted\" = CASE WHEN max(excluded.\"counted\", \"counted\") THEN NULL "
            "ELSE coalesce(excluded.\"not_counted\", \"not_counted\") END");
    return sql;
}

} // namespace

SessionDatabase::SessionDatabase(const std::filesystem::path& path, Mode mode)
    : m_database(openNew(path, mode))
    , m_mode(mode)
    , m_counters(m_database)
    , m_insertProcess(m_database, "INSERT INTO processes (process, origin, passes) VALUES (?, 'measured', 0)")
    , m_startProcess(m_database, startStatement())
    , m_endProcess(m_database, "UPDATE processes SET exit_code = ?, signal = ? WHERE process = ?")
    , m_insertDevice(m_database, insertStatement(tables::devices(), OnConflict::Replace, "process, id"))
    , m_insertKernel(m_database, insertStatement(tables::kernels(), OnConflict::Replace, "kernel"))
    , m_insertLaunch(m_database, launchStatement())
    , m_markCounted(m_database, "UPDATE launches SET counted = 1, not_counted = NULL WHERE launch = ?")
    , m_insertLine(m_database, insertStatement(tables::lines()))
    , m_removeLines(m_database, "DELETE FROM lines WHERE launch = ?")
    , m_insertRange(m_database, insertStatement(tables::ranges()))
    , m_insertNote(m_database, insertStatement(tables::notes()))
    , m_insertExpectation(m_database, insertStatement(tables::expectations()))
    , m_insertCheck(m_database, insertStatement(tables::checks()))
    , m_insertCeiling(m_database, insertStatement(tables::ceilings()))
    , m_insertWorkload(m_database, insertStatement(tables::workloads()))
    , m_insertSweep(m_database, insertStatement(tables::sweeps()))
    , m_insertTransfer(m_database, insertStatement(tables::transfers()))
    , m_insertMemoryCall(m_database, insertStatement(tables::memoryCalls()))
    , m_insertDeviceActivity(m_database, insertStatement(tables::deviceActivity()))
    , m_insertSourceFile(m_database, insertStatement(tables::sourceFiles()))
    , m_insertKernelCode(m_database, insertStatement(tables::kernelCode()))
    , m_insertSignatureCounter(m_database,
                               insertStatement(tables::signatureCounters(), OnConflict::Replace, "row"))
    , m_insertWarpSamples(m_database, insertStatement(tables::warpSamples()))
    , m_insertUnknown(m_database, insertStatement(tables::unknownRecords())) {}

bool SessionDatabase::begin() {
    if (m_pending) return false;
    m_database.exec("BEGIN");
    return m_pending = true;
}

void SessionDatabase::commit() {
    if (!m_pending) return;
    m_database.exec("COMMIT");
    m_pending = false;
}

void SessionDatabase::finish() {
    commit();
    if (m_mode == Mode::Live) m_database.exec("PRAGMA journal_mode = DELETE"); // checkpoints first
}

void SessionDatabase::removeFiles(const std::filesystem::path& path) {
    std::filesystem::remove(path);
    removeSidecars(path);
}

void SessionDatabase::removeSidecars(const std::filesystem::path& path) {
    for (const char* ending : {"-wal", "-shm", "-journal"})
        std::filesystem::remove(path.native() + ending);
}

void SessionDatabase::append(const session::Record& record, std::uint32_t process) {
    ensureProcess(process);
    std::visit([&](const auto& value) { put(value, process); }, record);
}

template <typename T>
void SessionDatabase::insert(SQLite::Statement& statement, std::initializer_list<std::int64_t> keys,
                             const T& value) {
    FieldBinder binder(statement);
    for (const std::int64_t key : keys)
        binder.bind(key);
    session::visitFields(binder, value);
    if (binder.overflow()) throw std::out_of_range("a number above 2^63 - 1 can't be stored");
    statement.exec();
    statement.reset();
}

void SessionDatabase::ensureProcess(std::uint32_t process) {
    if (process >= kMaxProcesses)
        throw std::out_of_range(fmt::format("more than {} processes", kMaxProcesses));
    for (; m_processes <= process; ++m_processes) {
        m_insertProcess.bind(1, m_processes);
        m_insertProcess.exec();
        m_insertProcess.reset();
    }
}

void SessionDatabase::put(const session::ProcessStart& start, std::uint32_t process) {
    insert(m_startProcess, {process}, start.process);
    if (start.process.exitCode || start.process.signal) {
        put(session::ProcessEnd{start.process.exitCode, start.process.signal}, process);
    }
}

void SessionDatabase::put(const session::ProcessEnd& end, std::uint32_t process) {
    FieldBinder binder(m_endProcess);
    session::visitEnd(binder, end);
    binder.bind(process);
    m_endProcess.exec();
    m_endProcess.reset();
}

void SessionDatabase::put(const session::Device& device, std::uint32_t process) {
    insert(m_insertDevice, {process}, device);
}

void SessionDatabase::put(const session::Kernel& kernel, std::uint32_t process) {
    const auto [at, isNew] = m_kernelRows.try_emplace({process, kernel.id}, m_kernelRows.size());
    insert(m_insertKernel, {at->second, process}, kernel);
}

void SessionDatabase::put(const session::Launch& launch, std::uint32_t process) {
    const auto kernel = m_kernelRows.find({process, launch.kernel});
    if (kernel == m_kernelRows.end()) return noteOnce(session::launchOfUnknownKernel(process, launch));
    const auto next = static_cast<std::int64_t>(m_launchRows.size());
    const auto at = m_launchRows.emplace_hint(m_launchRows.end(), Key{process, launch.id}, next);
    if (at->second == next) m_counted.push_back(false);
    const auto row = static_cast<std::size_t>(at->second);

    session::Launch stored = launch;
    stored.kernel = static_cast<std::uint64_t>(kernel->second);
    if (stored.counted) stored.notCounted.clear();
    insert(m_insertLaunch, {at->second, process}, stored);
    if (stored.counted) m_counted[row] = true;
}

void SessionDatabase::put(const session::LaunchCounters& counters, std::uint32_t process) {
    const auto at = m_launchRows.find({process, counters.launch});
    if (at == m_launchRows.end()) return noteOnce(session::countersOfUnknownLaunch(process, counters.launch));
    if (!m_counters.put(at->second, counters.values)) noteOnce(session::countersDropped(process));
    const auto row = static_cast<std::size_t>(at->second);
    if (!counters.complete || m_counted[row]) return;
    m_markCounted.bind(1, at->second);
    m_markCounted.exec();
    m_markCounted.reset();
    m_counted[row] = true;
}

void SessionDatabase::put(const session::LaunchLines& lines, std::uint32_t process) {
    const auto at = m_launchRows.find({process, lines.launch});
    if (at == m_launchRows.end()) return noteOnce(session::linesOfUnknownLaunch(process, lines.launch));
    if (lines.lines.empty()) return;
    // Said again: the last record counts, as in Session::apply.
    if (!m_withLines.insert(at->second).second) {
        m_removeLines.bind(1, at->second);
        m_removeLines.exec();
        m_removeLines.reset();
    }
    for (const session::LineCounts& line : lines.lines)
        insert(m_insertLine, {at->second}, line);
}

void SessionDatabase::put(const session::NvtxRange& range, std::uint32_t process) {
    insert(m_insertRange, {process}, range);
}

void SessionDatabase::put(const session::Note& note, std::uint32_t process) {
    insert(m_insertNote, {process}, note);
}

void SessionDatabase::noteOnce(const session::Note& note) {
    if (m_noted.emplace(note.process, note.code).second) put(note, note.process);
}

void SessionDatabase::put(const session::Expectation& expectation, std::uint32_t) {
    insert(m_insertExpectation, {}, expectation);
}

void SessionDatabase::put(const session::Check& check, std::uint32_t) {
    insert(m_insertCheck, {}, check);
}

void SessionDatabase::put(const session::MeasuredCeiling& ceiling, std::uint32_t process) {
    insert(m_insertCeiling, {process}, ceiling);
}

void SessionDatabase::put(const session::Workload& workload, std::uint32_t) {
    insert(m_insertWorkload, {}, workload);
}

void SessionDatabase::put(const session::Sweep& sweep, std::uint32_t) {
    insert(m_insertSweep, {}, sweep);
}

void SessionDatabase::put(const session::Transfer& transfer, std::uint32_t process) {
    insert(m_insertTransfer, {process}, transfer);
}

void SessionDatabase::put(const session::MemoryCall& call, std::uint32_t process) {
    insert(m_insertMemoryCall, {process}, call);
}

void SessionDatabase::put(const session::DeviceActivity& activity, std::uint32_t process) {
    insert(m_insertDeviceActivity, {process}, activity);
}

void SessionDatabase::put(const session::SourceFile& source, std::uint32_t) {
    if (m_sources.insert(source.path).second) insert(m_insertSourceFile, {}, source);
}

void SessionDatabase::put(const session::KernelCode& code, std::uint32_t process) {
    const auto kernel = m_kernelRows.find({process, code.kernel});
    if (kernel == m_kernelRows.end()) return noteOnce(session::codeOfUnknownKernel(process, code.kernel));
    if (!m_withCode.insert(kernel->second).second) return;
    session::KernelCode stored = code;
    stored.kernel = static_cast<std::uint64_t>(kernel->second);
    insert(m_insertKernelCode, {process}, stored);
}

void SessionDatabase::put(const session::SignatureCounter& counter, std::uint32_t process) {
    const auto kernel = m_kernelRows.find({process, counter.kernel});
    if (kernel == m_kernelRows.end())
        return noteOnce(session::countersOfUnknownKernel(process, counter.kernel));
    session::SignatureCounter stored = counter;
    stored.kernel = static_cast<std::uint64_t>(kernel->second); // a process' own, so it stands for it, too
    auto& rows = m_signatureRows[session::signatureOf(stored)];
    const auto [row, isNew] = rows.try_emplace(stored.counter, m_signatureCounters);
    m_signatureCounters += isNew ? 1 : 0;
    insert(m_insertSignatureCounter, {row->second, process}, stored);
}

void SessionDatabase::put(const session::WarpSamples& samples, std::uint32_t process) {
    const auto kernel = m_kernelRows.find({process, samples.kernel});
    if (kernel == m_kernelRows.end())
        return noteOnce(session::samplesOfUnknownKernel(process, samples.kernel));
    session::WarpSamples stored = samples;
    stored.kernel = static_cast<std::uint64_t>(kernel->second);
    insert(m_insertWarpSamples, {process}, stored);
}

void SessionDatabase::put(const session::Unknown& unknown, std::uint32_t) {
    FieldBinder(m_insertUnknown).bind(unknown.json);
    m_insertUnknown.exec();
    m_insertUnknown.reset();
}

} // namespace dormer::store
