// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/transfer_rows.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/workload_session.h"

#include <nlohmann/json.hpp>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::view;
using namespace dormer::tests;

namespace {

Transfer pinnedCopy(std::string where) {
    Transfer copy =
        transferOf(TransferKind::Copy, TransferDirection::HostToDevice, 1, 1'000'000, std::move(where));
    copy.source = MemoryKind::Pinned;
    copy.destination = MemoryKind::Device;
    copy.durationNs = 40'000;
    copy.callNs = 50'000;
    return copy;
}

} // namespace

TEST_CASE("like transfers are one row, with a rate by copy time and one by call time", "[report]") {
    const Session session = workloadSession(Origin::Measured);
    const TransferTables tables = transferTables(session);
    REQUIRE(tables.transfers.size() == 6); // the copy outside of workloads, too: nothing declares a suite
    CHECK(tables.transfers[0] == TextRow{"transfer/pinned", "copy", "pinned → device", "4", "16.4 kB",
                                         "4.10 kB", "400 ns", "41.0 GB/s", "800 ns", "20.5 GB/s"});
    // No time is known of the migrations.
    CHECK(tables.transfers[2] == TextRow{"transfer/pinned", "migration", "host → device", "1", "65.5 kB",
                                         "65.5 kB", "–", "–", "–", "–"});
    CHECK(tables.transfers[4] == TextRow{"transfer/pinned", "GPU page faults", "", "6"});
    CHECK(tables.transfers[5][0] == "(no range)");
    REQUIRE(tables.calls.size() == 1);
    CHECK(tables.calls[0] ==
          TextRow{"transfer/pinned", "cuMemHostAlloc", "pinned", "2", "8.19 kB", "100 ns", "50 ns"});
    CHECK(tables.outside.empty());
    CHECK(tables.dashes.empty());
}

TEST_CASE("records that follow one another in time add up over runs", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    for (int run = 0; run < 3; ++run)
        session.apply(pinnedCopy("transfer/pinned"));
    Transfer asynchronous = pinnedCopy("transfer/pinned");
    asynchronous.asynchronous = true;
    session.apply(asynchronous);
    const TransferTables tables = transferTables(session);
    REQUIRE(tables.transfers.size() == 2);
    CHECK(tables.transfers[0][3] == "3");
    CHECK(tables.transfers[0][7] == "25.0 GB/s"); // 3 MB in 120 us
    CHECK(tables.transfers[0][9] == "20.0 GB/s"); // 3 MB in 150 us
    CHECK(tables.transfers[1][1] == "copy, async");
    const TransferTables few = transferTables(session, 1);
    CHECK(few.transfers.size() == 1);
    CHECK(few.transfersLeftOut == 1);
}

TEST_CASE("where emulated, times are dashes with the reason", "[report]") {
    Session session;
    ProcessStart start;
    start.process.origin = Origin::Emulated;
    session.apply(start);
    session.apply(
        transferOf(TransferKind::Copy, TransferDirection::HostToDevice, 1, 4096, "transfer/pinned"));
    const std::string text = transfersTableText(Diagnosis(session));
    CHECK(transferTables(session).transfers.front() ==
          TextRow{"transfer/pinned", "copy", "host → device", "1", "4.10 kB", "4.10 kB", "–", "–", "–", "–"});
    CHECK(text.find("none is measured or predicted where emulated") != std::string::npos);
}

TEST_CASE("what a suite does outside of its workloads is a sentence, not rows", "[report]") {
    Session session = workloadSession(Origin::Measured);
    session.apply(workloadNamed("transfer/pinned"));
    session.apply(memoryCallOf("cuMemAlloc", MemoryKind::Device, 3, 100));
    const TransferTables tables = transferTables(session);
    CHECK(tables.transfers.size() == 5);
    CHECK(tables.outside ==
          "Set-up and checks, outside of workloads: 1 copy of 1.05 MB, 3 calls for memory.");
    CHECK(transfersSeen(session) ==
          "6 copies of 24.6 kB, 2 migrations of 69.6 kB, 6 page faults, 2 calls for memory");
}

TEST_CASE("a session of transfers alone is not empty", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    session.apply(pinnedCopy(""));
    const std::string text = tableText(Diagnosis(session));
    CHECK(text.find("pinned → device") != std::string::npos);
    CHECK(text.find("no kernel launches, measured") != std::string::npos);
    CHECK(text.find("verdict") == std::string::npos);
    CHECK(transfersSeen(session) == "1 copy of 1.00 MB");
    CHECK(transfersSeen(Session{}).empty());
    Session suite;
    suite.apply(ProcessStart{});
    suite.apply(workloadNamed("a/b"));
    suite.apply(pinnedCopy("")); // its set-up
    CHECK(transfersSeen(suite).empty());
}

TEST_CASE("transfers stand below the launches, in Markdown, CSV, JSON and on the page", "[report]") {
    const Session session = workloadSession(Origin::Measured);
    const Diagnosis diagnosis(session);
    const std::string table = tableText(diagnosis);
    CHECK(table.find("longKernel") < table.find("cuMemHostAlloc"));
    CHECK(markdownText(diagnosis).find("## Calls for memory\n") != std::string::npos);
    const std::string csv = transfersCsvText(diagnosis);
    CHECK(csv.find("\r\ntransfer,0,transfer/"
                   "pinned,,copy,host_to_device,pinned,device,,,4,16384,400,800,,,0,0,0\r\n") !=
          std::string::npos);
    CHECK(csv.find("\r\nmemory_call,0,transfer/pinned,,,,,,cuMemHostAlloc,pinned,2,8192,100,,,,,,\r\n") !=
          std::string::npos);
    const auto document = sessionJson(diagnosis);
    REQUIRE(document["transfers"].size() == session.transfers().size());
    CHECK(document["transfers"][0]["bytes"] == 16384);
    CHECK(document["transfers"][0]["duration_ns"] == 400);
    CHECK(document["transfers"][0]["nvtx"].is_null());
    CHECK(document["transfers"][2]["duration_ns"].is_null());
    CHECK(document["memory_calls"][0]["call"] == "cuMemHostAlloc");
    CHECK(transfersDocument(diagnosis)["transfers"] == document["transfers"]);
    const std::string page = htmlReport(diagnosis, "x");
    CHECK(page.find(R"(aria-label="Transfers and memory")") != std::string::npos);
    CHECK(htmlReport(Diagnosis(Session{}), "x").find("Transfers and memory") == std::string::npos);
}

TEST_CASE("hostile names stay text among transfers", "[report]") {
    const Session session = hostileSession();
    const Diagnosis diagnosis(session);
    CHECK(transfersTableText(diagnosis).find('\x1b') == std::string::npos);
    CHECK(transfersMarkdownText(diagnosis).find("\n\x1b") == std::string::npos);
    CHECK(transfersCsvText(diagnosis).find("\"<script>") != std::string::npos);
}
