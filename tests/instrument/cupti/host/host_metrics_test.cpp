// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/host/host_metrics.h"

#include "analysis/metrics/expression.h"
#include "analysis/metrics/metric.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace dormer;
using namespace dormer::instrument::cupti::host;

namespace {

/// Chips without memory of their own have no DRAM counters; nothing else may be missing anywhere.
const std::set<std::string> kIntegrated = {"GA10B", "GB10B", "GB20B"};

bool isDram(const std::string& counter) {
    return counter.starts_with("dram__");
}

/// A metric's value where each of the counters reads 1; NaN when it needs another one.
double withAllOne(const std::string& metric, const std::vector<std::string>& counters) {
    const auto formula = metrics::Expression::parse(metrics::findMetric(metric)->formula);
    REQUIRE(formula.has_value());
    return formula->evaluate([&](std::uint32_t input) {
        const std::string& name = formula->inputs()[input];
        if (metrics::findMetric(name) != nullptr) return withAllOne(name, counters);
        return std::ranges::find(counters, name) == counters.end() ? std::nan("") : 1.0;
    });
}

} // namespace

TEST_CASE("CUPTI's host side answers without a GPU") {
    const std::vector<std::string> chips = supportedChips();
    REQUIRE(chips.size() >= 20);
    CHECK(std::find(chips.begin(), chips.end(), "GH100") != chips.end());
}

TEST_CASE("Every counter set is offered by every supported chip within its passes") {
    for (const std::string& chip : supportedChips()) {
        if (chip == "GV11B") continue; // listed by CUPTI, but its host object can't be made
        for (const metrics::CounterSet& set : metrics::counterSets()) {
            INFO(chip << " " << set.name);
            const Result<CounterPlan> plan = planCounters(chip, set);
            REQUIRE(plan.has_value());
            const bool integrated = kIntegrated.contains(chip);
            for (const std::string& missing : plan->missing) {
                INFO("missing: " << missing);
                CHECK((integrated && isDram(missing)));
            }
            for (const metrics::CounterName& counter : set.counters) {
                INFO(counter.name);
                const auto held = [&counter](const std::vector<std::string>& names) {
                    return std::find(names.begin(), names.end(), counter.name) != names.end();
                };
                CHECK((held(plan->names) || held(plan->missing) || counter.optional));
            }
            CHECK(plan->passes >= 1);
            CHECK(plan->passes <= (chip == "GV100" ? set.passBoundVolta : set.passBound));
        }
    }
}

TEST_CASE("Chips that name a counter differently are asked by their own name") {
    const Result<CounterPlan> plan = planCounters("GB202", *metrics::findCounterSet("live"));
    REQUIRE(plan.has_value());
    const auto place = std::find(plan->names.begin(), plan->names.end(), "dram__bytes_read.sum");
    REQUIRE(place != plan->names.end());
    CHECK(plan->chipNames[static_cast<std::size_t>(place - plan->names.begin())] ==
          "dram__bytes_op_read.sum");
}

TEST_CASE("The default set takes four passes on Hopper") {
    const Result<CounterPlan> plan = planCounters("GH100", *metrics::findCounterSet("memory"));
    REQUIRE(plan.has_value());
    CHECK(plan->passes == 4);
    CHECK(plan->missing.empty());
}

TEST_CASE("Every chip with tensor cores has the counters of their FLOPs") {
    const std::set<std::string> without = {"TU116", "TU117"};
    for (const std::string& chip : supportedChips()) {
        if (chip == "GV11B") continue;
        INFO(chip);
        const Result<CounterPlan> plan = planCounters(chip, *metrics::findCounterSet("tensor"));
        REQUIRE(plan.has_value());
        const std::ptrdiff_t families = std::ranges::count_if(plan->names, [](const std::string& name) {
            return name.starts_with("sm__ops_path_tensor_src_");
        });
        const double flops = withAllOne("flops_tensor", plan->names);
        const double integers = withAllOne("integer_ops_tensor", plan->names);
        CHECK(std::isnan(flops) == without.contains(chip));
        CHECK((std::isnan(integers) ? 0 : integers) + (std::isnan(flops) ? 0 : flops) ==
              static_cast<double>(families)); // each counts once
    }
}

TEST_CASE("The operations of the tensor cores take ten passes on Hopper") {
    const Result<CounterPlan> plan = planCounters("GH100", *metrics::findCounterSet("tensor"));
    REQUIRE(plan.has_value());
    CHECK(plan->passes == 10);
}

TEST_CASE("An unknown chip is an error that names it") {
    const Result<CounterPlan> plan = planCounters("GX999", *metrics::findCounterSet("live"));
    REQUIRE_FALSE(plan.has_value());
    CHECK(plan.error().kind == ErrorKind::Device);
    CHECK(plan.error().message.find("GX999") != std::string::npos);
}

TEST_CASE("offers() knows counters, ratios and their submetrics") {
    const HostMetrics host("GH100", {});
    CHECK(host.offers("dram__bytes_read.sum"));
    CHECK(host.offers("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
    CHECK_FALSE(host.offers("dram__bytes_read.nonsense"));
    CHECK_FALSE(host.offers("no_such__counter.sum"));
}
