// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/gains/gain.h"

#include "analysis/findings/finding.h"
#include "analysis/metrics/group.h"
#include "analysis/store/session_file.h"
#include "analysis/verdict/atomics.h"
#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>
#include <cmath>

using namespace dormer::device;

using namespace dormer::findings;
using namespace dormer::gains;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;
using namespace dormer::tests;

namespace {

constexpr double kDuration = 1e5;
constexpr double kPathNs = 1200 / 1.98; // one wave at the H100's highest clock

/// A session of one launch on an H100 and what its model says.
struct Case {
    Session session;
    MetricEvaluator metrics;
    Verdict verdict;

    Case(const Launch& launch, const std::map<std::string, double>& counters)
        : session(oneLaunch(h100Sxm(), launch, counters))
        , metrics(session)
        , verdict(judge(metrics, LaunchIndex{})) {}
    [[nodiscard]] GainModel gain() const { return {metrics, LaunchIndex{}, verdict}; }
};

/// (Σ part^2.2)^(1/2.2) + 1 us
double modelled(std::initializer_list<double> parts) {
    double sum = 0;
    for (const double part : parts)
        sum += std::pow(part, 2.2);
    return 1000 + std::pow(sum, 1 / 2.2);
}

/// Shared loads whose wavefronts alone take `ns` on 132 SMs at 1.98 GHz, `ways` times what they need.
std::map<std::string, double> conflicts(double ns, double ways) {
    const double wavefronts = ns * 132 * 1.98;
    return {{"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts},
            {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0},
            {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", 128 / ways},
            {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio", 128},
            {"smsp__sass_inst_executed_op_shared_ld.sum", wavefronts / ways},
            {"smsp__sass_inst_executed_op_shared_st.sum", 0}};
}

const Session& suite() {
    static const auto loaded = loadSession(DORMER_SOURCE_DIR "/samples/h100-suite.dormer");
    REQUIRE(loaded);
    return *loaded;
}

} // namespace

TEST_CASE("Without conflicts a launch takes what its wavefronts need") {
    const Case c(sizedLaunch(132, kDuration), conflicts(0.9 * kDuration, 32));
    const double wavefronts = 0.9 * kDuration * 132 * 1.98;
    const double before = modelled({0.9 / 0.95 * kDuration, kPathNs});
    const double after = modelled({0.9 / 0.95 * kDuration / 32, kPathNs});
    REQUIRE(before < kDuration); // the rest is not explained and stays
    const auto gain = c.gain().withoutWavefronts(wavefronts * 31 / 32);
    REQUIRE(gain);
    CHECK(*gain == Approx(before - after));
    CHECK_FALSE(c.gain().withoutWavefronts(0));

    // Where the model sees more than there was, its times are scaled.
    const Case over(sizedLaunch(132, kDuration), conflicts(0.99 * kDuration, 32));
    const double ratio =
        modelled({0.99 / 0.95 * kDuration / 32, kPathNs}) / modelled({0.99 / 0.95 * kDuration, kPathNs});
    CHECK(*over.gain().withoutWavefronts(0.99 * kDuration * 132 * 1.98 * 31 / 32) ==
          Approx(kDuration * (1 - ratio)));
}

TEST_CASE("No estimate for what is short or can't be judged") {
    const Case brief(sizedLaunch(132, 4900), conflicts(0.9 * 4900, 32));
    CHECK_FALSE(brief.gain().withoutWavefronts(1e5));
    const Case unknown(sizedLaunch(132, kDuration), conflicts(0.3 * kDuration, 32));
    REQUIRE(unknown.verdict.bound == Bound::Unknown);
    CHECK_FALSE(unknown.gain().withoutWavefronts(1e5));
}

TEST_CASE("Atomics that meet at an address are what the launch waits for, others are not known to be") {
    const auto counters = [](double passes) {
        // 2^20 sectors of atomics; L2 has two halves and counts each pass 1.5 times.
        return std::map<std::string, double>{
            {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum", 1 << 20},
            {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum", 0},
            {"lts__t_sectors_op_atom.sum", 1.5 * passes},
            {"lts__t_sectors_op_red.sum", 0},
            {"lts__t_sectors_op_read.sum", 0},
            {"lts__t_sectors_op_write.sum", 0},
            {"lts__cycles_elapsed.avg.per_second", 1.7e9},
            {"l1tex__t_bytes.sum", 0},
            {"dram__bytes_read.sum", 0},
            {"dram__bytes_write.sum", 0},
            {"smsp__inst_issued.sum", 0},
            {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0},
            {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0},
            {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0},
            {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0},
            {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0},
            {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0}};
    };
    constexpr double kPasses = 10 * (1 << 20);
    constexpr double kSerialNs = kPasses * 1.2 / 1.7; // 7.4 ms
    const Case all(sizedLaunch(132, kSerialNs), counters(kPasses));
    REQUIRE(all.verdict.bound == Bound::Latency);
    const auto gain = all.gain().withoutAtomicContention();
    REQUIRE(gain);
    CHECK(*gain == Approx(kSerialNs * (1 - modelled({kPathNs}) / modelled({kSerialNs, kPathNs}))));
    CHECK_FALSE(Case(sizedLaunch(132, kSerialNs), counters(1 << 20)).gain().withoutAtomicContention());

    // Measured: all threads of an H200 add 1.36e9 times per second to one word.
    Session measured = oneLaunch(h100Sxm(), sizedLaunch(132, 10 * kSerialNs), counters(kPasses));
    CHECK(*atomicWaitNs(MetricEvaluator(measured), LaunchIndex{}) == Approx(kSerialNs));
    measured.apply(MeasuredCeiling{measured.devices().front().id, "atomics_one", 1.36e9, ""});
    CHECK(*atomicWaitNs(MetricEvaluator(measured), LaunchIndex{}) == Approx(kPasses / 1.36));
}

TEST_CASE("Bytes from DRAM take the time of its measured roof, where the session has one") {
    Session session = oneLaunch(h100Sxm(), sizedLaunch(132 * 12, kDuration), {});
    // In units of the theoretical ceiling, 2 x 2.619 GHz x 5120 bits / 8, of which 0.93 can be had.
    const double theoretical = 2 * 2.619e9 * 5120 / 8;
    CHECK(*dramNs(MetricEvaluator(session), LaunchIndex{}, 1e9) == Approx(1e18 / theoretical));
    session.apply(MeasuredCeiling{session.devices().front().id, "dram", 3e12, "write"});
    CHECK(*dramNs(MetricEvaluator(session), LaunchIndex{}, 1e9) / 0.93 == Approx(1e18 / 3e12));
}

TEST_CASE("A last wave wins at most its empty share of what is not explained") {
    // Nothing is known but the waves: 1.5.
    const Case bare(sizedLaunch(132 * 12, kDuration), {});
    CHECK(*bare.gain().withFullLastWave(0.25) == Approx(0.25 * kDuration));
    // 60 % of the slots were filled where 81 % are in a busy kernel.
    const Case filled(sizedLaunch(132 * 12, kDuration),
                      {{"sm__warps_active.avg.pct_of_peak_sustained_active", 60}});
    CHECK(*filled.gain().withFullLastWave(0.5) == Approx((1 - 0.6 / 0.81) * kDuration));
    CHECK_FALSE(bare.gain().withFullLastWave(0));
}

TEST_CASE("More warps win as many times as there can be more of them, which the grid limits, too") {
    // Two blocks of 8 warps per SM, 20 % of the slots filled, of 25 %; shared memory is busy for a tenth.
    const auto gainOf = [](std::uint32_t blocks) {
        auto counters = conflicts(0.1 * kDuration, 1);
        counters["sm__warps_active.avg.pct_of_peak_sustained_active"] = 20;
        counters["sm__cycles_elapsed.avg.per_second"] = 1.98e9;
        for (const char* nothing :
             {"smsp__sass_inst_executed_op_global_ld.sum", "smsp__sass_inst_executed_op_global_st.sum",
              "l1tex__t_bytes.sum", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum",
              "lts__t_sectors_op_atom.sum", "lts__t_sectors_op_red.sum", "dram__bytes_read.sum",
              "dram__bytes_write.sum", "smsp__inst_issued.sum"})
            counters[nothing] = 0;
        for (const char* op : {"fadd", "fmul", "ffma", "dadd", "dmul", "dfma"})
            counters[std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum"] = 0;
        return Case(sizedLaunch(blocks, kDuration, 2), counters).gain().withMoreWarps();
    };
    REQUIRE(gainOf(132 * 20));
    REQUIRE(gainOf(132 * 4));
    CHECK(*gainOf(132 * 20) == Approx((1 - 0.2 / 0.81) * kDuration));
    CHECK(*gainOf(132 * 4) == Approx((1 - 0.2 / 0.5) * kDuration)); // 32 warps for each SM, of 64
}

TEST_CASE("Where few SMs work, what they are busy with wins, not what they move") {
    // Two blocks: the shared memory of their SMs is busy for 70 % of the time, 32-way; 2^17 global requests
    // of 32 sectors each, 4 of them wanted, nearly all caught by L1.
    auto counters = conflicts(0.7 * kDuration * 2 / 132, 32);
    const double requests = 1 << 12, sectors = 32 * requests;
    counters.insert({{"smsp__sass_inst_executed_op_global_ld.sum", requests},
                     {"smsp__sass_inst_executed_op_global_st.sum", 0},
                     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
                     {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 4},
                     {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
                     {"l1tex__t_bytes.sum", sectors * 32},
                     {"lts__t_sectors_op_read.sum", sectors / 8},
                     {"lts__t_sectors_op_write.sum", 0},
                     {"lts__t_sectors_op_atom.sum", 0},
                     {"lts__t_sectors_op_red.sum", 0},
                     {"dram__bytes_read.sum", sectors * 4},
                     {"dram__bytes_write.sum", 0},
                     {"smsp__inst_issued.sum", 100 * requests}});
    for (const char* op : {"fadd", "fmul", "ffma", "dadd", "dmul", "dfma"})
        counters[std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum"] = 0;
    const Case c(sizedLaunch(2, kDuration), counters);
    const double wavefronts = 0.7 * kDuration * 2 * 1.98;
    const auto padded = c.gain().withoutWavefronts(wavefronts * 31 / 32);
    const auto coalesced = c.gain().withoutSectors(sectors * 28 / 32);
    REQUIRE(padded);
    REQUIRE(coalesced);
    CHECK(*padded > 0.5 * kDuration);
    CHECK(*padded < 0.7 / 0.95 * kDuration); // not more than the wavefronts took
    // Not more than the wasted sectors take: to two SMs at 64 bytes a clock, and out of L1 at 128.
    const double onTheWay = sectors * 28 / 32 * 32 / (2 * 1.98);
    CHECK(*coalesced < onTheWay * (1 / 64.0 + 1 / 128.0) / 0.9);
    CHECK(*padded > *coalesced);
}

TEST_CASE("Less than the ns that durations are told in is nothing to win") {
    const Case bare(sizedLaunch(132, 10'000), {});
    CHECK(*bare.gain().without(1.1e-4, {}) == Approx(1.1));
    CHECK_FALSE(bare.gain().without(0.9e-4, {}));
}

TEST_CASE("A share that disappears leaves the launch itself") {
    const Case bare(sizedLaunch(132, kDuration), {});
    CHECK(*bare.gain().without(0.25, {}) == Approx(0.25 * kDuration));
    const Case brief(sizedLaunch(132, 10'000), {}); // 8 of 132 SMs had work: all of them would leave 606 ns
    CHECK(*brief.gain().without(124.0 / 132, {}) == Approx(10'000 - 1000));
    CHECK_FALSE(brief.gain().without(0, {}));
    // What other resources need stays: shared memory's wavefronts are 90 % of the time.
    const Case busy(sizedLaunch(132, 10'000), conflicts(0.9 * 10'000, 32));
    CHECK(*busy.gain().without(0.99, {}) == Approx(0.1 * 10'000));
    CHECK(*busy.gain().without(0.99, {Resource::Shared}) == Approx(10'000 - 1000));
}

TEST_CASE("Gains of recorded launches grow with the waste and never reach the duration") {
    const Session& session = suite();
    const MetricEvaluator metrics(session);
    std::size_t tried = 0;
    const LaunchGroups groups(session);
    for (const LaunchGroup& group : groups.all()) {
        const LaunchIndex launch = group.representative;
        const Verdict verdict = judge(metrics, launch);
        const GainModel model(metrics, launch, verdict);
        const double duration = *session.launch(launch).durationNs;
        const double sectors = metrics.value(launch, "global_load_sectors").value_or(0) +
                               metrics.value(launch, "global_store_sectors").value_or(0);
        const double wavefronts = metrics.value(launch, "shared_wavefronts").value_or(0);
        INFO(group.label);
        double fewer = 0, quicker = 0;
        CHECK_FALSE(model.withoutSectors(0));
        CHECK_FALSE(model.withoutWavefronts(0));
        for (const double share : {0.1, 0.5, 0.9}) {
            const double access = model.withoutSectors(share * sectors).value_or(0);
            const double shared = model.withoutWavefronts(share * wavefronts).value_or(0);
            CHECK(access >= fewer);
            CHECK(shared >= quicker);
            CHECK(std::max(access, shared) < duration);
            tried += access > 0 || shared > 0 ? 1 : 0;
            fewer = access;
            quicker = shared;
        }
        // A tenth of the waste is not paid for all that DRAM and the lookups of L2 did for the rest.
        const double all = model.withoutSectors(0.5 * sectors).value_or(0);
        const double some = model.withoutSectors(0.05 * sectors, 0.1).value_or(0);
        CHECK(some <= model.withoutSectors(0.05 * sectors).value_or(0));
        if (all > 0.2 * duration) CHECK(some < 0.5 * all);
        for (const Finding& finding : findings(metrics, launch, verdict, session.lines(launch)))
            if (finding.gainNs) CHECK((*finding.gainNs > 0 && *finding.gainNs < duration));
    }
    CHECK(tried > 500);
}

TEST_CASE("The time model tells how long workloads without a fault take") {
    const Session& session = suite();
    const MetricEvaluator metrics(session);
    std::vector<double> errors;
    const LaunchGroups groups(session);
    for (const LaunchGroup& group : groups.all()) {
        const LaunchIndex launch = group.representative;
        const auto workload =
            std::ranges::find(session.workloads(), session.launch(launch).workload, &Workload::workload);
        const double duration = *session.launch(launch).durationNs;
        if (workload == session.workloads().end() || !workload->good || duration < kTooShortNs) continue;
        const Verdict verdict = judge(metrics, launch);
        errors.push_back(std::abs(modelledNs(*timeNeeds(metrics, launch, verdict)) / duration - 1));
    }
    REQUIRE(errors.size() > 100);
    std::ranges::sort(errors);
    CHECK(errors[errors.size() / 2] < 0.085); // docs/diagnosis.md says 8 %
}
