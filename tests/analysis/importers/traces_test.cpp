// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/importers/imported.h"

#include <SQLiteCpp/SQLiteCpp.h>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// As `nsys export --type sqlite` makes it: process 100, thread 100, two kernels below one range, a copy.
void writeDatabase(const std::filesystem::path& path) {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    const std::string pid = std::to_string(std::int64_t{100} << 24),
                      tid = std::to_string((std::int64_t{100} << 24) + 100);
    database.exec("CREATE TABLE StringIds(id INTEGER, value TEXT);"
                  "INSERT INTO StringIds VALUES (1, 'scale(float *)'), (2, 'scale'), (3, "
                  "'cudaMemcpyAsync_v3020'), (4, 'step'), (5, 'cudaLaunchKernel_v7000');"
                  "CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, smCount INTEGER, computeMajor "
                  "INTEGER, computeMinor INTEGER);"
                  "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100', 108, 8, 0);"
                  "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);"
                  "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1000000);"
                  "CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER, name TEXT, label TEXT);"
                  "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'A', 'Pageable'), (2, 'B', 'Device');"
                  "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, "
                  "correlationId INTEGER, nameId INTEGER);"
                  "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (110, 116, " +
                  tid + ", 7, 5), (130, 134, " + tid + ", 8, 5), (210, 260, " + tid +
                  ", 9, 3);"
                  "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId "
                  "INTEGER, globalTid INTEGER);"
                  "INSERT INTO NVTX_EVENTS VALUES (100, 150, 59, NULL, 4, " +
                  tid + "), (105, 120, 59, 'forward', NULL, " + tid + "), (90, 300, 60, 'epoch 1', NULL, " +
                  tid +
                  ");"
                  "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, "
                  "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
                  "demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, gridX INTEGER, "
                  "gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);"
                  "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (140, 175, 0, 7, 8, " +
                  pid + ", 1, 2, 16, 64, 1, 1, 256, 1, 1), (120, 140, 0, 7, 7, " + pid +
                  ", 1, 2, 16, 64, 1, 1, 256, 1, 1);"
                  "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, "
                  "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
                  "bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);"
                  "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (220, 250, 0, 7, 9, " +
                  pid + ", 4096, 1, 0, 2);");
}

const std::string kTrace = R"~({
 "deviceProperties": [{"id": 0, "name": "NVIDIA A100", "computeMajor": 8, "computeMinor": 0, "numSms": 108,
   "maxThreadsPerMultiprocessor": 2048, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 167936}],
 "traceEvents": [
  {"ph": "M", "name": "process_name"},
  {"ph": "X", "cat": "user_annotation", "name": "train", "pid": 55, "tid": 55, "ts": 90, "dur": 100},
  {"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 55, "tid": 55, "ts": 95.5, "dur": 30},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 55, "tid": 55, "ts": 100, "dur": 5, "args": {"correlation": 3}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 55, "tid": 55, "ts": 150, "dur": 9, "args": {"correlation": 4}},
  {"ph": "X", "cat": "kernel", "name": "gemm<float>(int)", "pid": 0, "tid": 7, "ts": 110.25, "dur": 12.5,
   "args": {"device": 0, "stream": 7, "correlation": 3, "registers per thread": 32, "shared memory": 1024, "grid": [108, 2, 1], "block": [128, 1, 1]}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "ts": 160, "dur": 2,
   "args": {"device": 0, "stream": 7, "correlation": 4, "bytes": 4096}}
 ]})~";

} // namespace

TEST_CASE("a database of Nsight Systems gives launches, ranges and copies", "[importers]") {
    const TemporaryFolder folder;
    writeDatabase(folder / "a.sqlite");
    const auto session = importers::importFile(folder / "a.sqlite");
    INFO((session ? std::string() : session.error().message));
    REQUIRE(session);
    REQUIRE(session->launches().size() == 2);
    const session::Launch& launch = session->launch(kFirst);
    CHECK(launch.durationNs == 20);
    CHECK(launch.callNs == 6);
    CHECK(launch.startNs == 1000120);
    CHECK(launch.nvtx == "epoch 1 > step > forward");
    CHECK(session->launch(session::LaunchIndex{1}).nvtx == "epoch 1 > step");
    CHECK(launch.grid == session::Dim3{64, 1, 1});
    CHECK(session->kernelOf(kFirst).name == "scale(float *)");
    CHECK(session->deviceOf(kFirst)->smCount == 108);
    CHECK(session->processes().front().pid == 100);
    REQUIRE(session->transfers().size() == 1);
    const session::Transfer& copy = session->transfers().front();
    CHECK(copy.direction == session::TransferDirection::HostToDevice);
    CHECK(copy.source == session::MemoryKind::Pageable);
    CHECK(copy.destination == session::MemoryKind::Device);
    CHECK(copy.bytes == 4096);
    CHECK(copy.durationNs == 30);
    CHECK(copy.callNs == 50);
    CHECK(copy.asynchronous);
    CHECK(copy.nvtx == "epoch 1");
    CHECK(hasNote(*session, "not-concluded", "DRAM traffic"));
}

TEST_CASE("broken and foreign databases are one line", "[importers]") {
    const TemporaryFolder folder;
    SQLite::Database(folder / "other.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE t(x)");
    CHECK(importers::importFile(folder / "other.sqlite").error().kind == ErrorKind::Input);
    // A view in a table's place is not read: it could run for ever.
    SQLite::Database(folder / "view.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE StringIds(id, value); CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL(start, end) AS "
              "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, x FROM c");
    CHECK(importers::importFile(folder / "view.sqlite").error().kind == ErrorKind::Input);
    writeDatabase(folder / "a.sqlite");
    std::filesystem::resize_file(folder / "a.sqlite", std::filesystem::file_size(folder / "a.sqlite") / 2);
    CHECK(importers::importFile(folder / "a.sqlite").error().kind == ErrorKind::Input);
}

TEST_CASE("a trace of PyTorch's profiler gives launches, ranges and copies", "[importers]") {
    const session::Session session = imported(kTrace);
    REQUIRE(session.launches().size() == 1);
    const session::Launch& launch = session.launch(kFirst);
    CHECK(launch.durationNs == 12500);
    CHECK(launch.callNs == 5000);
    CHECK(launch.startNs == 110250);
    CHECK(launch.nvtx == "train > forward");
    CHECK(launch.grid == session::Dim3{108, 2, 1});
    // 2048 threads of an SM in blocks of 128: 16 blocks.
    CHECK(launch.blocksPerSm == 16U);
    CHECK(session.processes().front().pid == 55);
    REQUIRE(session.transfers().size() == 1);
    CHECK(session.transfers().front().source == session::MemoryKind::Pageable);
    CHECK(session.transfers().front().bytes == 4096);
    CHECK(session.transfers().front().nvtx == "train");
}

TEST_CASE("traces with values of other kinds, or cut off, end in one line", "[importers]") {
    for (std::size_t length = 1; length < kTrace.size(); length += 7) {
        const auto session = importBytes(kTrace.substr(0, length));
        CHECK_FALSE(session);
    }
    const session::Session odd = imported(
        R"({"deviceProperties": 3, "baseTimeNanoseconds": "x", "traceEvents": [1, null, {"ph": 2}, {"ph": "X", "cat": "kernel", "name": 5,
            "ts": "12.5", "dur": "2", "args": [1]}, {"ph": "X", "cat": "kernel", "name": "k", "ts": 1e300, "dur": -1, "args": {"grid": "x", "block": [0, -1], "device": 1e30}}]})");
    CHECK(odd.launches().size() == 2);
}
