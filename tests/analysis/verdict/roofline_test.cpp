// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/roofline.h"

#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/recorded_h200.h"
#include "tests/support/sample_session.h"

using namespace dormer::device;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::verdict;

using namespace dormer::tests;

TEST_CASE("Points, gutter and unknown together are all launches") {
    const Session session = sampleSession();
    const MetricEvaluator metrics(session);
    for (const Work work : kWorks) {
        if (work == Work::Tensor) continue; // no launch here has its counters
        for (const MemoryLevel level :
             {MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1, MemoryLevel::Shared}) {
            const Roofline chart = roofline(metrics, work, level);
            CHECK(chart.points.size() + chart.withoutWork.size() + chart.unknown.size() ==
                  session.launches().size());
            CHECK(chart.unknown.size() == 1); // the launch without counters
        }
    }
}

TEST_CASE("FP32 over DRAM") {
    const Session session = sampleSession();
    const MetricEvaluator metrics(session);
    const Roofline chart = roofline(metrics, Work::Fp32, MemoryLevel::Dram);
    REQUIRE_FALSE(chart.points.empty());
    // vector_add: one addition for 12 bytes, 2^24 of them in 68 us
    const RooflinePoint& point = chart.points.front();
    CHECK(point.intensity == Approx(1.0 / 12));
    CHECK(point.rate == Approx(16777216 / 68e-6));
    CHECK(point.durationNs == 68000);
    REQUIRE(chart.memory.size() == 1);
    REQUIRE(chart.compute.size() == 1);
    CHECK(*chart.ridge == Approx(66.9 / 3.352).epsilon(0.001));
    for (const LaunchIndex launch : chart.withoutWork) {
        const auto edge = rooflinePoint(metrics, launch, Work::Fp32, MemoryLevel::Dram);
        REQUIRE(edge);
        CHECK(edge->rate == 0);
    }
    CHECK(chart.withoutWork.size() >
          8); // transposes and scale do no FP32 work, the last reduce no DRAM traffic
}

TEST_CASE("L2's roof comes from the chip's own peak where none is published") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    const Roofline chart = roofline(metrics, Work::IntegerAndFp, MemoryLevel::L2);
    REQUIRE(chart.memory.size() == 1);
    CHECK(chart.memory.front().perSecond == Approx(282 * 32 * 1.706178e9));
    CHECK(chart.unknown.size() == 7); // integer operations were not recorded
    REQUIRE(chart.compute.size() == 2);
    CHECK(chart.compute[0].resource == Resource::Fp32); // no mix of operations passes it
    CHECK(chart.compute[1].resource == Resource::Integer);
}

TEST_CASE("Warp instructions per byte") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    const Roofline chart = roofline(metrics, Work::WarpInstructions, MemoryLevel::Dram);
    REQUIRE(chart.points.size() == 7);
    CHECK(chart.points[0].intensity == Approx(10485760.0 / 189234688));
    CHECK(chart.compute.front().resource == Resource::IssueSlots);
}

TEST_CASE("A session of one launch has one point") {
    Launch launch;
    launch.durationNs = 10000;
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    const Session session = oneLaunch(h200(), launch,
                                      {{op + "fadd_pred_on.sum", 500},
                                       {op + "fmul_pred_on.sum", 0},
                                       {op + "ffma_pred_on.sum", 0},
                                       {"dram__bytes_read.sum", 4000},
                                       {"dram__bytes_write.sum", 2000}});
    const Roofline chart = roofline(MetricEvaluator(session), Work::Fp32, MemoryLevel::Dram);
    REQUIRE(chart.points.size() == 1);
    CHECK(chart.points[0].intensity == Approx(1.0 / 12));
}

TEST_CASE("Measured roofs are drawn after the theoretical ones and don't move the ridge") {
    Session session;
    session.apply(h100Sxm());
    session.apply(MeasuredCeiling{0, "fp32", 63.5e12, "FMA chains"});
    const Roofline chart = roofline(MetricEvaluator(session), Work::Fp32, MemoryLevel::Dram);
    REQUIRE(chart.compute.size() == 2);
    CHECK_FALSE(chart.compute[0].measured);
    CHECK(chart.compute[1].perSecond == 63.5e12);
    CHECK(*chart.ridge == Approx(66.9 / 3.352).epsilon(0.001));
}

TEST_CASE("Without a device there are points but no roofs") {
    Session session;
    session.apply(Kernel{});
    Launch launch;
    launch.durationNs = 1000;
    session.apply(launch);
    const Roofline chart = roofline(MetricEvaluator(session), Work::Fp32, MemoryLevel::Dram);
    CHECK(chart.memory.empty());
    CHECK_FALSE(chart.ridge);
    CHECK(chart.unknown.size() == 1);
    CHECK(roofline(MetricEvaluator(session), Work::Fp32, MemoryLevel::Dram, 3).unknown.empty());
}

TEST_CASE("A few FP32 instructions in a double-precision kernel don't change its work") {
    Launch launch;
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    std::map<std::string, double> counters = {{op + "fadd_pred_on.sum", 200}, {op + "fmul_pred_on.sum", 0},
                                              {op + "ffma_pred_on.sum", 0},   {op + "dadd_pred_on.sum", 0},
                                              {op + "dmul_pred_on.sum", 100}, {op + "dfma_pred_on.sum", 600}};
    const auto work = [&](const Device& device) {
        const Session session = oneLaunch(device, launch, counters);
        return dominantWork(MetricEvaluator(session), LaunchIndex{0});
    };
    CHECK(work(h200()) == Work::Fp64);
    counters[op + "ffma_pred_on.sum"] = 1e6;
    CHECK(work(h200()) == Work::Fp32);
    counters[op + "ffma_pred_on.sum"] = 3000;
    CHECK(work(h200()) == Work::Fp32);
    Device ada = h200(); // FP64 at 1/64: the same mix spends its time there
    ada.computeCapabilityMajor = 8;
    ada.computeCapabilityMinor = 9;
    CHECK(work(ada) == Work::Fp64);
    for (auto& [name, value] : counters)
        value = 0;
    CHECK(work(h200()) == Work::IntegerAndFp);
}

TEST_CASE("Tensor roofs are those of the formats that ran, at the clock NVIDIA states them for") {
    std::map<std::string, double> counters = {{"dram__bytes_read.sum", 2e6},
                                              {"dram__bytes_write.sum", 0},
                                              {"sm__inst_executed_pipe_tensor.sum", 1e6}};
    for (const char* family : {"fp16", "bf16_dst_fp32", "tf32_dst_fp32", "fp64", "fp8", "int8", "int1"})
        counters["sm__ops_path_tensor_src_" + std::string(family) + ".sum"] = 0;
    counters["sm__ops_path_tensor_src_tf32_dst_fp32.sum"] = 8e9;
    Launch launch;
    launch.durationNs = 20000;
    const Session session = oneLaunch(h200(), launch, counters);
    const Roofline chart = roofline(MetricEvaluator(session), Work::Tensor, MemoryLevel::Dram);
    REQUIRE(chart.compute.size() == 1);
    CHECK(chart.compute.front().format == TensorFormat::Tf32);
    CHECK(chart.compute.front().perSecond == Approx(494.7e12).epsilon(0.001)); // data sheet, dense
    CHECK(chart.compute.front().source.find("1.830 GHz") != std::string::npos);
    REQUIRE(chart.points.size() == 1);
    CHECK(chart.points.front().intensity == Approx(4000));
    CHECK(chart.points.front().rate == Approx(400e12));
    REQUIRE(chart.ridge);
    CHECK(*chart.ridge == Approx(494.7e12 / chart.memory.front().perSecond).epsilon(0.001));

    // Without tensor instructions it is no tensor work, and no unknown one either.
    counters["sm__inst_executed_pipe_tensor.sum"] = 0;
    std::erase_if(counters, [](const auto& entry) { return entry.first.starts_with("sm__ops_path"); });
    const Session none = oneLaunch(h200(), launch, counters);
    CHECK(roofline(MetricEvaluator(none), Work::Tensor, MemoryLevel::Dram).withoutWork.size() == 1);
}
