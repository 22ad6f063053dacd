// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "analysis/session/kernel_code.h"

#include "tests/support/catch.h"
#include "tests/support/prose.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;

using namespace dormer::tests;

namespace {

using Counters = std::map<std::string, double>;

Launch launchOf(std::uint32_t threads = 256) {
    Launch launch;
    launch.grid = {65536, 1, 1};
    launch.block = {threads, 1, 1};
    launch.durationNs = 1e5;
    launch.blocksPerSm = 8;
    return launch;
}

/// Counts of 1000 warps, each number per warp.
LineCounts access(std::string_view space, std::string_view op, double count, double ideal,
                  std::uint32_t line = 5, std::uint32_t width = 4, std::uint64_t lanes = 32) {
    LineCounts counts;
    counts.file = "/src/a.cu";
    counts.line = line;
    counts.pc = 16 * line;
    fromString(space, counts.space);
    fromString(op, counts.op);
    counts.widthBytes = width;
    counts.executions = 1000;
    counts.threads = 1000 * lanes;
    auto& actual = space == "shared" ? counts.wavefronts : counts.sectors;
    auto& best = space == "shared" ? counts.wavefrontsIdeal : counts.sectorsIdeal;
    actual = static_cast<std::uint64_t>(count * 1000);
    best = static_cast<std::uint64_t>(ideal * 1000);
    return counts;
}

LineCounts branch(std::uint32_t line, std::uint64_t executions, std::uint64_t divergent) {
    LineCounts counts;
    counts.file = "/src/a.cu";
    counts.line = line;
    counts.pc = 16 * line;
    counts.op = MemoryOperation::Branch;
    counts.executions = executions;
    if (divergent > 0) counts.divergent = divergent;
    return counts;
}

struct Made {
    std::vector<LineCounts> lines{};
    Counters counters{};
    Launch launch = launchOf();
    Device device = h200();
    Origin origin = Origin::Measured;
    std::vector<std::pair<std::string, std::string>> code{}; ///< language, instruction
    std::uint64_t frameBytes = 0;
};

Session sessionOf(const Made& made) {
    Session session;
    ProcessStart start;
    start.process.origin = made.origin;
    session.apply(start);
    session.apply(made.device);
    Kernel kernel;
    kernel.localBytesPerThread = made.frameBytes;
    session.apply(kernel);
    session.apply(made.launch);
    if (!made.counters.empty()) session.apply(LaunchCounters{0, made.counters, true});
    if (!made.lines.empty()) session.apply(LaunchLines{0, made.lines});
    if (!made.code.empty()) {
        KernelCode code;
        std::uint64_t pc = 0;
        for (const auto& [language, text] : made.code) {
            fromString(language, code.language);
            addCodeLine(code, pc, "/src/a.cu", 7, text);
            pc += 16;
        }
        session.apply(code);
    }
    return session;
}

std::vector<Finding> findingsOf(const Made& made) {
    const Session session = sessionOf(made);
    return dormer::diagnosis::Diagnosis(session).findings(LaunchIndex{0});
}

const Finding* find(const std::vector<Finding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, &Finding::code);
    return found == all.end() ? nullptr : &*found;
}
bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> codes(const Made& made) {
    std::vector<std::string> found;
    for (const Finding& each : findingsOf(made))
        found.push_back(each.code);
    return found;
}

using Codes = std::vector<std::string>;

} // namespace

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
    conflict.inlinedAt = "/src/b.cu:40";
    conflict.file = "/usr/local/cuda/include/cub/block/block_scan.cuh";
    const auto inside = findingsOf({.lines = {conflict}});
    REQUIRE(find(inside, "shared-bank-conflicts"));
    CHECK(has(find(inside, "shared-bank-conflicts")->advice, "inside CUB, not yours to change"));
    CHECK(find(inside, "shared-bank-conflicts")->places.at(0).change == "inside CUB: not yours to change");
    conflict.file = "/src/scan.h";
    CHECK(find(findingsOf({.lines = {conflict}}), "shared-bank-conflicts")->advice ==
          adviceOf(FindingKind::BankConflicts));
}
