// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/findings/made_launch.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"

using namespace dormer::findings;
using namespace dormer::session;
using namespace dormer::tests;
using namespace dormer::tests::made;

TEST_CASE("Local memory: arrays where emulated, and by the code where measured") {
    const Counters local{{"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 4000},
                         {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
                         {"l1tex__t_bytes.sum", 32.0 * 16000}};
    const std::vector<LineCounts> lines{access("local", "load", 4, 4, 12)};
    const auto found = [&](const Made& made, std::string_view code = "local-memory-traffic") {
        const auto all = findingsOf(made);
        REQUIRE(find(all, code));
        return *find(all, code);
    };
    const Finding emulated =
        found({.lines = lines, .counters = local, .origin = Origin::Emulated, .frameBytes = 128});
    CHECK(emulated.advice == adviceOf(FindingKind::LocalArrays));
    CHECK(numbersIn(emulated.places.at(0).what) == Numbers{4000});
    CHECK(emulated.places.at(0).line == 12);

    const Finding unknown = found({.lines = lines, .counters = local});
    CHECK(unknown.advice == adviceOf(FindingKind::LocalMemory));
    const Finding spilled =
        found({.counters = local, .code = {{"sass", "STL [R1+0x4], R8"}, {"sass", "LDL.LU R8, [R1+0x4]"}}},
              "register-spills");
    CHECK(spilled.advice == adviceOf(FindingKind::LocalSpills));
    // Stored and never loaded: arguments of a call.
    const Finding arguments = found({.counters = local, .code = {{"sass", "STL.64 [R1], R8"}}});
    CHECK(arguments.advice == adviceOf(FindingKind::LocalMemory));
    const Finding arrays =
        found({.counters = local, .code = {{"sass", "STL.128 [R1], R8"}, {"sass", "LDL R8, [R12+0x10]"}}});
    CHECK(arrays.advice == adviceOf(FindingKind::LocalArrays));
}

TEST_CASE("Local memory: what moves most decides where a kernel has arrays and spills") {
    const auto codesOf = [](double ofArrays, double ofSpills) {
        std::vector<LineCounts> lines{access("local", "load", ofArrays, 1, 12),
                                      access("local", "load", ofSpills, 1, 12)};
        lines[0].pc = 0;
        lines[1].pc = 32;
        return codes({.lines = lines,
                      .counters = {{"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 4000},
                                   {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
                                   {"l1tex__t_bytes.sum", 32.0 * 16000}},
                      .code = {{"sass", "LDL R8, [R12+0x10]"},
                               {"sass", "STL [R1+0x4], R8"},
                               {"sass", "LDL R8, [R1+0x4]"}}});
    };
    CHECK(codesOf(4, 1) == Codes{"local-memory-traffic"});
    CHECK(codesOf(1, 4) == Codes{"register-spills"});
}

TEST_CASE("Stack frames: what the machine code has beyond the arrays of PTX is spilled registers") {
    const Counters none{{"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 0},
                        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
                        {"l1tex__t_bytes.sum", 32.0 * 16000}};
    const std::pair<std::string, std::string> array{"ptx", ".local .align 4 .b8 __local_depot0[64];"},
        add{"ptx", "add.f32 %f1, %f2, %f3;"}, call{"ptx", "call.uni (retval0), helper, (param0);"};
    const auto found = [&](std::uint64_t frame, std::vector<std::pair<std::string, std::string>> code) {
        return findingsOf(
            {.counters = none, .origin = Origin::Emulated, .code = std::move(code), .frameBytes = frame});
    };
    const auto spilled = found(304, {add});
    REQUIRE(find(spilled, "register-spills"));
    CHECK(numbersIn(find(spilled, "register-spills")->evidence) == Numbers{304});
    CHECK_FALSE(find(spilled, "register-spills")->gainNs);
    const auto both = found(464, {array, add});
    REQUIRE(find(both, "register-spills"));
    CHECK(numbersIn(find(both, "register-spills")->evidence) == Numbers{464, 64});
    const auto calls = found(80, {array, call});
    REQUIRE(find(calls, "register-spills"));
    CHECK(has(find(calls, "register-spills")->evidence, "calls"));
    CHECK(found(64, {array, add}).empty()); // the array's own
    CHECK(found(0, {array, add}).empty());
    CHECK(find(found(304, {}), "register-spills")); // without the code: PTX accesses none of it
}

TEST_CASE("Stack frames: on a GPU they are told where their traffic was not counted") {
    const auto found = [](std::vector<std::pair<std::string, std::string>> code, std::uint64_t frame) {
        return codes({.code = std::move(code), .frameBytes = frame});
    };
    CHECK(found({{"sass", "STL [R1], R8"}, {"sass", "LDL R8, [R1]"}}, 64) == Codes{"register-spills"});
    CHECK(found({{"sass", "LDL R8, [R12]"}}, 256) == Codes{"local-memory-traffic"});
    CHECK(found({}, 256) == Codes{"local-memory-traffic"});
    CHECK(found({}, 0) == Codes{});
}

TEST_CASE("Local memory: arguments of printf are stored, never loaded, and are no finding") {
    const Counters stored{{"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 0},
                          {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 4000},
                          {"l1tex__t_bytes.sum", 32.0 * 16000}};
    CHECK(codes({.counters = stored,
                 .origin = Origin::Emulated,
                 .code = {{"ptx", ".local .align 8 .b8 __local_depot0[16];"},
                          {"ptx", "call.uni (retval0), vprintf, (param0, param1);"}},
                 .frameBytes = 16}) == Codes{});
    CHECK(codes({.counters = stored,
                 .code = {{"sass", "STL.64 [R1], R8"}, {"sass", "CALL.ABS.NOINC R2"}},
                 .frameBytes = 16}) == Codes{});
}

TEST_CASE("Local memory: an array that the assembler keeps in registers is no traffic") {
    CHECK(codes({.lines = {access("local", "load", 4, 4, 12)},
                 .counters = {{"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 4000},
                              {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
                              {"l1tex__t_bytes.sum", 32.0 * 16000}},
                 .origin = Origin::Emulated,
                 .frameBytes = 0}) == Codes{});
}
