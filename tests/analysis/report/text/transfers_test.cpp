// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/text_table.h"
#include "analysis/view/transfers.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/report_text.h"
#include "tests/support/workload_session.h"

#include <nlohmann/json.hpp>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;

using namespace dormer::view;
using namespace dormer::tests;
using dormer::tests::sessionJson;

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

TEST_CASE("a table shows so many rows and says what more there is", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    for (std::size_t i = 0; i < kMostTextRows + 2; ++i)
        session.apply(pinnedCopy("transfer/" + std::to_string(i)));
    CHECK(transfersTableText(Diagnosis(session)).find("and 2 more rows") != std::string::npos);
    CHECK(transferTables(session).transfers.rows.size() == kMostTextRows + 2);
}

TEST_CASE("where emulated, the reason for dashes stands below", "[report]") {
    Session session;
    ProcessStart start;
    start.process.origin = Origin::Emulated;
    session.apply(start);
    session.apply(
        transferOf(TransferKind::Copy, TransferDirection::HostToDevice, 1, 4096, "transfer/pinned"));
    CHECK(transfersTableText(Diagnosis(session)).find("none is measured or predicted where emulated") !=
          std::string::npos);
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
    CHECK(markdownText(diagnosis).find("## Memory API calls\n") != std::string::npos);
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
