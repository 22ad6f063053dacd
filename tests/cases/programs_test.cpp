// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What well-known programs do: programs.cu. Counts are arithmetic, as each test says.

#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::tests;

TEST_CASE("500 additions are 500, and a part-full last warp is no fault") {
    const Case c = caseOf("dormer_cases", "part_full", "case/part_full");
    const int line = lineOf("programs.cu", "// part-full");
    CHECK(c.at(line, "global", "load").executions == 2 * 16); // 15 warps of 32 lanes, one of 20
    CHECK(c.at(line, "global", "load").sectors == 2 * (15 * 4 + 3));
    CHECK(c.at(line, "global", "store").sectors == 15 * 4 + 3);
    CHECK(c.at(line, "global", "store").threads == 500);
    CHECK(c.codes() == kNoCodes);
    CHECK(c.session.counter(c.launch, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") == 500.);
}

TEST_CASE("Items take the sectors of their bytes, as often as they are loaded in parts") {
    struct Item {
        const char* name;
        unsigned parts, sectors, ideal; ///< accesses per warp, sectors of each, and of what it needs
    };
    const Item item = GENERATE(
        Item{"u8", 1, 1, 1}, Item{"u16", 1, 2, 2}, Item{"4xu8", 4, 4, 1}, Item{"4xu8_aligned", 1, 4, 4},
        Item{"u32", 1, 4, 4}, Item{"2xu32", 2, 8, 4}, Item{"2xu32_aligned", 1, 8, 8}, Item{"3xu32", 3, 12, 4},
        Item{"3xu32_aligned", 1, 16, 16}, Item{"4xu32", 4, 16, 4}, Item{"4xu32_aligned", 1, 16, 16},
        Item{"8xu32", 8, 32, 4}, Item{"8xu32_aligned", 2, 32, 16});
    CAPTURE(item.name);
    const Case c = caseOf("dormer_cases", "aligned_items", std::string("case/item_") + item.name);
    for (const char* op : {"load", "store"}) {
        const Counts counts = c.all("global", op);
        CHECK(counts.executions == 512 * item.parts);
        CHECK(counts.sectors == 512 * item.parts * item.sectors);
        CHECK(counts.sectorsIdeal == 512 * item.parts * item.ideal);
    }
    CHECK((c.find("uncoalesced-global-access") != nullptr) == (item.sectors > item.ideal));
    CHECK(c.find("misaligned-global-access") == nullptr);
}

TEST_CASE("A tree in shared memory conflicts by 2, 4, 8, 16, 16, 8, 4 and 2 ways on its levels") {
    const Case c = caseOf("dormer_cases", "tree", "case/tree");
    // Warps on the levels: 8, 4, 2 and then 1 six times; each as often as its ways: 95.
    const int up = lineOf("programs.cu", "// tree: up"), down = lineOf("programs.cu", "// tree: down");
    for (const auto& [line, op, accesses] :
         {std::tuple{up, "load", 2U}, std::tuple{up, "store", 1U},
          std::tuple{lineOf("programs.cu", "// tree: left"), "load", 1U},
          std::tuple{lineOf("programs.cu", "// tree: right"), "load", 1U}, std::tuple{down, "store", 2U}}) {
        CAPTURE(line, op);
        const Counts counts = c.at(line, "shared", op);
        CHECK(counts.executions == accesses * 20);
        CHECK(counts.wavefronts == accesses * 95);
        CHECK(counts.wavefrontsIdeal == accesses * 20);
    }
    CHECK(c.find("shared-bank-conflicts") != nullptr);
}

TEST_CASE("Eight warps that compute the same are seen, and one product of two is uncoalesced") {
    const Case rows = caseOf("dormer_cases", "products", "case/row_products");
    const int line = lineOf("programs.cu", "// rows");
    // 8 blocks of 8 warps, 256 steps: an element of the matrix and one of the vector.
    CHECK(rows.at(line, "global", "load").executions == 2 * 64 * 256);
    CHECK(rows.at(line, "global", "load").sectors == 64 * 256 * (32 + 1));
    REQUIRE(rows.find("uncoalesced-global-access") != nullptr);
    checkPlaces(*rows.find("uncoalesced-global-access"), {line});
    const Case columns = caseOf("dormer_cases", "products", "case/column_products");
    CHECK(columns.at(lineOf("programs.cu", "// columns"), "global", "load").sectors == 64 * 256 * (4 + 1));
    CHECK(columns.find("uncoalesced-global-access") == nullptr);
    for (const Case* each : {&rows, &columns})
        CHECK(each->metric("flops_fp32") == 8. * 2 * 256 * 256); // eight times what is needed
    if (!emulated()) return; // from the source text, which the emulator's sessions hold
    REQUIRE(columns.find("redundant-warp-loads") != nullptr);
    CHECK(columns.find("redundant-warp-loads")->evidence.find("all 8 warps") != std::string::npos);
}

TEST_CASE("Rows of 17 floats are 5 sectors for every warp, and 31 of 48 decisions diverge") {
    const Case c = caseOf("dormer_cases", "layer", "case/layer");
    const int weights = lineOf("programs.cu", "// layer: weights");
    CHECK(c.at(weights, "global", "load").executions == 64);
    CHECK(c.at(weights, "global", "load").sectors == 64 * 5);
    const auto conflicts = c.all("shared", "store");
    CHECK(conflicts.wavefronts == conflicts.wavefrontsIdeal);
    if (!emulated()) return; // the assembler turns some branches into predicates
    std::uint64_t decisions = 0, divergent = 0;
    for (const char* mark : {"// layer: input", "// layer: sum", "// layer: result"})
        for (const dormer::session::LineCounts& line : c.session.lines(c.launch))
            if (line.op == dormer::session::MemoryOperation::Branch &&
                line.line == static_cast<unsigned>(lineOf("programs.cu", mark))) {
                decisions += line.executions.value_or(0);
                divergent += line.divergent.value_or(0);
            }
    CHECK(decisions == 8 * 48); // blocks
    CHECK(divergent == 8 * 31); // 8 + 8 for the first column, 8, 4, 2 and 1 for the levels
}

TEST_CASE("Managed memory that host and GPU touch in turns: what is not modelled is said") {
    const Case c = caseOf("dormer_cases", "managed_turns", "case/managed_turns");
    CHECK(c.session.launches().size() == 10);
    CHECK(c.all("global", "load").sectors == (1U << 18) * 4 / 32);
    if (!emulated()) return;
    const auto& notes = c.session.notes();
    CHECK(std::ranges::count(notes, "emulator-migrations", &dormer::session::Note::code) == 1);
}
