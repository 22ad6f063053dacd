// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/counter_sets.h"

#include "analysis/metrics/expression.h"
#include "analysis/metrics/launch_facts.h"
#include "analysis/metrics/metric.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <set>

using namespace dormer::metrics;

using namespace dormer::session;

namespace {

std::set<std::string_view> names(const CounterSet& set) {
    std::set<std::string_view> all;
    for (const CounterName& counter : set.counters)
        all.insert(counter.name);
    return all;
}

} // namespace

TEST_CASE("Sets are found by name, the default among them") {
    REQUIRE(counterSets().size() == 4);
    CHECK(counterSets()[0].name == "live");
    CHECK(counterSets()[1].name == "roofline");
    CHECK(counterSets()[2].name == "memory");
    CHECK(counterSets()[2].counters.back().name ==
          "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio");
    CHECK(counterSets()[3].name == "tensor");
    REQUIRE(findCounterSet(kDefaultCounterSet));
    CHECK(findCounterSet("memory")->passBound == 5);
    CHECK_FALSE(findCounterSet("memory "));
    CHECK_FALSE(findCounterSet(""));
}

TEST_CASE("No set asks for a counter twice") {
    for (const CounterSet& set : counterSets())
        CHECK(names(set).size() == set.counters.size());
}

TEST_CASE("A dearer set holds all of a cheaper one") {
    for (std::size_t i = 1; i < counterSets().size(); ++i) {
        const CounterSet& cheap = counterSets()[i - 1];
        const CounterSet& dear = counterSets()[i];
        const auto less = names(cheap);
        const auto more = names(dear);
        CHECK(std::ranges::includes(more, less));
        CHECK(more.size() > less.size());
        CHECK(cheap.passBound < dear.passBound);
        CHECK(cheap.passBoundVolta < dear.passBoundVolta);
        CHECK(dear.passBound <= dear.passBoundVolta);
    }
}

TEST_CASE("Every counter of a formula is collected by a set, and none is collected needlessly") {
    std::set<std::string> used;
    for (const Metric& metric : metricCatalogue()) {
        const auto expression = Expression::parse(metric.formula);
        REQUIRE(expression);
        for (const std::string& name : expression->inputs()) {
            if (findMetric(name) == nullptr && !factNamed(name)) used.insert(name);
        }
    }
    const auto collected = names(counterSets().back());
    // Hardware forms that only imported sessions hold; first() prefers the patched ones, which are exact.
    const std::set<std::string_view> imported = {
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        "l1tex__t_sector_hit_rate.pct",
        "lts__t_sector_hit_rate.pct",
        "lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__ops_path_tensor_src_fp8_sparsity_off.sum",
        "sm__ops_path_tensor_src_fp8_sparsity_on.sum"};
    // Those that only sampling reads: instrument/cupti/sampling.
    const std::set<std::string_view> sampled = {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                                                "sm__cycles_active.sum",
                                                "sm__inst_executed_pipe_fmalite.sum",
                                                "sm__pipe_fp64_cycles_active.sum",
                                                "sm__pipe_tensor_cycles_active.sum",
                                                "sm__warps_active.sum",
                                                "smsp__issue_active.sum"};
    for (const std::string& name : used) {
        INFO(name);
        CHECK(collected.contains(name) + imported.contains(name) + sampled.contains(name) == 1);
    }
    // Kept raw for people: the counter pass's own time.
    const std::set<std::string_view> raw = {"gpu__time_duration.sum"};
    for (const std::string_view name : collected) {
        INFO(name);
        CHECK(used.contains(std::string(name)) != raw.contains(name));
    }
}

TEST_CASE("DRAM counters have another name on GB20x") {
    CHECK(alternativeCounterName("dram__bytes_read.sum") == "dram__bytes_op_read.sum");
    CHECK(alternativeCounterName("smsp__inst_executed.sum").empty());
    CHECK(alternativeCounterName("no such counter").empty());
}
