// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Requests and launches: requests.cu. Counts are arithmetic, as each test says.

#include "analysis/findings/finding_transfer.h"
#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// What is said of the worst place; from the source text, which the emulator's sessions hold.
std::string changeOf(const Case& c, const char* code) {
    INFO(code);
    REQUIRE(c.find(code) != nullptr);
    REQUIRE(!c.find(code)->places.empty());
    return c.find(code)->places.front().change;
}

bool says(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("One member of a structure of 56 bytes is split off; where all are used, nobody says one is") {
    const Case one = caseOf("dormer_cases", "structures", "case/one_member");
    const int line = lineOf("requests.cu", "// one member");
    for (const char* op : {"load", "store"}) {
        const auto counts = one.at(line, "global", op);
        CHECK(counts.executions == 2048); // warps of 65,536 threads
        CHECK(counts.sectors == 2048 * 32);
        CHECK(counts.sectorsIdeal == 2048 * 8);
    }
    checkPlaces(*one.find("uncoalesced-global-access"), {line});
    const Case all = caseOf("dormer_cases", "structures", "case/all_members");
    CHECK(all.all("global", "load").sectors == 7 * 2048 * 32);
    if (!emulated()) return;
    CHECK(says(changeOf(one, "uncoalesced-global-access"), "8 of the 56 bytes"));
    CHECK(says(changeOf(all, "uncoalesced-global-access"), "uses all 56 bytes"));
}

TEST_CASE("Gathered rows are loaded four words at a time, a copy is left as it is") {
    const Case gather = caseOf("dormer_cases", "gathers", "case/gather");
    const int line = lineOf("requests.cu", "// blend");
    const auto loads = gather.at(line, "global", "load");
    CHECK(loads.executions == 2 * 262'144);        // 32,768 warps, 8 corners: an index and a voxel
    CHECK(loads.sectors == 262'144 + 262'144 * 4); // a broadcast, and 128 bytes
    CHECK(loads.sectorsIdeal == loads.sectors);
    REQUIRE(gather.find("narrow-loads") != nullptr);
    CHECK(says(gather.find("narrow-loads")->advice, "float4"));
    const Case copy = caseOf("dormer_cases", "gathers", "case/copy");
    if (emulated())
        CHECK(copy.codes() == std::vector<std::string>{"stall-long-scoreboard"}); // it waits for DRAM
    else
        CHECK(copy.codes() == kNoCodes);
}

TEST_CASE("Rows of 1021 floats begin anywhere in a sector: misaligned, with little to save") {
    const Case c = caseOf("dormer_cases", "packed_rows", "case/packed_rows");
    const auto loads = c.at(lineOf("requests.cu", "// packed rows"), "global", "load");
    CHECK(loads.executions == 65'536); // 2048 rows of 32 warps
    CHECK(loads.sectors == 318'720);
    CHECK(loads.sectorsIdeal == 262'144);
    CHECK(c.codes() == std::vector<std::string>{"misaligned-global-access"});
    if (emulated()) CHECK(says(changeOf(c, "misaligned-global-access"), "cudaMallocPitch"));
}

TEST_CASE("Ten warps for ten rows are too few, whatever their loads look like") {
    const Case c = caseOf("dormer_cases", "few_rows", "case/few_rows");
    CHECK(c.all("global", "load").executions == 2560);
    CHECK(c.all("global", "load").sectors == 2560 * 4);
    CHECK(c.codes() == kNoCodes); // nothing about memory
    CHECK(c.find("small-grid") != nullptr);
    CHECK(c.verdict.bound == verdict::Bound::Latency);
}

TEST_CASE("A thread per row strides by the row in every pass: a warp per row") {
    const Case c = caseOf("dormer_cases", "thread_per_row", "case/thread_per_row");
    const int sum = lineOf("requests.cu", "// thread per row: sum"),
              quotient = lineOf("requests.cu", "// thread per row: quotient");
    for (const auto& [line, op] :
         {std::pair{sum, "load"}, std::pair{quotient, "load"}, std::pair{quotient, "store"}}) {
        const auto counts = c.at(line, "global", op);
        CHECK(counts.executions == 512 * 80);
        CHECK(counts.sectors == 512 * 80 * 32);
        CHECK(counts.sectorsIdeal == 512 * 80 * 4);
    }
    checkPlaces(*c.find("uncoalesced-global-access"), {quotient, sum});
    if (emulated()) CHECK(says(changeOf(c, "uncoalesced-global-access"), "give each row a warp"));
}

TEST_CASE("Barriers of the whole grid are what fifty steps wait for") {
    const Case c = caseOf("dormer_cases", "grid_steps", "case/grid_steps");
    // 2,112 warps in each step, of which each loads one element further on.
    const int line = lineOf("requests.cu", "out[i] = in[(i + 1) % n] + 1;");
    CHECK(c.at(line, "global", "load").executions == 50 * 2112);
    CHECK(c.at(line, "global", "load").sectors == 50 * 2112 * 5);
    CHECK(c.at(line, "global", "store").sectors == 50 * 2112 * 4);
    REQUIRE(!c.findings.empty());
    CHECK(c.findings.front().code == "grid-barriers");
    CHECK(c.find("divergence") == nullptr);
    for (const findings::Finding& each : c.findings)
        CHECK_FALSE(each.gainNs);
}

TEST_CASE("A table in constant memory that lanes read apart takes 32 passes") {
    const Case c = caseOf("dormer_cases", "constants", "case/constant_gather");
    const Case uniform = caseOf("dormer_cases", "constants", "case/constant_uniform");
    CHECK(uniform.find("divergent-constant-loads") == nullptr);
    if (!emulated()) return; // no counter of a GPU has the passes
    const auto loads = c.at(lineOf("requests.cu", "// divergent constant"), "constant", "load");
    CHECK(loads.executions == 512);
    CHECK(loads.wavefronts == 512 * 32);
    CHECK(loads.wavefrontsIdeal == 512);
    REQUIRE(c.find("divergent-constant-loads") != nullptr);
    const auto same = uniform.at(lineOf("requests.cu", "// uniform constant"), "constant", "load");
    CHECK(same.wavefronts == same.executions);
}

TEST_CASE("Two hundred and forty short launches: a graph or fusion, not more blocks") {
    const Case c = caseOf("dormer_cases", "short_launches", "case/short_launches");
    CHECK(c.find("small-grid") == nullptr);
    const auto all = findings::transferFindings(c.session);
    const auto found = std::ranges::find(
        all, "launch-overhead", [](const findings::TransferFinding& each) { return each.finding.code; });
    REQUIRE(found != all.end());
    CHECK(found->subject == "cases::nudge");
    CHECK(says(found->finding.advice, "CUDA graph"));
    CHECK(found->ns == 240 * 3000.);
}
