// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to global memory that one number tells wrongly.

#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("16 sectors per request are ideal for a float4 and four times too many for a member") {
    const Case vector = caseOf("dormer_cases", "sixteen_bytes", "case/float4");
    for (const char* op : {"load", "store"}) {
        const auto counts = vector.all("global", op);
        CHECK(counts.executions == 1);
        CHECK(counts.sectors == 16);
        CHECK(counts.sectorsIdeal == 16);
    }
    CHECK(vector.codes() == kNoCodes);

    const Case structure = caseOf("dormer_cases", "sixteen_bytes", "case/structure");
    const int line = lineOf("global.cu", "structure: store");
    const auto stores = structure.at(line, "global", "store");
    CHECK(stores.executions == 1);
    CHECK(stores.threads == 32); // 4 bytes each
    CHECK(stores.sectors == 16);
    CHECK(stores.sectorsIdeal == 4);
    // The compiler left the other members alone: there is no load to blame.
    CHECK(structure.all("global", "load").executions == 0);
    CHECK(structure.codes() == std::vector<std::string>{"uncoalesced-global-access"});
    checkPlaces(*structure.find("uncoalesced-global-access"), {line});
}

TEST_CASE("Threads that all compute one value have no pattern to mend, but a thousandfold work") {
    constexpr std::uint64_t kRows = 1024, kColumns = 1024;
    const Case grid = caseOf("dormer_cases", "sgemv", "case/sgemv_grid");
    const int gridSum = lineOf("global.cu", "grid: sum");
    const auto loads = grid.at(gridSum, "global", "load");
    CHECK(loads.executions == kRows * kColumns / 32 * kColumns * 2); // two loads per step
    CHECK(loads.sectors == loads.executions);                        // one address for the warp
    CHECK(loads.sectorsIdeal == loads.executions);
    // 2 operations per step, and 3 for alpha and beta, of each thread. Useful are 2 * rows * columns.
    CHECK(grid.metric("flops_fp32") == kRows * kColumns * (2 * kColumns + 3));
    CHECK(grid.codes() == std::vector<std::string>{"redundant-lanes"});
    REQUIRE(grid.find("redundant-lanes") != nullptr);
    CHECK(grid.find("redundant-lanes")->places.at(0).line == static_cast<unsigned>(gridSum));

    const Case row = caseOf("dormer_cases", "sgemv", "case/sgemv_row");
    const int rowSum = lineOf("global.cu", "row: sum");
    const auto strided = row.at(rowSum, "global", "load");
    constexpr std::uint64_t kRequests = kRows / 32 * kColumns; // of each operand
    CHECK(strided.executions == 2 * kRequests);
    CHECK(strided.sectors == kRequests * (32 + 1)); // a row apart; one address
    CHECK(strided.sectorsIdeal == kRequests * (4 + 1));
    CHECK(row.metric("flops_fp32") == 2 * kRows * kColumns + 3 * kRows);
    CHECK(row.codes() == std::vector<std::string>{"broadcast-load", "uncoalesced-global-access"});
    REQUIRE(row.find("uncoalesced-global-access") != nullptr);
    checkPlaces(*row.find("uncoalesced-global-access"), {rowSum});
}

TEST_CASE("Blocks in another order access memory the same way, row straddling lines or not") {
    // 10,000 ints are 1250 sectors: odd rows begin in the middle of a 128-byte line, never of a sector.
    constexpr std::uint64_t kRows = 10'000, kRequests = kRows * 313;
    for (const char* workload : {"case/grid", "case/grid_swapped"}) {
        CAPTURE(workload);
        const Case c = caseOf("dormer_cases", "grid", workload);
        const int line = lineOf("global.cu", "// touch");
        for (const char* op : {"load", "store"}) {
            const auto counts = c.at(line, "global", op);
            CHECK(counts.executions == kRequests);
            CHECK(counts.threads == kRows * 10'000);
            CHECK(counts.sectors == kRows * 1250);
            CHECK(counts.sectorsIdeal == kRows * 1250);
            // Even rows: one line per warp. Odd ones: two for each but the last, which has 16 lanes.
            CHECK(counts.tags == kRows / 2 * 313 + kRows / 2 * (2 * 312 + 1));
        }
        CHECK(c.metric("global_load_sectors_per_request") == Approx(1250. / 313));
        CHECK(c.codes() == kNoCodes);
    }
}
