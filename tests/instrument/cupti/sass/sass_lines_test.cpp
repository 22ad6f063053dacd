// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/sass_lines.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::instrument::cupti::sass;

// Values as CUPTI gave them on an H100: kernels of 1,048,576 threads.

TEST_CASE("A strided load of global memory") {
    const auto line = lineCounts({{"smsp__sass_inst_executed", 32768},
                                  {"smsp__sass_thread_inst_executed_pred_on", 1048576},
                                  {"smsp__sass_sectors_mem_global", 1048576},
                                  {"smsp__sass_sectors_mem_global_ideal", 131072},
                                  {"smsp__sass_l1tex_tags_mem_global", 1048576},
                                  {"smsp__sass_inst_executed_op_global_ld", 32768},
                                  {"smsp__sass_inst_executed_op_memory_32b", 32768}});
    REQUIRE(line);
    CHECK(line->space == session::MemorySpace::Global);
    CHECK(line->op == session::MemoryOperation::Load);
    CHECK(line->widthBytes == 4U);
    CHECK(line->executions == 32768U);
    CHECK(line->threads == 1048576U);
    CHECK(line->sectors == 1048576U);
    CHECK(line->sectorsIdeal == 131072U);
    CHECK(line->tags == 1048576U);
    CHECK_FALSE(line->wavefronts); // not counted there, so absent
    CHECK_FALSE(line->divergent);
}

TEST_CASE("A conflicting load of shared memory") {
    const auto line = lineCounts({{"smsp__sass_inst_executed", 8192},
                                  {"smsp__sass_thread_inst_executed_pred_on", 262144},
                                  {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", 262144},
                                  {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", 8192},
                                  {"smsp__sass_inst_executed_op_shared_ld", 8192},
                                  {"smsp__sass_inst_executed_op_memory_128b", 8192}});
    REQUIRE(line);
    CHECK(line->space == session::MemorySpace::Shared);
    CHECK(line->op == session::MemoryOperation::Load);
    CHECK(line->widthBytes == 16U);
    CHECK(line->wavefronts == 262144U);
    CHECK(line->wavefrontsIdeal == 8192U);
    CHECK_FALSE(line->sectors);
}

TEST_CASE("Spaces and operations follow from the counter that ran") {
    const auto [metric, space, op] = GENERATE(table<const char*, const char*, const char*>({
        {"smsp__sass_inst_executed_op_global_st", "global", "store"},
        {"smsp__sass_inst_executed_op_global_atom", "global", "atomic"},
        {"smsp__sass_inst_executed_op_global_red", "global", "reduction"},
        {"smsp__sass_inst_executed_op_shared_st", "shared", "store"},
        {"smsp__sass_inst_executed_op_shared_atom", "shared", "atomic"},
        {"smsp__sass_inst_executed_op_local_ld", "local", "load"},
        {"smsp__sass_inst_executed_op_local_st", "local", "store"},
        {"smsp__sass_inst_executed_op_texture", "texture", "load"},
        {"smsp__sass_inst_executed_op_ldgsts", "global", "copy"},
    }));
    const auto line = lineCounts({{"smsp__sass_inst_executed", 3}, {metric, 3}});
    REQUIRE(line);
    CHECK(toString(line->space) == space);
    CHECK(toString(line->op) == op);
}

TEST_CASE("Local memory has sectors of its own") {
    const auto line = lineCounts({{"smsp__sass_inst_executed", 4},
                                  {"smsp__sass_sectors_mem_local", 16},
                                  {"smsp__sass_inst_executed_op_local_st", 4}});
    REQUIRE(line);
    CHECK(line->sectors == 16U);
    CHECK_FALSE(line->sectorsIdeal);
}

TEST_CASE("A load through a generic address is one of the space it went to") {
    // Counters of other spaces are there and stay 0.
    const auto line = lineCounts({{"smsp__sass_inst_executed", 4},
                                  {"smsp__sass_inst_executed_op_global_ld", 4},
                                  {"smsp__sass_inst_executed_op_shared_ld", 0},
                                  {"smsp__sass_inst_executed_op_local_ld", 0}});
    REQUIRE(line);
    CHECK(line->space == session::MemorySpace::Global);
    const auto both = lineCounts({{"smsp__sass_inst_executed", 4},
                                  {"smsp__sass_inst_executed_op_global_ld", 3},
                                  {"smsp__sass_inst_executed_op_shared_ld", 1}});
    REQUIRE(both);
    CHECK(both->space == session::MemorySpace::Generic);
    CHECK(both->op == session::MemoryOperation::Load);
}

TEST_CASE("Branches tell how often they parted the warp") {
    const auto line = lineCounts({{"smsp__sass_inst_executed", 512},
                                  {"smsp__sass_branch_targets_threads_divergent", 64},
                                  {"smsp__sass_branch_targets_threads_uniform", 448}});
    REQUIRE(line);
    CHECK(line->op == session::MemoryOperation::Branch);
    CHECK(line->space == session::MemorySpace::None);
    CHECK(line->divergent == 64U);
}

TEST_CASE("Other instructions, and those that never ran, are no lines") {
    CHECK_FALSE(lineCounts({}));
    CHECK_FALSE(lineCounts({{"smsp__sass_inst_executed", 100}}));
    CHECK_FALSE(lineCounts({{"smsp__sass_inst_executed", 0}, {"smsp__sass_inst_executed_op_global_ld", 0}}));
}

TEST_CASE("Each metric is requested once") {
    std::vector<std::string_view> names(sassLineMetrics().begin(), sassLineMetrics().end());
    CHECK(names.size() > 20);
    std::ranges::sort(names);
    CHECK(std::ranges::adjacent_find(names) == names.end());
}
