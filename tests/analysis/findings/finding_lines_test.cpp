// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/findings/made_launch.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"

using namespace dormer::findings;
using namespace dormer::session;
using namespace dormer::tests;
using namespace dormer::tests::made;

TEST_CASE("A shifted load and a conflicting one are two findings at two lines") {
    const auto all = findingsOf({{access("global", "load", 5, 4, 5), access("global", "store", 4, 4, 6),
                                  access("shared", "store", 1, 1, 7), access("shared", "load", 4, 1, 8)}});
    REQUIRE(all.size() == 2);
    CHECK(all[0].code == "misaligned-global-access");
    CHECK(numbersIn(all[0].evidence) == Numbers{5, 4, 32.0, 11}); // sectors, ideal, kB wasted, %
    REQUIRE(all[0].places.size() == 1);
    CHECK(all[0].places[0].line == 5);
    CHECK(all[1].code == "shared-bank-conflicts");
    CHECK(numbersIn(all[1].evidence) == Numbers{4000, 1000, 4}); // wavefronts, ideal, ways
    REQUIRE(all[1].places.size() == 1);
    CHECK(all[1].places[0].line == 8);
}

TEST_CASE("What is ideal for its width is no finding, however many sectors it has") {
    CHECK(codes({{access("global", "load", 8, 8, 5, 8), access("global", "store", 16, 16, 6, 16)}}) ==
          Codes{});
    CHECK(codes({{access("global", "store", 16, 4)}}) ==
          Codes{"uncoalesced-global-access"});                                   // of a 16-byte struct
    CHECK(codes({{access("global", "load", 63.0 / 16, 63.0 / 16)}}) == Codes{}); // last warp part full
    CHECK(codes({{access("global", "load", 4.4, 4), access("shared", "load", 1.1, 1)}}) == Codes{});
    CHECK(codes({{access("shared", "load", 2, 2, 5, 16)}}) == Codes{}); // a wide broadcast's two wavefronts
}

TEST_CASE("Misaligned and scattered accesses of one launch are told apart") {
    const auto all = findingsOf({{access("global", "load", 5, 4, 5), access("global", "load", 32, 4, 6)}});
    REQUIRE(find(all, "uncoalesced-global-access"));
    REQUIRE(find(all, "misaligned-global-access"));
    CHECK(find(all, "uncoalesced-global-access")->places.at(0).line == 6);
    CHECK(find(all, "uncoalesced-global-access")->places.size() == 1);
    CHECK(find(all, "misaligned-global-access")->places.at(0).line == 5);
}

TEST_CASE("Lines know better than a launch's counters") {
    // Broadcasts and coalesced loads together look like 2.5 sectors with an ideal of 2.06.
    const Counters mixed{{"smsp__sass_inst_executed_op_global_ld.sum", 2000},
                         {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 6000},
                         {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 10}};
    CHECK(codes({{}, mixed}) == Codes{"uncoalesced-global-access"});
    CHECK(codes({{access("global", "load", 4, 4)}, mixed}) == Codes{});
    const Counters conflicts{
        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 3000},
        {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", 128.0 / 3},
        {"smsp__sass_inst_executed_op_shared_ld.sum", 1000}};
    CHECK(codes({{}, conflicts}) == Codes{"shared-bank-conflicts"});
    CHECK(codes({{access("shared", "load", 1, 1)}, conflicts}) == Codes{});
}

TEST_CASE("Counters alone: what broadcasts of wide words explain is no conflict") {
    const auto loads = [](double wavefronts, double bytesPerInstruction) {
        return codes({{},
                      {{"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000 * wavefronts},
                       {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio",
                        bytesPerInstruction / wavefronts},
                       {"smsp__sass_inst_executed_op_shared_ld.sum", 1000}}});
    };
    CHECK(loads(1.2, 105.6) == Codes{}); // a tiled matrix product on an H100
    CHECK(loads(2, 16) == Codes{});      // nothing but such broadcasts
    CHECK(loads(1.5, 192) == Codes{});   // wide ones are there: below two ways it can't be told
    CHECK(loads(1.5, 128) == Codes{"shared-bank-conflicts"});
    CHECK(loads(2, 128) == Codes{"shared-bank-conflicts"});
    CHECK(loads(4, 256) == Codes{"shared-bank-conflicts"});
    CHECK(loads(8, 16) == Codes{"shared-bank-conflicts"});
}

TEST_CASE("Counters alone: broadcasts beside coalesced loads are named, not blamed") {
    const Counters counters{
        {"smsp__sass_inst_executed_op_global_ld.sum", 2000},
        {"smsp__sass_inst_executed_op_global_st.sum", 10},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 5000},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 132000.0 / 5000},
        {"smsp__inst_executed.sum", 100},
        {"smsp__thread_inst_executed.sum", 3200},
        {"smsp__thread_inst_executed_pred_on.sum", 3200}};
    CHECK(codes({{}, counters}) == Codes{"broadcast-load"});
    Counters single = counters; // one lane alone looks the same
    single["smsp__thread_inst_executed_pred_on.sum"] = 1600;
    CHECK(codes({{}, single}) == Codes{});
}

TEST_CASE("Broadcast loads: much of the requests, or all that a kernel does") {
    const LineCounts same = access("global", "load", 1, 1, 5);
    const auto some = findingsOf({{same, access("global", "load", 4, 4, 6)}});
    REQUIRE(find(some, "broadcast-load"));
    CHECK(numbersIn(find(some, "broadcast-load")->places.at(0).what) == Numbers{32, 1}); // lanes, sectors
    CHECK_FALSE(find(some, "broadcast-load")->gainNs);
    std::vector<LineCounts> few{same};
    for (std::uint32_t line = 10; line < 13; ++line)
        few.push_back(access("global", "load", 4, 4, line));
    CHECK(codes({few}) == Codes{}); // a quarter
    // All lanes load and store the same: a matrix product whose threads differ by nothing.
    const auto redundant = findingsOf({{same, access("global", "store", 1, 1, 9)}});
    REQUIRE(redundant.size() == 1);
    CHECK(redundant[0].code == "redundant-lanes");
    // One lane of each warp: no broadcast.
    CHECK(codes({{access("global", "load", 1, 1, 5, 4, 1), access("global", "store", 1, 1, 6, 4, 1)}}) ==
          Codes{});
}
