// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/describe_session.h"
#include "tests/support/sample_session.h"
#include "tests/support/temporary_folder.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <sys/stat.h>

#include <fstream>
#include <random>

using namespace dormer;
using namespace dormer::session;
using namespace dormer::store;
using dormer::tests::TemporaryFolder;

namespace {

/// The file must be refused with one line that names it, for the given reason.
void refused(const std::filesystem::path& path, std::string_view why) {
    const auto loaded = loadSession(path);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().kind == ErrorKind::Input);
    CHECK(loaded.error().message.find(path.string()) != std::string::npos);
    CHECK_THAT(loaded.error().message, Catch::Contains(std::string(why)));
    CHECK(loaded.error().message.find('\n') == std::string::npos);
}

void write(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A valid file after `sql` was done to it.
std::filesystem::path tamperedWith(const TemporaryFolder& folder, const std::string& sql) {
    auto path = folder / "tampered.dormer";
    REQUIRE(saveSession(dormer::tests::oddSession(), path));
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec(sql);
    return path;
}

} // namespace

TEST_CASE("What is no session file is refused with a line that says why") {
    const TemporaryFolder folder;
    refused(folder / "missing.dormer", "no such file");
    refused(folder.path(), "directory");
    write(folder / "empty.dormer", "");
    refused(folder / "empty.dormer", "not a Dormer session");
    write(folder / "text.dormer", std::string(5000, 'x'));
    refused(folder / "text.dormer", "not a Dormer session");
    write(folder / "magic.dormer", std::string_view("SQLite format 3\0", 16));
    refused(folder / "magic.dormer", "not a Dormer session");
    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    refused(folder / "pipe", "not a regular file"); // and does not wait for a writer
    {
        SQLite::Database other(folder / "other.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE launches (launch INTEGER PRIMARY KEY)");
    }
    refused(folder / "other.db", "another program");
    refused(tamperedWith(folder, "PRAGMA user_version = 2"), "newer");
    refused(tamperedWith(folder, "PRAGMA user_version = 0"), "no format version");
    refused(tamperedWith(folder, "PRAGMA user_version = -1"), "no format version");
}

TEST_CASE("Values no collector writes are refused") {
    const TemporaryFolder folder;
    const auto [sql, why] = GENERATE(table<const char*, const char*>({
        {"UPDATE launches SET id = -1 WHERE launch = 0", "id of row 0 of table launches is out of range"},
        {"UPDATE launches SET id = 'x'", "not a whole number"},
        {"UPDATE launches SET id = 1.5", "not a whole number"},
        {"UPDATE launches SET grid_x = 4294967296", "out of range"},
        {"UPDATE launches SET block_y = -1", "out of range"},
        {"UPDATE launches SET launch = -7 WHERE launch = 0", "out of order"},
        {"UPDATE launches SET process = 4000000000", "there is no process 4000000000"},
        {"UPDATE launches SET process = -1", "out of range"},
        {"UPDATE launches SET kernel = 5", "kernel that is not there"},
        {"UPDATE launches SET kernel = 1 WHERE launch = 0",
         "kernel that is not there"}, // of the other process
        {"UPDATE launches SET counted = 2", "neither 0 nor 1"},
        {"UPDATE launches SET duration_ns = x'00'", "duration_ns of row 0 of table launches is not a number"},
        {"UPDATE launches SET workload = x'ff'", "not text"},
        {"INSERT INTO launches SELECT 9, process, id, device, kernel, 1, 1, 1, 1, 1, 1, 0, 0, '', '', 0, 0, "
         "NULL, NULL, NULL, NULL, 0, NULL, 0, '' "
         "FROM launches WHERE launch = 0",
         "there twice"},
        {"UPDATE processes SET process = 4000000000 WHERE process = 1", "numbered"},
        {"UPDATE processes SET origin = 'dreamt'", "origin"},
        {"UPDATE processes SET arguments = '[1]'", "JSON array of strings"},
        {"UPDATE processes SET arguments = '{'", "JSON array of strings"},
        {"UPDATE kernels SET id = 3, process = 0", "there twice"},
        {"UPDATE counters SET launch = 12 WHERE launch = 0", "launch 12, which is not there"},
        {"UPDATE counters SET \"a.sum\" = 'much'", "a.sum of row 0 of table counters is not a number"},
        {"ALTER TABLE counters ADD COLUMN \"a b\" REAL", "can't be a counter"},
        {"UPDATE measured_ceilings SET per_second = 9e999", "not finite"},
        {"UPDATE lines SET launch = 12", "lines of launch 12, which is not there"},
        {"UPDATE lines SET executions = -1 WHERE rowid = 1",
         "executions of row 1 of table lines is out of range"},
        {"UPDATE lines SET line = 4294967296", "out of range"},
        {"UPDATE lines SET sectors = 'many'", "sectors of row 1 of table lines is not a whole number"},
        {"UPDATE lines SET file = x'ff' WHERE rowid = 1", "not text"},
        {"UPDATE lines SET space = x'07' WHERE rowid = 1", "space of row 1 of table lines is not text"},
        {"ALTER TABLE lines DROP COLUMN pc", "has no column pc"},
        {"DROP TABLE lines; CREATE VIEW lines AS SELECT 0 AS launch, 0 AS pc", "no table lines"},
        {"UPDATE nvtx_ranges SET process = 2", "there is no process 2"},
        {"UPDATE workloads SET parameters = '[1]'", "JSON array of strings"},
        {"UPDATE sweeps SET metrics = '{'", "JSON array of strings"},
        {"UPDATE transfers SET process = 2", "there is no process 2"},
        {"UPDATE transfers SET bytes = -1 WHERE rowid = 1", "out of range"},
        {"UPDATE transfers SET duration_ns = 'long' WHERE rowid = 1", "not a number"},
        {"UPDATE memory_calls SET count = 1.5", "not a whole number"},
        {"DROP TABLE transfers; CREATE VIEW transfers AS SELECT 0 AS process", "no table transfers"},
        {"DROP TABLE counters", "no table counters"},
        {"DROP TABLE notes; CREATE VIEW notes AS SELECT 1 AS process, 'c' AS code, 't' AS text",
         "no table notes"},
        {"DROP TABLE launches; CREATE VIEW launches AS SELECT * FROM counters", "no table launches"},
        {"ALTER TABLE launches DROP COLUMN grid_x", "has no column grid_x"},
        {"ALTER TABLE launches RENAME COLUMN process TO owner", "has no column process"},
    }));
    CAPTURE(sql);
    refused(tamperedWith(folder, sql), why);
}

TEST_CASE("Text is kept within bounds and made UTF-8") {
    const TemporaryFolder folder;
    refused(tamperedWith(folder, "UPDATE notes SET text = CAST(zeroblob(20000000) AS TEXT)"), "big");
    const auto loaded =
        loadSession(tamperedWith(folder, "UPDATE notes SET text = CAST(x'41ff42eda080' AS TEXT)"));
    REQUIRE(loaded);
    // U+FFFD for each byte that is no part of UTF-8; ED A0 80 would be a surrogate.
    CHECK(loaded->notes()[0].text == "A\xef\xbf\xbd"
                                     "B\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("An almost empty table must not make us allocate without end") {
    const TemporaryFolder folder;
    std::string sql = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT 200000) "
                      "INSERT INTO launches SELECT i, process, i, device, kernel, 1, 1, 1, 1, 1, 1, 0, 0, "
                      "NULL, NULL, NULL, NULL, "
                      "NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL FROM n JOIN launches WHERE launch = 0;";
    sql += "DROP TABLE counters; CREATE TABLE counters (launch INTEGER PRIMARY KEY";
    for (int i = 0; i < 1500; ++i)
        sql += ", c" + std::to_string(i) + " REAL";
    refused(tamperedWith(folder, sql + ")"), "it claims 1500 counters of 200002 launches");
}

TEST_CASE("A file from before there were workloads, sweeps, transfers and calls for memory is read") {
    const TemporaryFolder folder;
    const auto loaded = loadSession(tamperedWith(
        folder, "DROP TABLE workloads; DROP TABLE sweeps; DROP TABLE transfers; DROP "
                "TABLE memory_calls; DROP TABLE device_activity; ALTER TABLE launches DROP COLUMN "
                "called_ns; ALTER TABLE launches DROP COLUMN graph_node; "
                "ALTER TABLE expectations DROP COLUMN reference"));
    REQUIRE(loaded);
    CHECK(loaded->launches().size() == 2);
    CHECK(loaded->workloads().empty());
    CHECK(loaded->transfers().empty());
    CHECK(loaded->deviceActivity().empty());
    CHECK_FALSE(loaded->launches()[0].graphNode);
    CHECK(loaded->launches()[0].calledNs == 0);
}

TEST_CASE("A file from before there were lines is read") {
    const TemporaryFolder folder;
    const auto loaded = loadSession(tamperedWith(folder, "DROP TABLE lines"));
    REQUIRE(loaded);
    CHECK(loaded->launches().size() == 2);
    CHECK_FALSE(loaded->hasLines());
}

TEST_CASE("Tables and columns of others, and of later versions, do no harm") {
    const TemporaryFolder folder;
    const auto loaded = loadSession(tamperedWith(
        folder, "CREATE VIEW mine AS SELECT * FROM launches; CREATE TABLE extra (a); CREATE INDEX fast ON "
                "launches (id);"
                "ALTER TABLE launches ADD COLUMN cluster_x INTEGER; ALTER TABLE launches DROP COLUMN nvtx;"
                "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM launches; END"));
    REQUIRE(loaded);
    CHECK(loaded->launches().size() == 2);
    CHECK(loaded->launches()[0].nvtx.empty());
    CHECK(loaded->launches()[0].workload == "a/b");
}

TEST_CASE("Keywords of later versions read as unknown") {
    const TemporaryFolder folder;
    const auto loaded = loadSession(tamperedWith(
        folder, "UPDATE lines SET space = 'tensor', op = '\xff'; UPDATE transfers SET kind = "
                "'<b>', direction = NULL, source = ''; UPDATE kernel_code SET language = 'PTX'"));
    REQUIRE(loaded);
    const LineCounts& line = loaded->lines(LaunchIndex{0}).front();
    CHECK((line.space == MemorySpace::Unknown && line.op == MemoryOperation::Unknown));
    const Transfer& transfer = loaded->transfers().front();
    CHECK(transfer.kind == TransferKind::Unknown);
    CHECK(transfer.direction == TransferDirection::None);
    CHECK(transfer.source == MemoryKind::None);
    CHECK(loaded->kernelCode().front().language == CodeLanguage::Unknown);
}

TEST_CASE("A file cut off anywhere is refused") {
    const TemporaryFolder folder;
    const auto path = folder / "a.dormer";
    REQUIRE(saveSession(dormer::tests::sampleSession(), path));
    const auto whole = std::filesystem::file_size(path);
    for (std::uintmax_t size = whole - 1; size > 0; size = size > 1500 ? size - 1327 : size - 1) {
        std::filesystem::resize_file(path, size);
        const auto loaded = loadSession(path);
        CAPTURE(size, whole);
        REQUIRE_FALSE(loaded);
        REQUIRE(loaded.error().kind == ErrorKind::Input);
    }
}

TEST_CASE("Flipped bits never crash the reader") {
    const TemporaryFolder folder;
    const auto path = folder / "a.dormer";
    REQUIRE(saveSession(dormer::tests::oddSession(), path));
    std::ifstream file(path, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    std::mt19937 random(20260101);
    int refusals = 0;
    for (int round = 0; round < 600; ++round) {
        std::string bytes = whole;
        // Half of the rounds aim at the first bytes of pages, where the structure is.
        const int flips = 1 + static_cast<int>(random() % 8);
        for (int i = 0; i < flips; ++i) {
            std::size_t at = random() % bytes.size();
            if (round % 2 == 0) at = at / 4096 * 4096 + random() % 128;
            bytes[at % bytes.size()] ^= static_cast<char>(1U << random() % 8);
        }
        write(path, bytes);
        const auto loaded = loadSession(path);
        if (!loaded) {
            ++refusals;
            REQUIRE(loaded.error().kind == ErrorKind::Input);
        } else {
            REQUIRE_FALSE(dormer::tests::describe(*loaded).empty()); // walks all of it
        }
    }
    CHECK(refusals > 100);
}
