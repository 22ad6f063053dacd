// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/measured.h"

#include "analysis/verdict/verdict.h"

#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>

using namespace dormer::device;
using namespace dormer::metrics;
using namespace dormer::session;
using namespace dormer::tests;
using namespace dormer::verdict;

namespace {

constexpr LaunchIndex kLaunch{0};

bool anyLineHas(const std::vector<std::string>& lines, std::string_view text) {
    return std::ranges::any_of(lines,
                               [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("Measured roofs decide where the session has them, and the evidence says so") {
    // 57 % of what DRAM could in theory, 63 % of what it does.
    const double peak = 2 * 3.201e9 * 6016 / 8;
    auto counters = idleCounters();
    counters["dram__bytes_read.sum"] = 0.57 * peak * 100e-6;
    Session session = oneLaunch(h200(), sizedLaunch(65536, 100000), counters);
    CHECK(judge(MetricEvaluator(session), kLaunch).bound == Bound::Latency);
    session.apply(MeasuredCeiling{0, "dram", 0.905 * peak, "write"});
    const MetricEvaluator metrics(session);
    const Verdict verdict = judge(metrics, kLaunch);
    CHECK(verdict.bound == Bound::Memory);
    CHECK(verdict.resource == Resource::Dram);
    CHECK(*verdict.utilization[static_cast<std::size_t>(Resource::Dram)] ==
          Approx(0.57)); // stays what it is: of the theoretical one
    CHECK(measuredShares(metrics, kLaunch)[static_cast<std::size_t>(Resource::Dram)] == Approx(0.57 / 0.905));
    CHECK(anyLineHas(evidence(metrics, kLaunch, verdict), "63 % of the measured roof"));
}

TEST_CASE("L2 is held against its measured roof before what recordings reached") {
    auto counters = idleCounters();
    counters["lts__t_sectors.sum.peak_sustained"] = 282;
    counters["lts__cycles_elapsed.avg.per_second"] = 1.7e9;
    counters["lts__t_sectors_op_read.sum"] = 7e12 * 100e-6 / 32;
    Session session = oneLaunch(h200(), sizedLaunch(65536, 100000), counters);
    const double practical = *judge(MetricEvaluator(session), kLaunch).practicalL2;
    session.apply(MeasuredCeiling{0, "l2", 10e12, "loads"});
    const MetricEvaluator metrics(session);
    CHECK(*judge(metrics, kLaunch).practicalL2 == Approx(0.7));
    CHECK(practical != Approx(0.7).margin(0.05));
    CHECK(anyLineHas(evidence(metrics, kLaunch, judge(metrics, kLaunch)), "70 % of the measured roof"));
}

TEST_CASE("Tensor work is held against the measured roofs of its formats, at the launch's clock") {
    const double peak = 2 * 2048 * 132 * 1.98e9;
    auto counters = idleCounters();
    counters.merge(unknownTensorCounters());
    counters["sm__ops_path_tensor_src_fp16.sum"] = 0.5 * peak * 100e-6;
    counters["sm__cycles_elapsed.avg.per_second"] = 1.98e9;
    Session session = oneLaunch(h200(), sizedLaunch(65536, 100000), counters);
    session.apply(MeasuredCeiling{0, "tensor_fp16", 0.8 * peak, "wgmma, at a clock that had fallen"});
    session.apply(MeasuredCeiling{0, "tensor_fp16_clock", 0.9 * 1.98e9, ""});
    const auto tensor = [&] {
        return measuredShares(MetricEvaluator(session), kLaunch)[static_cast<std::size_t>(Resource::Tensor)];
    };
    REQUIRE(tensor());
    CHECK(*tensor() == Approx(0.5 / (0.8 / 0.9)));
    // A format without a measured roof: nothing is said of the mixture.
    counters["sm__ops_path_tensor_src_tf32_dst_fp32.sum"] = 0.1 * peak * 100e-6;
    Session mixed = oneLaunch(h200(), sizedLaunch(65536, 100000), counters);
    mixed.apply(MeasuredCeiling{0, "tensor_fp16", 0.8 * peak, "wgmma"});
    CHECK_FALSE(measuredShares(MetricEvaluator(mixed), kLaunch)[static_cast<std::size_t>(Resource::Tensor)]);
}
