// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/transfers.h"

#include "tests/support/catch.h"
#include "tests/support/suite_session.h"
#include "tests/support/workload_session.h"

using namespace dormer::session;
using namespace dormer::tests;
using namespace dormer::view;

namespace {

using Texts = std::vector<std::string>;

Texts texts(const Row& row) {
    Texts all;
    for (const Cell& cell : row.cells)
        all.push_back(cell.text);
    return all;
}

Transfer pinnedCopy(std::string where) {
    Transfer copy =
        transferOf(TransferKind::Copy, TransferDirection::HostToDevice, 1, 1'000'000, std::move(where));
    copy.source = MemoryKind::Pinned;
    copy.destination = MemoryKind::Device;
    copy.durationNs = 40'000;
    copy.callNs = 50'000;
    return copy;
}

std::string nameOf(const Transfer& transfer) {
    Session session;
    session.apply(transfer);
    return transferTables(session).transfers.rows.front().cells[1].text;
}

enum Columns { kWhere, kWhat, kCount, kSize, kTime, kEngine, kEffective };

} // namespace

TEST_CASE("like transfers are one row, with a rate by copy time and one by call time", "[view]") {
    const Session session = workloadSession(Origin::Measured);
    const TransferTables tables = transferTables(session);
    const auto& rows = tables.transfers.rows;
    REQUIRE(rows.size() == 6); // the copy outside of workloads, too: nothing declares a suite
    CHECK(rows[0].key == "transfer/pinned");
    CHECK(rows[0].cells[kWhat].text == "copy pinned → device");
    CHECK(rows[0].cells[kCount].value == 4);
    CHECK(rows[0].cells[kSize].value == 16384);
    CHECK(rows[0].cells[kTime].value == 400);
    CHECK(*rows[0].cells[kEngine].value == Approx(40.96e9));
    CHECK(*rows[0].cells[kEffective].value == Approx(20.48e9));
    // No time is known of the migrations.
    CHECK(rows[2].cells[kWhat].text == "migration host → device");
    CHECK(rows[2].cells[kSize].value == 65536);
    for (const int column : {kTime, kEngine, kEffective})
        CHECK(rows[2].cells[static_cast<std::size_t>(column)].emphasis == Emphasis::Missing);
    CHECK(rows[2].cells[kEffective].tooltip.find("no call") != std::string::npos);
    CHECK(texts(rows[4]) == Texts{"transfer/pinned", "GPU page faults", "6", "–", "–", "–", "–"});
    CHECK(rows[4].cells[kSize].tooltip.find("moves nothing") != std::string::npos);
    CHECK(rows[5].cells[kWhere].text == "(no range)");
    REQUIRE(tables.calls.rows.size() == 1);
    CHECK(texts(tables.calls.rows[0]) ==
          Texts{"transfer/pinned", "cuMemHostAlloc", "pinned", "2", "8.19", "100", "50"});
    CHECK(headText(tables.calls.columns[4]) == "size, kB");
    CHECK(tables.outside.empty());
    CHECK(tables.noTimes.empty());
}

TEST_CASE("records that follow one another in time add up over runs", "[view]") {
    Session session;
    session.apply(ProcessStart{});
    for (int run = 0; run < 3; ++run)
        session.apply(pinnedCopy("transfer/pinned"));
    Transfer asynchronous = pinnedCopy("transfer/pinned");
    asynchronous.asynchronous = true;
    session.apply(asynchronous);
    const TransferTables tables = transferTables(session);
    REQUIRE(tables.transfers.rows.size() == 2);
    // 3 MB in 120 us of copying and 150 us of calls.
    CHECK(texts(tables.transfers.rows[0]) ==
          Texts{"transfer/pinned", "copy pinned → device", "3", "3", "120", "25", "20"});
    CHECK(headText(tables.transfers.columns[kSize]) == "size, MB");
    CHECK(headText(tables.transfers.columns[kTime]) == "time, µs");
    CHECK(headText(tables.transfers.columns[kEngine]) == "copy-engine GB/s");
    CHECK(headText(tables.transfers.columns[kEffective]) == "effective GB/s");
    CHECK(tables.transfers.rows[1].cells[kWhat].text == "copy pinned → device, async");
    CHECK(tables.moved == "4.00 MB");
}

TEST_CASE("one transfer without a time leaves the sum without one", "[view]") {
    Session session;
    Transfer fill = transferOf(TransferKind::Fill, TransferDirection::HostToDevice, 1, 100, "a/b");
    fill.destination = MemoryKind::Device;
    fill.durationNs = 5;
    session.apply(fill);
    fill.durationNs.reset();
    session.apply(fill);
    const TransferTables tables = transferTables(session);
    REQUIRE(tables.transfers.rows.size() == 1);
    const auto& cells = tables.transfers.rows[0].cells;
    CHECK(cells[kWhat].text == "fill device");
    CHECK(cells[kSize].value == 200);
    CHECK_FALSE(cells[kTime].value);
    CHECK_FALSE(cells[kEngine].value);
}

TEST_CASE("where the memories are not known the sides are named", "[view]") {
    CHECK(nameOf(transferOf(TransferKind::Copy, TransferDirection::DeviceToHost, 1, 8, "a/b")) ==
          "copy device → host");
    CHECK(nameOf(transferOf(TransferKind::Copy, TransferDirection::Peer, 1, 8, "a/b")) ==
          "copy device → peer device");
    CHECK(nameOf(transferOf(TransferKind::Fill, TransferDirection::HostToDevice, 1, 8, "a/b")) ==
          "fill device");
    CHECK(nameOf(transferOf(TransferKind::CpuFault, TransferDirection::None, 1, 0, "a/b")) ==
          "CPU page faults");
}

TEST_CASE("where emulated, times are dashes with the reason", "[view]") {
    const TransferTables tables = transferTables(emulatedTransfers());
    CHECK(texts(tables.transfers.rows[0]) ==
          Texts{"transfer/pageable", "copy pageable → device", "2", "128", "–", "–", "–"});
    CHECK(tables.transfers.rows[0].cells[kTime].tooltip.starts_with("Emulated"));
    // A unit without a number would read as a measurement in it.
    CHECK(headText(tables.transfers.columns[kTime]) == "time");
    CHECK(headText(tables.transfers.columns[kEngine]) == "copy-engine rate");
    CHECK(headText(tables.transfers.columns[kEffective]) == "effective rate");
    CHECK(headText(tables.transfers.columns[kSize]) == "size, MB"); // known beside other rows
    CHECK(tables.noTimes.find("none is measured or predicted where emulated") != std::string::npos);
}

TEST_CASE("bars compare the rates of a column", "[view]") {
    const TransferTables tables = transferTables(suiteSession());
    const auto& rows = tables.transfers.rows;
    REQUIRE(rows.size() == 6);
    CHECK(*rows[0].cells[kEngine].value == Approx(8e9));
    CHECK(*rows[0].cells[kEngine].bar == Approx(8.0 / 24));
    CHECK(*rows[1].cells[kEngine].bar == Approx(1)); // pinned to the device is the fastest
    CHECK(*rows[0].cells[kEffective].value == Approx(64e6 / 9e6 * 1e9));
    const auto& calls = tables.calls.rows;
    REQUIRE(calls.size() == 3);
    CHECK(calls[0].cells[6].value == 300e3);
    CHECK(calls[1].cells[6].value == 21e6);
}

TEST_CASE("what a suite does outside of its workloads is a sentence, not rows", "[view]") {
    Session session = workloadSession(Origin::Measured);
    session.apply(workloadNamed("transfer/pinned"));
    session.apply(memoryCallOf("cuMemAlloc", MemoryKind::Device, 3, 100));
    const TransferTables tables = transferTables(session);
    CHECK(tables.transfers.rows.size() == 5);
    CHECK(tables.outside ==
          "Set-up and checks, outside of workloads: 1 copy of 1.05 MB, 3 memory API calls.");
    CHECK(transfersSeen(session) ==
          "6 copies of 24.6 kB, 2 migrations of 69.6 kB, 6 page faults, 2 memory API calls");
}
