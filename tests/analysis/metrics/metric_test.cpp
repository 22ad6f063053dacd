// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric.h"
#include "analysis/metrics/metric_rows.h"

#include "analysis/metrics/expression.h"
#include "analysis/metrics/launch_facts.h"

#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"
#include "tests/support/sample_session.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::tests;

namespace {

LaunchIndex at(std::uint32_t index) {
    return static_cast<LaunchIndex>(index);
}

std::optional<double> oneValue(const std::map<std::string, double>& counters, std::string_view metric) {
    Launch launch;
    launch.durationNs = 1000;
    const Session session = oneLaunch(h200(), launch, counters);
    return MetricEvaluator(session).value(at(0), metric);
}

} // namespace

TEST_CASE("The catalogue is well-formed") {
    std::set<std::string_view> names;
    for (const Metric& metric : metricCatalogue()) {
        INFO(metric.name);
        CHECK(names.insert(metric.name).second);
        CHECK(findMetric(metric.name) == &metric);
        CHECK_FALSE(metric.title.empty());
        CHECK(metric.meaning.ends_with('.'));
        CHECK_FALSE(factNamed(metric.name));
        const auto expression = Expression::parse(metric.formula);
        REQUIRE(expression);
        for (const std::string& input : expression->inputs()) {
            INFO(input);
            const bool counter = input.find("__") != std::string::npos;
            CHECK((counter || findMetric(input) != nullptr || factNamed(input)));
        }
    }
    CHECK(findMetric("dram_byte") == nullptr);
}

TEST_CASE("Rates use the undisturbed duration, not the counter pass's") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    // 134228480 + 55006208 bytes in 57952 ns
    CHECK(*metrics.value(at(recorded::VectorAdd), "dram_bytes") == 189234688);
    CHECK(*metrics.value(at(recorded::VectorAdd), "dram_bytes_per_second") ==
          Approx(3.26537e12).epsilon(1e-4));
    CHECK(*metrics.value(at(recorded::VectorAdd), "duration_ns") == 57952);
}

TEST_CASE("Caches and accesses of recorded launches") {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    const auto value = [&](std::uint32_t launch, std::string_view metric) {
        const auto result = metrics.value(at(launch), metric);
        INFO(metric << " needs " << metrics.missingInput(at(launch), metric));
        REQUIRE(result);
        return *result;
    };
    using namespace recorded;
    CHECK(value(VectorAdd, "global_load_sectors_per_request") == 4);
    CHECK(value(VectorAddStrided, "global_load_sectors_per_request") == 32);
    CHECK(value(VectorAddStrided, "global_load_sectors_ideal_per_request") == 4);
    // Nsight Compute: 44040192 excessive sectors
    CHECK(value(VectorAddStrided, "global_wasted_bytes") == 44040192.0 * 32);
    CHECK(value(VectorAddStrided, "global_access_efficiency") == Approx(0.125));
    CHECK(value(VectorAdd, "global_wasted_bytes") == 0);
    // 16-byte loads: 16 sectors per request are ideal
    CHECK(value(Reduce, "global_load_sectors_per_request") == 16);
    CHECK(value(Reduce, "global_access_efficiency") == 1); // one thread storing 4 bytes is no waste
    // Nsight Compute: 16252928 excessive wavefronts, all of loads
    CHECK(value(TransposeTiled, "shared_wavefronts_excess") == 16252928);
    CHECK(value(TransposeTiled, "shared_load_ways") == 32);
    CHECK(value(TransposeTiled, "shared_store_ways") == 1);
    CHECK(value(TransposePadded, "shared_wavefronts_excess") == 0);
    CHECK(value(Reduce, "shared_wavefronts_excess") == 0); // one thread storing 4 bytes is no conflict
    // Nsight Compute: 33.94 %, 92.08 % (hits over all sectors, of another pass)
    CHECK(value(VectorAdd, "l2_hit_rate") == Approx(0.3394).margin(0.003));
    CHECK(value(VectorAddStrided, "l2_hit_rate") == Approx(0.9208).margin(0.045));
    CHECK(value(VectorAddStrided, "l2_sectors_per_lookup") == Approx(1).margin(0.02));
    CHECK(value(VectorAdd, "l1_hit_rate") == 0);
    CHECK(value(FmaLoop, "flops_fp32") == 1622016 + 270336 + 2 * 4429185024.0);
    CHECK(value(VectorAdd, "arithmetic_intensity_dram_fp32") == Approx(16777216 / 189234688.0));
    CHECK(value(VectorAdd, "theoretical_occupancy") == 1);
    CHECK(value(VectorAdd, "waves") == Approx(62.06).margin(0.005));
    CHECK(value(TransposeTiled, "waves") == Approx(15.52).margin(0.005));
    CHECK(value(TransposeTiled, "blocks_per_sm") == 8);
    CHECK(value(VectorAddStrided, "achieved_occupancy") == Approx(0.8194));
}

TEST_CASE("FP16 counts pairs, fused operations twice") {
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    std::map<std::string, double> counters = {
        {op + "hadd_pred_on.sum", 1}, {op + "hmul_pred_on.sum", 10}, {op + "hfma_pred_on.sum", 100}};
    CHECK(oneValue(counters, "flops_fp16") == 2 + 20 + 400);
    CHECK_FALSE(oneValue(counters, "flops_fp32"));
}

TEST_CASE("The ideal of a kind of access depends on its width") {
    const auto ideal = [](double requests, double sectors, double bytesPerSector) {
        return oneValue({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests},
                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                         {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", bytesPerSector}},
                        "global_load_sectors_ideal_per_request");
    };
    CHECK(ideal(524288, 4194304, 32) == 8); // doubles: 8 sectors per request are ideal
    CHECK(ideal(1000, 16000, 32) == 16);    // float4
    CHECK(ideal(1000, 16000, 8) == 4);   // one float of a 16-byte structure: 16 again, but a quarter useful
    CHECK(ideal(1000, 1000, 4) == 1);    // broadcast: one sector is all it can be
    CHECK(ideal(1000, 5000, 25.6) == 4); // shifted by one float
    CHECK(*ideal(16, 63, 2000.0 / 63) ==
          Approx(3.906).margin(0.001)); // 500 floats, the last warp partly full
}

TEST_CASE("A 16-byte shared load needs four wavefronts and has no conflict") {
    const auto excess = [](double instructions, double wavefronts) {
        return oneValue({{"smsp__sass_inst_executed_op_shared_ld.sum", instructions},
                         {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts},
                         {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio",
                          512 * instructions / wavefronts}},
                        "shared_load_wavefronts_excess");
    };
    // Measured by others: 8844480 instructions take 35377920 wavefronts, or 283023360 with conflicts.
    CHECK(excess(8844480, 35377920) == 0);
    CHECK(*excess(8844480, 283023360) == Approx(247645440));
}

TEST_CASE("A double-precision transpose conflicts on its stores only") {
    // 4096 x 4096 doubles through [32][32]: loads 2 wavefronts each, which is ideal; stores 32 instead of 2.
    const std::map<std::string, double> counters = {
        {"smsp__sass_inst_executed_op_shared_ld.sum", 524288},
        {"smsp__sass_inst_executed_op_shared_st.sum", 524288},
        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1048576},
        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 16777216},
        {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", 128},
        {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio", 8}};
    CHECK(oneValue(counters, "shared_load_wavefronts_excess") == 0);
    CHECK(oneValue(counters, "shared_store_wavefronts_excess") == 15728640);
    CHECK(oneValue(counters, "shared_store_ways") == 16);
}

TEST_CASE("All values at once are those asked for one by one") {
    const Session session = sampleSession();
    const MetricEvaluator metrics(session);
    MetricRows rows(metrics);
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const std::span<const double> all = rows.of(LaunchIndex{i});
        REQUIRE(all.size() == metricCatalogue().size());
        for (std::size_t m = 0; m < all.size(); ++m) {
            const std::optional<double> one = metrics.value(LaunchIndex{i}, metricCatalogue()[m]);
            REQUIRE(one.has_value() == !std::isnan(all[m]));
            if (one) REQUIRE(all[m] == *one);
        }
    }
}

TEST_CASE("Rows of many launches are each launch's own") {
    Session session;
    session.apply(Kernel{.id = 0, .mangledName = "k", .name = "k()"});
    constexpr std::uint64_t kLaunches = 150; // more than are computed at a time
    for (std::uint64_t i = 0; i < kLaunches; ++i) {
        Launch launch;
        launch.id = i;
        session.apply(launch);
        if (i % 7 != 0) // those of the others are absent
            session.apply(LaunchCounters{
                i, {{"dram__bytes_read.sum", static_cast<double>(i)}, {"dram__bytes_write.sum", 1000}}});
    }
    const MetricEvaluator metrics(session);
    MetricRows rows(metrics);
    const std::size_t dram = static_cast<std::size_t>(findMetric("dram_bytes") - metricCatalogue().data());
    for (const std::uint32_t i : {149U, 0U, 1U, 63U, 64U, 65U, 126U, 127U, 128U, 149U, 2U}) {
        CAPTURE(i);
        if (i % 7 == 0)
            CHECK(std::isnan(rows.of(LaunchIndex{i})[dram]));
        else
            CHECK(rows.of(LaunchIndex{i})[dram] == 1000 + i);
    }
}

TEST_CASE("Nothing accessed is zero, not counted is absent") {
    // No loads: the mean of bytes per sector is undefined and so was not stored.
    std::map<std::string, double> counters = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0},
                                              {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0}};
    CHECK(oneValue(counters, "global_load_bytes_requested") == 0);
    CHECK(oneValue(counters, "global_load_sectors_ideal") == 0);
    CHECK_FALSE(oneValue(counters, "global_load_sectors_per_request"));
    counters.erase("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    CHECK_FALSE(oneValue(counters, "global_load_bytes_requested"));
    CHECK_FALSE(oneValue({}, "dram_bytes"));
    CHECK_FALSE(oneValue({{"dram__bytes_read.sum", 1}}, "dram_bytes"));
}

TEST_CASE("Exact counters come before the hardware's") {
    const std::map<std::string, double> both = {
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 16777216},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 16790575}};
    CHECK(oneValue(both, "global_store_sectors") == 16777216);
    CHECK(oneValue({{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 7}}, "global_store_sectors") == 7);
}

TEST_CASE("Counters under the other name of GB20x are understood") {
    CHECK(oneValue({{"dram__bytes_op_read.sum", 3}, {"dram__bytes_op_write.sum", 4}}, "dram_bytes") == 7);
}

TEST_CASE("Missing inputs are named") {
    Launch launch;
    launch.durationNs = 1000;
    const Session session = oneLaunch(h200(), launch,
                                      {{"dram__bytes_read.sum", 1},
                                       {"l1tex__t_sectors_lookup_hit.sum", 0},
                                       {"l1tex__t_sectors_lookup_miss.sum", 0}});
    const MetricEvaluator metrics(session);
    CHECK(metrics.missingInput(at(0), "dram_bytes_per_second") == "dram__bytes_write.sum");
    CHECK(metrics.missingInput(at(0), "dram_bytes_read").empty());
    CHECK(metrics.missingInput(at(0), "l1_hit_rate") == "nothing to divide by");
    CHECK(metrics.missingInput(at(0), "waves") == "launch.blocks_per_sm");
    CHECK(metrics.missingInput(at(0), "no_such_metric") == "no_such_metric");
}

TEST_CASE("A duration that can't be one gives no rate") {
    for (const double ns : {0.0, -5.0, 18446744073709551615.0}) {
        Launch launch;
        launch.durationNs = ns;
        const Session session =
            oneLaunch(h200(), launch, {{"dram__bytes_read.sum", 1}, {"dram__bytes_write.sum", 1}});
        const MetricEvaluator metrics(session);
        CHECK_FALSE(metrics.value(at(0), "duration_ns"));
        CHECK_FALSE(metrics.value(at(0), "dram_bytes_per_second"));
        CHECK(metrics.value(at(0), "dram_bytes") == 2);
    }
}

TEST_CASE("An evaluator follows a session that grows") {
    Session session;
    session.apply(h200());
    session.apply(Kernel{});
    const MetricEvaluator metrics(session);
    Launch launch;
    launch.durationNs = 1000;
    session.apply(launch);
    CHECK_FALSE(metrics.value(at(0), "dram_bytes"));
    session.apply(LaunchCounters{0, {{"dram__bytes_read.sum", 5}, {"dram__bytes_write.sum", 6}}, true});
    CHECK(metrics.value(at(0), "dram_bytes") == 11);
}

TEST_CASE("The driver's blocks per SM come before the rules") {
    Kernel kernel;
    kernel.registersPerThread = 32;
    Launch launch;
    launch.block = {256, 1, 1};
    const auto blocks = [&] {
        const Session session = oneLaunch(h200(), launch, {}, kernel);
        return MetricEvaluator(session).value(at(0), "blocks_per_sm");
    };
    CHECK(blocks() == 8);
    launch.blocksPerSm = 5;
    CHECK(blocks() == 5);
}

TEST_CASE("The documented catalogue is the catalogue") {
    const std::string path = std::string(DORMER_SOURCE_DIR) + "/docs/metrics.md";
    const char* update = std::getenv("DORMER_UPDATE_DOCS");
    if (update != nullptr && *update == '1') std::ofstream(path) << metricsMarkdown();
    std::ifstream file(path);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    INFO("run this test with DORMER_UPDATE_DOCS=1 to write docs/metrics.md anew");
    CHECK((text.str() == metricsMarkdown()));
}

TEST_CASE("Paired FP16 instructions in the tensor pipe are no matrix work") {
    // Recorded on an H100: fma_chain builds a constant with one HFMA2 a warp, 32768 warps.
    CHECK(oneValue({{"sm__inst_executed_pipe_tensor.sum", 32768},
                    {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 32768}},
                   "tensor_instructions") == 0);
    CHECK(oneValue({{"sm__inst_executed_pipe_tensor.sum", 100}}, "tensor_instructions") == 100);
}

TEST_CASE("Tensor FLOPs are the sum over formats, under the names each chip has for them") {
    const auto sum = [](std::initializer_list<std::pair<const char*, double>> families, const char* metric) {
        std::map<std::string, double> counters;
        for (const auto& [family, value] : families)
            counters["sm__ops_path_tensor_src_" + std::string(family) + ".sum"] = value;
        return oneValue(counters, metric);
    };
    // Hopper; what single instructions did is part of it and not added.
    std::map<std::string, double> hopper = {{"sm__ops_path_tensor_src_fp16.sum", 1},
                                            {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 20},
                                            {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", 300},
                                            {"sm__ops_path_tensor_src_fp64.sum", 4000},
                                            {"sm__ops_path_tensor_src_fp8.sum", 50000},
                                            {"sm__ops_path_tensor_src_int8.sum", 600000},
                                            {"sm__ops_path_tensor_src_int1.sum", 7000000},
                                            {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum", 1}};
    CHECK(oneValue(hopper, "flops_tensor") == 54321);
    CHECK(oneValue(hopper, "integer_ops_tensor") == 7600000);
    // Nsight Compute's set "full" splits FP8 by sparsity.
    hopper.erase("sm__ops_path_tensor_src_fp8.sum");
    hopper["sm__ops_path_tensor_src_fp8_sparsity_off.sum"] = 20000;
    hopper["sm__ops_path_tensor_src_fp8_sparsity_on.sum"] = 30000;
    CHECK(oneValue(hopper, "flops_tensor") == 54321);
    // Volta, Turing
    CHECK(sum({{"fp16_dst_fp16", 1}, {"fp16_dst_fp32", 2}}, "flops_tensor") == 3);
    CHECK(sum({{"fp16_dst_fp16", 1}, {"fp16_bf16_tf32_dst_fp32", 2}, {"int8", 8}, {"int4", 4}, {"int1", 1}},
              "flops_tensor") == 3);
    // Ampere, Ada
    CHECK(sum({{"fp16_dst_fp16", 1},
               {"fp16_dst_fp32", 2},
               {"bf16_dst_fp32", 10},
               {"tf32_dst_fp32", 100},
               {"fp64", 1000}},
              "flops_tensor") == 1113);
    CHECK(sum({{"fp16_dst_fp16", 1},
               {"fp16_dst_fp32", 2},
               {"bf16_dst_fp32", 10},
               {"tf32_dst_fp32", 100},
               {"fp64", 1000},
               {"fp8", 10000}},
              "flops_tensor") == 11113);
    CHECK(sum({{"int8", 8}, {"int4", 40}, {"int1", 100}}, "integer_ops_tensor") == 148);
    // Blackwell, data centre and consumer
    CHECK(sum({{"fp16_dst_fp16", 1},
               {"fp16_dst_fp32", 2},
               {"bf16_dst_fp32", 10},
               {"tf32_dst_fp32", 100},
               {"fp64", 1000},
               {"fp4_dst_fp32", 10000},
               {"fp4_fp6_fp8_dst_fp16", 20000},
               {"fp4_fp6_fp8_dst_fp32", 40000}},
              "flops_tensor") == 71113);
    CHECK(sum({{"fp16_dst_fp16", 1},
               {"fp16_dst_fp32", 2},
               {"bf16_dst_fp32", 10},
               {"tf32_dst_fp32", 100},
               {"fp64", 1000},
               {"fp4_dst_fp32", 10000},
               {"fp4_fp6_dst_fp16", 20000},
               {"fp4_fp6_dst_fp32", 40000},
               {"fp8_dst_fp16", 100000},
               {"fp8_dst_fp32", 200000}},
              "flops_tensor") == 371113);
    CHECK(sum({{"int8", 8}}, "integer_ops_tensor") == 8);
    // Nothing collected is nothing known.
    CHECK_FALSE(sum({{"bf16_dst_fp32", 5}}, "flops_tensor").has_value());
}
