// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/analysis/findings/made_launch.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace dormer;
using namespace dormer::tests::made;
using verdict::Bound;

namespace {

/// Counters of a launch of 100 µs that moves `dramShare` of what an H200's DRAM can, 2 x 3.201 GHz x 6016
/// bits, and leaves all else idle.
Counters counters(double dramShare) {
    Counters all = tests::idleCounters();
    all["dram__bytes_read.sum"] = dramShare * 2 * 3.201e9 * 6016 / 8 * 1e-4;
    return all;
}

struct Seen {
    std::uint64_t pc;
    const char* state;
    std::uint64_t samples, notIssued;
};

/// A load at line 10, what uses it at line 12, and a barrier at line 14.
void sample(Session& session, const std::vector<Seen>& all, std::uint32_t process = 0) {
    KernelCode code;
    code.language = CodeLanguage::Sass;
    addCodeLine(code, 0, "/src/a.cu", 10, "LDG.E R2, [R4.64]");
    addCodeLine(code, 16, "/src/a.cu", 12, "FADD R7, R2, R7");
    addCodeLine(code, 32, "/src/a.cu", 14, "BAR.SYNC.DEFER_BLOCKING 0x0");
    session.apply(code, process);
    for (const Seen& each : all)
        session.apply(WarpSamples{0, each.pc, {{{each.state, each.samples, each.notIssued}}}}, process);
}

const std::vector<Seen> kWaiting = {{16, "long_scoreboard", 700, 600},
                                    {16, "selected", 50, 0},
                                    {32, "barrier", 200, 150},
                                    {0, "wait", 50, 20}};

struct Found {
    verdict::Verdict verdict;
    std::vector<Finding> findings;
};
Found foundIn(const Session& session) {
    const dormer::diagnosis::Diagnosis diagnosis(session);
    return {diagnosis.verdict(LaunchIndex{0}), diagnosis.findings(LaunchIndex{0})};
}

} // namespace

TEST_CASE("A run that was sampled alone says what warps wait for and where, but not what it costs") {
    Session session = sessionOf({});
    sample(session, kWaiting);
    const Found found = foundIn(session);
    CHECK(found.verdict.bound == Bound::Unknown);
    CHECK(found.verdict.stall == "long scoreboard");
    const Finding* load = find(found.findings, "stall-long-scoreboard");
    REQUIRE(load != nullptr);
    CHECK_FALSE(load->gainNs);
    CHECK(load->rule == "CPIStall");
    CHECK(has(load->evidence, "60 %"));
    REQUIRE(load->places.size() == 1);
    CHECK(load->places[0].line == 12);
    CHECK(load->places[0].share == 1);
    CHECK(has(load->places[0].what, "for LDG.E R2, [R4.64] at a.cu:10"));
    const Finding* barrier = find(found.findings, "stall-barrier");
    REQUIRE(barrier != nullptr);
    CHECK(barrier->places.at(0).line == 14);
    CHECK(find(found.findings, "stall-wait") == nullptr); // 2 % of the time
}

TEST_CASE("Waiting costs the time in which nothing issues, up to what the busiest resource takes") {
    Session idle = sessionOf({.counters = counters(0.1)});
    sample(idle, kWaiting);
    const Found latency = foundIn(idle);
    CHECK(latency.verdict.bound == Bound::Latency);
    CHECK(verdict::headline(latency.verdict) == "Latency-bound: long scoreboard stalls");
    CHECK(*find(latency.findings, "stall-long-scoreboard")->gainNs == Approx(60e3)); // 60 % of 100 µs
    CHECK(*find(latency.findings, "stall-barrier")->gainNs == Approx(15e3));
    Session busy = sessionOf({.counters = counters(0.55)});
    sample(busy, kWaiting);
    CHECK(*find(foundIn(busy).findings, "stall-long-scoreboard")->gainNs == Approx(45e3)); // DRAM at 55 %
}

TEST_CASE("Waiting for what bounds a launch is no finding") {
    Session session = sessionOf({.counters = counters(0.9)});
    sample(session, kWaiting);
    const Found found = foundIn(session);
    CHECK(found.verdict.bound == Bound::Memory);
    CHECK(find(found.findings, "stall-long-scoreboard") == nullptr);
    REQUIRE(find(found.findings, "stall-barrier") != nullptr);
    CHECK(*find(found.findings, "stall-barrier")->gainNs == Approx(10e3)); // of 15 %: DRAM takes 90 %
}

TEST_CASE("A run that was counted and one that was sampled make one diagnosis") {
    Session session = sessionOf({.counters = counters(0.1)});
    session.apply(ProcessStart{}, 1);
    session.apply(Kernel{}, 1);
    sample(session, kWaiting, 1);
    const Found found = foundIn(session);
    CHECK(found.verdict.stall == "long scoreboard");
    const Finding* load = find(found.findings, "stall-long-scoreboard");
    REQUIRE(load != nullptr);
    CHECK(*load->gainNs == Approx(60e3));
    CHECK(load->places.at(0).line == 12);
}

TEST_CASE("Modelled samples tell of emulated runs alone, and say so") {
    Process emulated;
    emulated.origin = Origin::Emulated;
    Session measured = sessionOf({.counters = counters(0.1)});
    measured.apply(ProcessStart{emulated}, 1);
    measured.apply(Kernel{}, 1);
    sample(measured, kWaiting, 1);
    CHECK(foundIn(measured).verdict.stall.empty());
    CHECK(find(foundIn(measured).findings, "stall-long-scoreboard") == nullptr);
    Session session = sessionOf({.counters = counters(0.1)});
    session.apply(ProcessStart{emulated}, 0);
    sample(session, kWaiting);
    CHECK(foundIn(session).verdict.stall == "long scoreboard");
    const Found found = foundIn(session);
    CHECK(has(find(found.findings, "stall-long-scoreboard")->evidence, "modelled samples"));
}

TEST_CASE("Modelled stalls are told where nothing else explains what a launch waits for") {
    Process emulated;
    emulated.origin = Origin::Emulated;
    const auto codes = [&](const std::vector<LineCounts>& lines, double dramShare, double durationNs) {
        Counters all = counters(dramShare);
        if (!lines.empty()) { // 32 sectors for each request, 4 are ideal
            all["smsp__sass_inst_executed_op_global_ld.sum"] = 1000;
            all["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 32000;
        }
        Session session = sessionOf({.lines = lines, .counters = all});
        session.apply(ProcessStart{emulated}, 0);
        Launch launch = launchOf();
        launch.durationNs = durationNs;
        session.apply(launch, 0);
        sample(session, kWaiting);
        std::vector<std::string> found;
        for (const Finding& finding : foundIn(session).findings)
            if (finding.code.starts_with("stall-")) found.push_back(finding.code);
        return found;
    };
    CHECK(codes({}, 0.1, 1e5).size() == 2);
    CHECK(codes({}, 0.9, 1e5).empty()); // bound by DRAM
    CHECK(codes({}, 0.1, 4e3).empty()); // over before it is under way
    // The load whose result is waited for is an uncoalesced one.
    CHECK(codes({access("global", "load", 32, 4, 10)}, 0.1, 1e5) ==
          std::vector<std::string>{"stall-barrier"});
}

TEST_CASE("Few samples say nothing") {
    Session session = sessionOf({.counters = counters(0.1)});
    sample(session, {{16, "long_scoreboard", 190, 190}});
    const Found found = foundIn(session);
    CHECK(found.verdict.stall.empty());
    CHECK(find(found.findings, "stall-long-scoreboard") == nullptr);
    CHECK(verdict::headline(found.verdict) == "Latency-bound: dependency stalls");
}

TEST_CASE("The suite's kernels that wait are found to, and save what their twins take less") {
    // Counted with `dormer run`, sampled with `dormer profile --stalls`, and merged, on an H200.
    const auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h200-stalls.dormer");
    REQUIRE(session);
    const dormer::diagnosis::Diagnosis diagnosis(*session);
    const auto counted = [&](const std::string& workload) {
        for (std::uint32_t i = 0; i < session->launches().size(); ++i)
            if (session->launches()[i].workload == workload && session->hasCounters(LaunchIndex{i}))
                return LaunchIndex{i};
        FAIL(workload << " was not counted");
        return LaunchIndex{0};
    };
    struct Pair {
        const char *slow, *twin, *stall, *code, *file;
    };
    std::vector<double> errors;
    for (const Pair& pair :
         {Pair{"stalls/chase_dependent", "stalls/chase_interleaved", "long scoreboard",
               "stall-long-scoreboard", "chase.cu"},
          {"stalls/barrier_uneven", "stalls/barrier_even", "barrier", "stall-barrier", "barrier.cu"},
          {"stalls/fma_dependent", "stalls/fma_independent", "wait", "stall-wait", "fma.cu"},
          {"stalls/code_unrolled", "stalls/code_looped", "no instruction", "stall-no-instructions",
           "code.cu"},
          {"stalls/global_narrow", "stalls/global_wide", "long scoreboard", "stall-lg-throttle",
           "global.cu"}}) {
        CAPTURE(pair.slow);
        const LaunchIndex slow = counted(pair.slow);
        CHECK(diagnosis.verdict(slow).stall == pair.stall);
        const std::vector<Finding> findings = diagnosis.findings(slow);
        const Finding* found = find(findings, pair.code);
        REQUIRE(found != nullptr);
        REQUIRE(found->gainNs);
        CHECK(found->places.at(0).place.starts_with(pair.file));
        const double took = *session->launch(slow).durationNs;
        const double saved = took - *session->launch(counted(pair.twin)).durationNs;
        errors.push_back(std::abs(*found->gainNs - saved) / saved);
    }
    std::ranges::sort(errors);
    CHECK(errors[errors.size() / 2] < 0.25);
    // Bound by shared memory itself: another finding says so, and no wait for its queue beside it.
    const std::vector<Finding> bound = diagnosis.findings(counted("stalls/shared_narrow"));
    CHECK(find(bound, "shared-load-bound") != nullptr);
    CHECK(find(bound, "stall-mio-throttle") == nullptr);
}
