// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/part_line.h"

#include "tests/support/catch.h"
#include "tests/support/mixed_session.h"
#include "tests/support/sample_session.h"

#include <cmath>

using namespace dormer::view::plot;
using dormer::verdict::workParts;
using namespace dormer::tests;
using dormer::metrics::MetricEvaluator;
using dormer::session::LaunchIndex;
using dormer::session::MeasuredCeiling;
using dormer::session::Session;
using dormer::verdict::MemoryLevel;
using dormer::verdict::Work;

namespace {

constexpr LaunchIndex kLaunch{0};
/// Twelve decades to the left of the ridge and right of it: a hundred pixels a decade.
const ChartFrame kFrame{{{-1, 4}, 0, 500}, {{11, 16}, 500, 0}};

} // namespace

TEST_CASE("tensor and scalar work of a kernel have rates and roofs of their own") {
    Session session = mixedSession();
    // NVIDIA: 4096 FLOP per clock and SM of FP16 matrices, at 1.83 of 1.98 GHz; 256 of FP32.
    const auto theoretical = workParts(MetricEvaluator(session), kLaunch);
    REQUIRE(theoretical.size() == 2);
    CHECK(theoretical[0].name == "FP16 tensor");
    CHECK(theoretical[0].rate == Approx(4e14));
    CHECK(*theoretical[0].share() == Approx(4e14 / 989.4e12).epsilon(0.002));
    CHECK(theoretical[1].name == "FP32");
    CHECK(theoretical[1].rate == Approx(2e13));
    CHECK(*theoretical[1].share() == Approx(2e13 / (256 * 132 * 1.98e9)));
    session.apply(MeasuredCeiling{0, "tensor_fp16", 8e14, "wgmma"});
    session.apply(MeasuredCeiling{0, "tensor_bf16", 9e14, "wgmma"}); // of another format
    session.apply(MeasuredCeiling{0, "fp32", 4e13, "chains"});
    const auto measured = workParts(MetricEvaluator(session), kLaunch);
    CHECK(*measured[0].share() == Approx(0.5));
    CHECK(*measured[1].share() == Approx(0.5));
    CHECK(measured[1].roof->measured);
}

TEST_CASE("a kernel with one kind of work has no parts") {
    const Session session = sampleSession();
    const MetricEvaluator metrics(session);
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        CHECK(workParts(metrics, LaunchIndex{i}).empty());
        CHECK(partLine(metrics, LaunchIndex{i}, Work::Fp32, MemoryLevel::Dram).stops.empty());
    }
}

TEST_CASE("parts stand on a line of constant bytes per second, each below its own roof") {
    Session session = mixedSession();
    session.apply(MeasuredCeiling{0, "dram", 4.6e12, "write"});
    session.apply(MeasuredCeiling{0, "fp32", 6.5e13, "chains"});
    const MetricEvaluator metrics(session);
    const PartLine line = partLine(metrics, kLaunch, Work::Tensor, MemoryLevel::Dram);
    REQUIRE(line.stops.size() == 2);
    CHECK(line.own() == 0U);
    CHECK(line.stops[0].intensity == Approx(200)); // 4e10 over 2e8
    CHECK(line.stops[1].intensity == Approx(10));
    for (const PartLine::Stop& stop : line.stops)
        CHECK(stop.rate / stop.intensity == Approx(2e12)); // 2e8 bytes in 100 us
    CHECK(line.stops[1].label == "FP32 65.0 TFLOP/s");
    CHECK(*line.stops[1].roof.ridge() == Approx(std::log10(6.5e13 / 4.6e12)));
    CHECK(partLine(metrics, kLaunch, Work::Fp32, MemoryLevel::Dram).own() == 1U);
    CHECK(partLine(metrics, kLaunch, Work::Tensor, MemoryLevel::L2).stops[0].intensity == Approx(100));
    CHECK(partLine(metrics, kLaunch, Work::Tensor, MemoryLevel::Shared).stops.empty()); // moved nothing
    CHECK(partLine(metrics, kLaunch, Work::WarpInstructions, MemoryLevel::Dram).stops.empty());
}

TEST_CASE("what is next to nothing of its roof is no part of a chart") {
    auto counters = idleCounters();
    counters.merge(unknownTensorCounters());
    counters["sm__ops_path_tensor_src_fp16.sum"] = 4e10;
    counters["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] = 1e6; // 10 GFLOP/s
    counters["dram__bytes_read.sum"] = 2e8;
    const Session session = oneLaunch(h200(), sizedLaunch(65536, 100'000), counters);
    const MetricEvaluator metrics(session);
    CHECK(workParts(metrics, kLaunch).size() == 2);
    CHECK(partLine(metrics, kLaunch, Work::Tensor, MemoryLevel::Dram).stops.empty());
    // The chart of that work shows it, with the tensor work beside it.
    CHECK(partLine(metrics, kLaunch, Work::Fp32, MemoryLevel::Dram).stops.size() == 2);
}

TEST_CASE("marks of parts stand where their work says, and none leaves the frame") {
    const Session session = mixedSession();
    const PartLine line = partLine(MetricEvaluator(session), kLaunch, Work::Tensor, MemoryLevel::Dram);
    const auto placed = partMarks(line, kFrame, 5);
    REQUIRE(placed);
    REQUIRE(placed->marks.size() == 1); // the kernel's own marker stands at the tensor work
    CHECK(placed->marks[0].name == "FP32");
    CHECK(placed->marks[0].at.x == Approx(200)); // 10 FLOP/B, two decades from the left
    CHECK(placed->marks[0].at.y == Approx(500 - 100 * (std::log10(2e13) - 11)));
    CHECK(placed->from.x == Approx(200));
    CHECK(placed->to.x == Approx(100 * (std::log10(200.0) + 1)));
    REQUIRE(placed->flats.size() == 1);
    CHECK(placed->flats[0].from.y == Approx(500 - 100 * (std::log10(256 * 132 * 1.98e9) - 11)));
    const ChartFrame right{{{1.03, 6.03}, 0, 500}, {{11, 16}, 500, 0}}; // begins right of the FP32 part
    CHECK_FALSE(partMarks(line, right, 5));
    CHECK_FALSE(partMarks({}, kFrame, 5));
}
