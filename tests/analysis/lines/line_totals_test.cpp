// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/line_totals.h"

#include "tests/support/catch.h"
#include "tests/support/line_session.h"

using namespace dormer::lines;

using namespace dormer::session;

using namespace dormer::store;
using dormer::tests::kLineLaunches;
using dormer::tests::lineSession;

TEST_CASE("counts of launches add up instruction by instruction") {
    const auto sums = sumByInstruction(lineSession(), kLineLaunches);
    REQUIRE(sums.size() == 5);
    CHECK(sums[0].pc == 0x10); // program order
    CHECK(sums[0].executions == 20U);
    CHECK(sums[0].sectors == 640U);
    CHECK(sums[0].sectorsIdeal == 80U);
    CHECK_FALSE(sums[0].wavefronts); // absent in both stays absent
    CHECK(sums[3].divergent == 3U);  // only one of the launches has it
}

TEST_CASE("a line has the sums of its instructions, most excess first") {
    const auto lines = sumByLine(lineSession(), kLineLaunches);
    REQUIRE(lines.size() == 4);
    // a.cu:5: (640 - 80) x 2 sectors above the ideal; a.cu:9 through one call: 620 - 20 wavefronts.
    CHECK(placeText(lines[0].total) == "a.cu:5");
    CHECK(excessOf(lines[0].total) == 1120);
    REQUIRE(lines[0].accesses.size() == 1); // two loads of one kind
    CHECK(lines[0].accesses[0].instructions == 2);
    CHECK(lines[0].accesses[0].counts.executions == 40U);
    CHECK(lines[0].total.space == MemorySpace::Global);
    CHECK(placeText(lines[1].total) == "b.cuh:9");
    CHECK(chainText(lines[1].total) == "b.cuh:20 < a.cu:6");
    CHECK(excessOf(lines[1].total) == 600);
    CHECK(excessOf(lines[2].total) == 0);
    CHECK(placeText(lines[2].total) == "a.cu:7");
    CHECK(placeText(lines[3].total) == "pc 0x50"); // no line information
}

TEST_CASE("the same line inlined at two places is two lines") {
    Session session = lineSession();
    LineCounts here;
    here.file = "/src/b.cuh";
    here.line = 9;
    here.pc = 0x10;
    LineCounts there = here;
    there.pc = 0x20;
    there.inlinedAt = {{"/src/a.cu", 8}};
    session.apply(LaunchLines{0, {here, there}});
    CHECK(sumByLine(session, std::vector{LaunchIndex{0}}).size() == 2);
}

TEST_CASE("a line of several kinds of access names no kind") {
    Session session = lineSession();
    LineCounts load;
    load.file = "a.cu";
    load.line = 1;
    load.space = MemorySpace::Global;
    load.op = MemoryOperation::Load;
    LineCounts store = load;
    store.pc = 16;
    store.op = MemoryOperation::Store;
    session.apply(LaunchLines{0, {load, store}});
    const auto lines = sumByLine(session, std::vector{LaunchIndex{0}});
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].total.space == MemorySpace::Global);
    CHECK(lines[0].total.op == MemoryOperation::None);
    CHECK(lines[0].accesses.size() == 2);
}
