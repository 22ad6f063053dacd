// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"

#include "tests/support/catch.h"
#include "tests/support/prose.h"
#include "tests/support/recorded_h200.h"
#include "tests/support/sample_session.h"

#include <algorithm>

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;
using namespace dormer::tests;

namespace {

std::vector<Finding> findingsOf(const Session& session, std::uint32_t launch = 0) {
    return dormer::diagnosis::Diagnosis(session).findings(static_cast<LaunchIndex>(launch));
}

const Finding* find(const std::vector<Finding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, &Finding::code);
    return found == all.end() ? nullptr : &*found;
}

Launch launchOf(std::uint32_t blocks, std::uint32_t threads, double durationNs, std::uint32_t blocksPerSm) {
    Launch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.durationNs = durationNs;
    launch.blocksPerSm = blocksPerSm;
    return launch;
}

std::map<std::string, double> globalLoads(double requests, double sectors, double bytesPerSector) {
    return {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
            {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", bytesPerSector}};
}

} // namespace

TEST_CASE("Recorded launches: what is wrong is named, what is fine is not") {
    const Session session = recordedSession();
    using namespace recorded;
    const auto strided = findingsOf(session, VectorAddStrided);
    REQUIRE(find(strided, "uncoalesced-global-access"));
    const Finding& scatter = *find(strided, "uncoalesced-global-access");
    const Numbers sectors = numbersIn(scatter.evidence);
    REQUIRE(sectors.size() > 4);
    CHECK(Numbers(sectors.begin(), sectors.begin() + 4) == Numbers{32, 4, 32, 4}); // loads, then stores
    // The coalesced version takes 57952 ns of these 502912.
    REQUIRE(scatter.gainNs);
    CHECK(502912 - *scatter.gainNs == Approx(57952).epsilon(0.15));
    CHECK(&strided.front() == &scatter);

    const auto tiled = findingsOf(session, TransposeTiled);
    REQUIRE(find(tiled, "shared-bank-conflicts"));
    const Finding& conflicts = *find(tiled, "shared-bank-conflicts");
    CHECK(conflicts.evidence.find("32-way") != std::string::npos);
    CHECK(conflicts.evidence.find("stores") == std::string::npos);
    // The padded version takes 33824 ns of these 84640; DRAM's theoretical peak is out of reach.
    REQUIRE(conflicts.gainNs);
    CHECK(*conflicts.gainNs == Approx(84640 - 33824).epsilon(0.25));

    // Hardware counts 4.7 % more wavefronts than ideal here: arbitration, not conflicts.
    CHECK_FALSE(find(findingsOf(session, TransposePadded), "shared-bank-conflicts"));
    for (const std::uint32_t fine : {VectorAdd, TransposePadded, Reduce}) {
        const auto all = findingsOf(session, fine);
        CHECK_FALSE(find(all, "uncoalesced-global-access"));
        CHECK_FALSE(find(all, "misaligned-global-access"));
        CHECK_FALSE(find(all, "inconsistent-numbers"));
        CHECK_FALSE(find(all, "small-grid"));
    }
    REQUIRE(find(findingsOf(session, ReduceLast), "small-grid"));
    CHECK_FALSE(find(findingsOf(session, ReduceLast), "small-grid")->gainNs); // too short to promise anything
}

TEST_CASE("Sectors per request alone are no finding") {
    const Launch launch = launchOf(65536, 256, 1e5, 8);
    const auto codes = [&](const std::map<std::string, double>& counters) {
        return findingsOf(oneLaunch(h200(), launch, counters));
    };
    CHECK_FALSE(find(codes(globalLoads(524288, 4194304, 32)), "uncoalesced-global-access")); // doubles
    CHECK_FALSE(find(codes(globalLoads(1000, 16000, 32)), "uncoalesced-global-access"));     // float4
    CHECK(find(codes(globalLoads(1000, 16000, 8)), "uncoalesced-global-access"));      // 16-byte structure
    CHECK_FALSE(find(codes(globalLoads(1000, 1000, 4)), "uncoalesced-global-access")); // broadcast
    CHECK_FALSE(
        find(codes(globalLoads(16, 63, 2000.0 / 63)), "uncoalesced-global-access")); // last warp part full
    const auto shifted = codes(globalLoads(1000, 5000, 25.6));
    CHECK(find(shifted, "misaligned-global-access"));
    CHECK_FALSE(find(shifted, "uncoalesced-global-access"));
}

TEST_CASE("Hardware conflict counters alone raise nothing") {
    // 8192 requests; 2484 lost to arbitration without any bank conflict (another tool's noise).
    const auto all =
        findingsOf(oneLaunch(h200(), launchOf(1024, 256, 1e5, 8),
                             {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 8192 + 2484},
                              {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 8192},
                              {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 2484},
                              {"smsp__sass_inst_executed_op_shared_ld.sum", 8192},
                              {"smsp__sass_inst_executed_op_shared_st.sum", 8192}}));
    CHECK_FALSE(find(all, "shared-bank-conflicts"));
}

TEST_CASE("Exact conflict counts do") {
    // 512 x 512 floats read by columns: 8192 requests, 31 wavefronts too many each.
    const auto all = findingsOf(
        oneLaunch(h200(), launchOf(1024, 256, 1e5, 8),
                  {{"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 8192 + 253952},
                   {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", 4},
                   {"smsp__sass_inst_executed_op_shared_ld.sum", 8192}}));
    REQUIRE(find(all, "shared-bank-conflicts"));
    CHECK(find(all, "shared-bank-conflicts")->evidence.find("32-way") != std::string::npos);
    CHECK_FALSE(find(all, "shared-bank-conflicts")->gainNs); // what bounds this launch is not known
}

TEST_CASE("Up to a tenth too many is no finding") {
    const auto conflicts = [](double excess) {
        return find(findingsOf(
                        oneLaunch(h200(), launchOf(1024, 256, 1e5, 8),
                                  {{"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1000},
                                   {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio", 4},
                                   {"smsp__sass_inst_executed_op_shared_st.sum", 1000 - excess}})),
                    "shared-bank-conflicts") != nullptr;
    };
    CHECK(conflicts(101));
    CHECK_FALSE(conflicts(99));
    const auto scatter = [](double ideal) {
        const auto all = findingsOf(
            oneLaunch(h200(), launchOf(1024, 256, 1e5, 8), globalLoads(1, 1000, 32 * ideal / 1000)));
        return find(all, "uncoalesced-global-access") != nullptr;
    };
    CHECK(scatter(899));
    CHECK_FALSE(scatter(901));
}

TEST_CASE("Grid and tail") {
    const auto codes = [](const Launch& launch, const Device& device) {
        return findingsOf(oneLaunch(device, launch, {}));
    };
    const auto small = codes(launchOf(50, 256, 10720, 4), h200());
    REQUIRE(find(small, "small-grid"));
    CHECK(numbersIn(find(small, "small-grid")->evidence).back() == 82); // idle SMs
    CHECK(*find(small, "small-grid")->gainNs == Approx(10720 * (1 - 50.0 / 132)));
    // 126 of 132 SMs with a block are 95.5 % of them: the grid is not too small.
    CHECK(find(codes(launchOf(125, 256, 10720, 4), h200()), "small-grid"));
    for (const std::uint32_t blocks : {126U, 128U, 132U, 264U, 474U}) {
        const auto full = codes(launchOf(blocks, 256, 10720, 4), h200());
        CHECK_FALSE(find(full, "small-grid"));
        REQUIRE(find(full, "partial-wave"));
        CHECK_FALSE(find(full, "partial-wave")->gainNs);
        CHECK(find(full, "partial-wave")->title.find("too small") == std::string::npos);
    }
    // One block per SM, and four SMs without: nearly full.
    CHECK_FALSE(find(codes(launchOf(128, 256, 10720, 1), h200()), "partial-wave"));
    // Of 528 places: nothing is said from nine tenths of them on.
    CHECK_FALSE(find(codes(launchOf(476, 256, 10720, 4), h200()), "partial-wave"));
    const auto evidenceOf = [&](std::uint32_t blocks) {
        const auto all = codes(launchOf(blocks, 256, 10720, 4), h200());
        return find(all, "partial-wave")->evidence;
    };
    CHECK(numbersIn(evidenceOf(131)) == Numbers{131, 132, 25, 1}); // blocks, SMs, % of a wave, idle SMs
    CHECK(numbersIn(evidenceOf(264)) == Numbers{264, 132, 50});

    Device a100 = h200();
    a100.computeCapabilityMajor = 8;
    a100.smCount = 108;
    const auto tail = codes(launchOf(1823, 128, 10850, 16), a100); // 1.055 waves
    REQUIRE(find(tail, "tail-effect"));
    CHECK(find(tail, "tail-effect")->evidence.find("1.05 waves") != std::string::npos);
    CHECK(*find(tail, "tail-effect")->gainNs == Approx(10850 * (2 - 1823.0 / 1728) / 2));

    CHECK_FALSE(find(codes(launchOf(132 * 8 * 3, 256, 1e5, 8), h200()), "tail-effect")); // whole waves
    // A second wave of 844 of 1056 leaves 212 of 2112 places empty, 10.04 %; one of 845 leaves 9.99 %.
    CHECK(find(codes(launchOf(1056 + 844, 256, 1e5, 8), h200()), "tail-effect"));
    CHECK_FALSE(find(codes(launchOf(1056 + 845, 256, 1e5, 8), h200()), "tail-effect"));
    CHECK_FALSE(find(codes(launchOf(1056 + 930, 256, 1e5, 8), h200()), "tail-effect"));     // 88 % full
    CHECK_FALSE(find(codes(launchOf(2 * 1056 + 740, 256, 1e5, 8), h200()), "tail-effect")); // 9.97 % of 3168
    CHECK_FALSE(find(codes(launchOf(65536, 256, 1e5, 8), h200()), "tail-effect"));          // 62 of them
}

TEST_CASE("Low occupancy names its limiter") {
    Kernel kernel;
    kernel.registersPerThread = 128;
    Launch launch = launchOf(65536, 256, 1e5, 0);
    launch.blocksPerSm.reset();
    const auto registers = findingsOf(oneLaunch(h200(), launch, {}, kernel));
    REQUIRE(find(registers, "low-occupancy"));
    CHECK(find(registers, "low-occupancy")->evidence.find("25 %") != std::string::npos);
    CHECK(find(registers, "low-occupancy")->evidence.find("registers") != std::string::npos);

    // Two blocks fit an SM. More of them would win nothing where the grid has only one for each.
    launch.blocksPerSm = 2;
    launch.grid = {264, 1, 1};
    CHECK(find(findingsOf(oneLaunch(h200(), launch, {}, kernel)), "low-occupancy"));
    launch.grid = {132, 1, 1};
    CHECK_FALSE(find(findingsOf(oneLaunch(h200(), launch, {}, kernel)), "low-occupancy"));
    launch.grid = {65536, 1, 1};

    // The driver allows fewer blocks than the rules do: the limiter is then not known.
    launch.blocksPerSm = 1;
    const auto other = findingsOf(oneLaunch(h200(), launch, {}, kernel));
    REQUIRE(find(other, "low-occupancy"));
    CHECK(find(other, "low-occupancy")->evidence.find("limited by") == std::string::npos);

    launch.blocksPerSm = 8;
    const auto gap = findingsOf(
        oneLaunch(h200(), launch, {{"sm__warps_active.avg.pct_of_peak_sustained_active", 80}}, kernel));
    CHECK(find(gap, "occupancy-gap"));
    CHECK_FALSE(find(gap, "low-occupancy"));
}

TEST_CASE("Local memory, atomics, divergence") {
    const Launch launch = launchOf(65536, 256, 1e5, 8);
    const auto codes = [&](const std::map<std::string, double>& counters, const Launch& of) {
        return findingsOf(oneLaunch(h200(), of, counters));
    };
    std::map<std::string, double> local = {{"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 3000},
                                           {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 1000},
                                           {"l1tex__t_bytes.sum", 32.0 * 16000}};
    REQUIRE(find(codes(local, launch), "local-memory-traffic"));
    CHECK(find(codes(local, launch), "local-memory-traffic")->evidence.find("25 %") != std::string::npos);
    local["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum"] = 0;
    local["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum"] = 0;
    CHECK_FALSE(find(codes(local, launch), "local-memory-traffic"));

    std::map<std::string, double> atomics = {{"lts__t_sectors_op_read.sum", 500},
                                             {"lts__t_sectors_op_write.sum", 0},
                                             {"lts__t_sectors_op_atom.sum", 0},
                                             {"lts__t_sectors_op_red.sum", 500},
                                             {"smsp__sass_inst_executed_op_global_atom.sum", 0},
                                             {"smsp__sass_inst_executed_op_global_red.sum", 500}};
    CHECK(find(codes(atomics, launch), "atomics-contention"));
    atomics["lts__t_sectors_op_red.sum"] = 5;
    CHECK_FALSE(find(codes(atomics, launch), "atomics-contention"));

    std::map<std::string, double> threads = {{"smsp__inst_executed.sum", 100},
                                             {"smsp__thread_inst_executed.sum", 1600}};
    CHECK(find(codes(threads, launch), "divergence"));
    CHECK(find(codes(threads, launchOf(1, 1, 1e5, 8)), "partial-warps"));
    CHECK_FALSE(find(codes(threads, launchOf(1, 1, 1e5, 8)), "divergence"));
    threads["smsp__thread_inst_executed.sum"] = 2600;
    CHECK_FALSE(find(codes(threads, launch), "divergence"));
}

TEST_CASE("Double precision is a finding where it is slow") {
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    Device ada = h200();
    ada.computeCapabilityMajor = 8;
    ada.computeCapabilityMinor = 9;
    // 80 % of 2 x 2 x 132 x 1.98 GHz for 100 us
    const std::map<std::string, double> counters = {{op + "dadd_pred_on.sum", 0},
                                                    {op + "dmul_pred_on.sum", 0},
                                                    {op + "dfma_pred_on.sum", 0.8 * 2 * 132 * 1.98e9 * 1e-4}};
    const Launch launch = launchOf(65536, 256, 1e5, 8);
    const auto slow = findingsOf(oneLaunch(ada, launch, counters));
    REQUIRE(find(slow, "fp64-on-weak-chip"));
    CHECK(*find(slow, "fp64-on-weak-chip")->gainNs == Approx(1e5 * 63 / 64));
    CHECK_FALSE(find(findingsOf(oneLaunch(h200(), launch, counters)), "fp64-on-weak-chip"));
}

TEST_CASE("Numbers that can't be right are flagged, not clamped") {
    const Launch launch = launchOf(65536, 256, 1e5, 8);
    const double dramPeak = 2 * 3.201e9 * 6016 / 8;
    const auto withDram = [&](double share) {
        return oneLaunch(h200(), launch,
                         {{"dram__bytes_read.sum", share * dramPeak * 1e-4}, {"dram__bytes_write.sum", 0}});
    };
    CHECK(find(findingsOf(withDram(1.01)), "inconsistent-numbers"));
    CHECK_FALSE(find(findingsOf(withDram(0.99)), "inconsistent-numbers"));

    for (const double above : {1.02, 1.04}) { // of a measured ceiling
        Session session = withDram(0.9);
        session.apply(MeasuredCeiling{0, "dram", 0.9 * dramPeak / above, "triad"});
        CHECK((find(findingsOf(session), "inconsistent-numbers") != nullptr) == (above > 1.03));
    }
    // A roof that was measured at a lower clock moves up to the launch's; without its clock it can't.
    const double fp32 = 2 * 128 * 132 * 1.98e9;
    for (const bool clockKnown : {true, false}) {
        Session session =
            oneLaunch(h200(), launch,
                      {{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.97 * fp32 / 2 * 1e-4},
                       {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0},
                       {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0},
                       {"sm__cycles_elapsed.avg.per_second", 1.98e9}});
        session.apply(MeasuredCeiling{0, "fp32", 0.98 * fp32 * 0.9, "FFMA"});
        if (clockKnown) session.apply(MeasuredCeiling{0, "fp32_clock", 0.9 * 1.98e9, ""});
        CHECK((find(findingsOf(session), "inconsistent-numbers") == nullptr) == clockKnown);
    }
    // The likely cause is named: a short launch's microsecond, other data in L2.
    const auto cause = [&](double nanoseconds) {
        Session session = oneLaunch(
            h200(), launchOf(65536, 256, nanoseconds, 8),
            {{"dram__bytes_read.sum", 0.95 * dramPeak * nanoseconds * 1e-9}, {"dram__bytes_write.sum", 0}});
        session.apply(MeasuredCeiling{0, "dram", 0.9 * dramPeak, "write"});
        const auto found = findingsOf(session);
        const Finding* flagged = find(found, "inconsistent-numbers");
        return flagged != nullptr ? flagged->evidence : std::string();
    };
    CHECK(cause(1e4).find("so short") != std::string::npos);
    CHECK(cause(1e5).find("in another run") != std::string::npos);

    // Two pipes execute integers: above the rate of additions is possible, above both is not.
    const double adds = 64 * 132 * 1.98e9 * 1e-4;
    const std::string integer = "smsp__sass_thread_inst_executed_op_integer_pred_on.sum";
    CHECK_FALSE(find(findingsOf(oneLaunch(h200(), launch, {{integer, 1.5 * adds}})), "inconsistent-numbers"));
    CHECK(find(findingsOf(oneLaunch(h200(), launch, {{integer, 2.1 * adds}})), "inconsistent-numbers"));

    CHECK(find(findingsOf(oneLaunch(h200(), launch,
                                    {{"sm__warps_active.avg.pct_of_peak_sustained_active", 1555.7}})),
               "inconsistent-numbers"));
    CHECK(find(findingsOf(oneLaunch(h200(), launchOf(1, 1, 18446744073709551615.0, 8), {})),
               "inconsistent-numbers"));
}

TEST_CASE("Requested counters without a value are told, undefined means are not") {
    Session session;
    ProcessStart start;
    start.process.counters = {"a.sum", "b.sum", "mean.ratio"};
    session.apply(start);
    session.apply(h200());
    session.apply(Kernel{});
    session.apply(launchOf(65536, 256, 1e5, 8));
    session.apply(LaunchCounters{0, {{"a.sum", 1}}, true});
    const auto all = findingsOf(session);
    REQUIRE(find(all, "missing-counters"));
    CHECK(find(all, "missing-counters")->evidence == "1 of 3 requested counters: b.sum");
}

TEST_CASE("The sample session has the findings it was made for, largest gain first") {
    const Session session = sampleSession();
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const auto all = findingsOf(session, i);
        const std::string& workload = session.launches()[i].workload;
        INFO(workload);
        CHECK((find(all, "uncoalesced-global-access") != nullptr) == (workload == "vector_sum/uncoalesced"));
        CHECK((find(all, "shared-bank-conflicts") != nullptr) == (workload == "transpose/tiled"));
        CHECK_FALSE(find(all, "inconsistent-numbers"));
        CHECK(std::ranges::is_sorted(all, std::greater{},
                                     [](const Finding& f) { return f.gainNs.value_or(0); }));
    }
}
