// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/findings/made_launch.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"

using namespace dormer::findings;
using namespace dormer::session;
using namespace dormer::tests;
using namespace dormer::tests::made;

TEST_CASE("Atomics: how many lanes queue for one address") {
    const Counters counters{{"lts__t_sectors_op_read.sum", 500},
                            {"lts__t_sectors_op_write.sum", 0},
                            {"lts__t_sectors_op_atom.sum", 0},
                            {"lts__t_sectors_op_red.sum", 500},
                            {"smsp__sass_inst_executed_op_global_atom.sum", 0},
                            {"smsp__sass_inst_executed_op_global_red.sum", 1000}};
    LineCounts reduction = access("global", "reduction", 1, 1);
    reduction.serialized = 31'000;
    reduction.instruction = "red.global.add.u32";
    const auto all = findingsOf({{reduction}, counters});
    REQUIRE(find(all, "atomics-contention"));
    const Finding& one = *find(all, "atomics-contention");
    // instructions, % of L2, of these of 32-bit integers, lanes on one address
    CHECK(numbersIn(one.evidence) == Numbers{1000, 50, 1000, 32, 32});
    CHECK(numbersIn(one.places.at(0).what) == Numbers{32, 1, 32}); // lanes, sectors, lanes on one address
    CHECK(has(one.places.at(0).change, "__reduce_add_sync"));
    // There is no such function for floats, and nothing to add up in an exchange.
    const auto changeOf = [&](const char* instruction, const char* op) {
        LineCounts other = reduction;
        other.instruction = instruction;
        fromString(std::string_view(op), other.op);
        const auto with = findingsOf({{other}, counters});
        return find(with, "atomics-contention")->places.at(0).change;
    };
    CHECK(has(changeOf("red.global.add.f32", "reduction"), "__shfl_down_sync"));
    CHECK(has(changeOf("RED.E.ADD.F32.FTZ.RN.STRONG.GPU", "reduction"), "__shfl_down_sync"));
    CHECK(has(changeOf("RED.E.ADD.STRONG.GPU", "reduction"), "__reduce_add_sync"));
    CHECK(has(changeOf("red.global.max.s32", "reduction"), "__reduce_max_sync"));
    CHECK(has(changeOf("red.global.add.u64", "reduction"), "__shfl_down_sync"));
    CHECK(has(changeOf("atom.global.exch.b32", "atomic"), "can't be combined"));
    CHECK(has(changeOf("ATOMG.E.CAS", "atomic"), "can't be combined"));
    CHECK(has(changeOf("atom.global.add.u32", "atomic"), "__popc(__activemask())"));
    for (const char* apart : {"atom.global.exch.b32", "ATOMG.E.CAS", "red.global.add.f32"})
        CHECK_FALSE(has(changeOf(apart, "atomic"), "__reduce"));
    // A GPU counts sectors only: 32 lanes in the 8 words of one.
    reduction.serialized.reset();
    const auto bound = findingsOf({{reduction}, counters});
    CHECK(numbersIn(find(bound, "atomics-contention")->places.at(0).what) == Numbers{32, 1, 4});
    // Each lane at its own address: many atomics still, but nobody waits.
    LineCounts apart = access("global", "reduction", 4, 4);
    apart.serialized = 0;
    apart.instruction.clear();
    const auto free = findingsOf({{apart}, counters});
    REQUIRE(find(free, "atomics-contention"));
    CHECK(numbersIn(find(free, "atomics-contention")->evidence) == Numbers{1000, 50});
    CHECK(find(free, "atomics-contention")->places.at(0).change.empty());

    const auto shared = findingsOf({{access("shared", "atomic", 6, 1), access("shared", "load", 1, 1, 6)}});
    REQUIRE(shared.size() == 1);
    CHECK(shared[0].code == "shared-atomics-contention");
    CHECK(numbersIn(shared[0].places.at(0).what) == Numbers{6, 1});
}

TEST_CASE("Divergence: active lanes and divergent branches are two numbers") {
    const Counters half{{"smsp__inst_executed.sum", 100}, {"smsp__thread_inst_executed.sum", 1600}};
    const auto all = findingsOf({{branch(5, 100, 0), branch(7, 100, 50), branch(9, 100, 30)}, half});
    REQUIRE(find(all, "divergence"));
    const Finding& split = *find(all, "divergence");
    CHECK(numbersIn(split.evidence) == Numbers{16, 32, 73}); // active threads, of 32, % of uniform branches
    REQUIRE(split.places.size() == 2);
    CHECK(split.places[0].line == 7);
    CHECK(numbersIn(split.places[0].what) == Numbers{50, 100});
    CHECK(split.places[0].share == Approx(50.0 / 80));
    // One thread per block: no branch ever diverges, and 31 lanes idle all the same.
    const auto alone =
        findingsOf({.lines = {branch(5, 100, 0)},
                    .counters = {{"smsp__inst_executed.sum", 100}, {"smsp__thread_inst_executed.sum", 100}},
                    .launch = launchOf(1)});
    REQUIRE(find(alone, "partial-warps"));
    CHECK(numbersIn(find(alone, "partial-warps")->evidence) == Numbers{1, 1, 32, 100});
    CHECK_FALSE(find(alone, "divergence"));
}

TEST_CASE("Multiplications and additions that could be one instruction") {
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    const double peak = 128 * 132 * 1.98e9 * 1e-4; // instructions of 100 us
    const auto found = [&](double adds, double multiplies, double fused) {
        return find(findingsOf({{},
                                {{op + "fadd_pred_on.sum", adds * peak},
                                 {op + "fmul_pred_on.sum", multiplies * peak},
                                 {op + "ffma_pred_on.sum", fused * peak},
                                 {"sm__cycles_elapsed.avg.per_second", 1.98e9}}}),
                    "unfused-multiply-add") != nullptr;
    };
    // An instruction alone is half of a multiply-add's operations: 0.9 of them reach 0.45 of the ceiling.
    CHECK_FALSE(found(0.45, 0.45, 0));
    CHECK(found(0.3, 0.3, 0.35));       // 0.65 of the ceiling, 0.3 of 0.95 instructions saved
    CHECK_FALSE(found(0.05, 0.3, 0.6)); // few pairs
    CHECK_FALSE(found(0, 0, 0.9));
}

TEST_CASE("Tensor cores idle only where half precision multiplies and adds, and binds") {
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    const double peak = 128 * 132 * 1.98e9 * 1e-4; // instructions of pairs in 100 us
    const auto found = [&](double fused, double added, double tensor) {
        return find(findingsOf({{},
                                {{op + "hadd_pred_on.sum", added * peak},
                                 {op + "hmul_pred_on.sum", 0},
                                 {op + "hfma_pred_on.sum", fused * peak},
                                 {"sm__inst_executed_pipe_tensor.sum", tensor},
                                 {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 0}}}),
                    "tensor-cores-idle");
    };
    CHECK(found(0.9, 0, 0));
    CHECK_FALSE(found(0.2, 0, 0));    // nothing binds
    CHECK_FALSE(found(0.9, 0, 1000)); // in use
    CHECK_FALSE(found(0.6, 0.3, 0));  // no matrix product
}

TEST_CASE("Doubles on a chip with few: where floats become doubles") {
    Device ada = h200();
    ada.computeCapabilityMajor = 8;
    ada.computeCapabilityMinor = 9;
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    Made made{.counters = {{op + "dadd_pred_on.sum", 0},
                           {op + "dmul_pred_on.sum", 0},
                           {op + "dfma_pred_on.sum", 0.8 * 2 * 132 * 1.98e9 * 1e-4}},
              .device = ada,
              .code = {{"ptx", "cvt.f64.f32 %fd1, %f1;"}, {"ptx", "fma.rn.f64 %fd2, %fd1, %fd3, %fd4;"}}};
    Session session = sessionOf(made);
    session.apply(SourceFile{"/src/a.cu", "\n\n\n\n\n\nx[i] = x[i] * 0.3 + 1.0;\n"});
    const auto all = dormer::diagnosis::Diagnosis(session).findings(LaunchIndex{0});
    REQUIRE(find(all, "fp64-on-weak-chip"));
    REQUIRE(find(all, "fp64-on-weak-chip")->places.size() == 1);
    const FindingPlace& place = find(all, "fp64-on-weak-chip")->places[0];
    CHECK(place.place == "a.cu:7");
    CHECK(place.what.starts_with("conversion"));
    CHECK(has(place.change, "`0.3f`, `1.0f`"));
}

TEST_CASE("Constant loads: a pass for each address of a warp") {
    LineCounts load = access("constant", "load", 0, 0);
    load.sectors.reset();
    load.sectorsIdeal.reset();
    load.wavefronts = 32'000; // 32 different words
    load.wavefrontsIdeal = 1000;
    const auto apart = findingsOf({.lines = {load}});
    REQUIRE(find(apart, "divergent-constant-loads"));
    CHECK(numbersIn(find(apart, "divergent-constant-loads")->evidence) == Numbers{1000, 32, 1});
    CHECK(numbersIn(find(apart, "divergent-constant-loads")->places.at(0).what) == Numbers{32, 1});
    load.wavefronts = 1000;
    CHECK_FALSE(find(findingsOf({.lines = {load}}), "divergent-constant-loads"));
}

TEST_CASE("Grid-wide barriers are named before what else there is, and nothing else saves time") {
    LineCounts arrive = access("global", "atomic", 1, 1, 9, 4, 1);
    arrive.function = "cooperative_groups::__v1::details::sync_grids_arrive(unsigned int volatile*)";
    arrive.executions = 132 * 50; // one for each block and barrier
    Launch launch = launchOf();
    launch.grid = {132, 1, 1};
    const auto found = findingsOf({.lines = {arrive, access("global", "load", 5, 4)}, .launch = launch});
    REQUIRE(find(found, "grid-barriers"));
    CHECK(found.front().code == "grid-barriers");
    CHECK(numbersIn(found.front().evidence) == Numbers{50, 2, 132}); // 100 us: one every 2 us
    for (const Finding& each : found)
        CHECK_FALSE(each.gainNs);
    // One at the end of a long kernel is not what it waits for.
    launch.durationNs = 1e9;
    CHECK_FALSE(find(findingsOf({.lines = {arrive}, .launch = launch}), "grid-barriers"));
    arrive.function = "addUp(int*)";
    launch.durationNs = 1e5;
    CHECK_FALSE(find(findingsOf({.lines = {arrive}, .launch = launch}), "grid-barriers"));
}

TEST_CASE("What is inside a library is not the user's to change") {
    LineCounts conflict = access("shared", "load", 32, 1);
    conflict.inlinedAt = {{"/src/b.cu", 40}};
    conflict.file = "/usr/local/cuda/include/cub/block/block_scan.cuh";
    const auto inside = findingsOf({.lines = {conflict}});
    REQUIRE(find(inside, "shared-bank-conflicts"));
    CHECK(has(find(inside, "shared-bank-conflicts")->advice, "inside CUB, not yours to change"));
    CHECK(find(inside, "shared-bank-conflicts")->places.at(0).change == "inside CUB: not yours to change");
    conflict.file = "/src/scan.h";
    CHECK(find(findingsOf({.lines = {conflict}}), "shared-bank-conflicts")->advice ==
          adviceOf(FindingKind::BankConflicts));
}
