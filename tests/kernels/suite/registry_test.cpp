// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"

#include "analysis/metrics/counter_sets.h"
#include "analysis/metrics/metric.h"
#include "analysis/metrics/workload_facts.h"
#include "kernels/suite/registry.h"

#include <algorithm>
#include <set>
#include <sstream>

using namespace dormer;

namespace {

bool isMetricOrCounter(const std::string& name) {
    if (metrics::findMetric(name) != nullptr || metrics::findWorkloadMetric(name) != nullptr) return true;
    const auto memory = metrics::findCounterSet("memory");
    REQUIRE(memory);
    return std::ranges::any_of(memory->counters,
                               [&](const metrics::CounterName& counter) { return counter.name == name; });
}

} // namespace

TEST_CASE("the registry holds the families of the suite, and each workload once") {
    std::vector<std::string> names;
    for (const kernels::Family& family : kernels::families())
        names.push_back(family.name);
    CHECK(names == std::vector<std::string>{
                       "heat",      "histogram", "reduce",      "roofline",    "access",   "vector_sum",
                       "transpose", "shared",    "spaces",      "occupancy",   "transfer", "zero_copy",
                       "managed",   "tile_scan", "collectives", "device_wide", "spmv",     "iterators",
                       "policies",  "graphs",    "stalls"});
    std::set<std::string> found;
    for (const kernels::Selected& place : kernels::everything()) {
        INFO(kernels::pathOf(place));
        CHECK(found.insert(kernels::pathOf(place)).second);
    }
    // Recordings refer to these.
    for (const char* path : {"roofline/scale", "vector_sum/coalesced", "transpose/tiled_padded",
                             "histogram/shared", "device_wide/scan"})
        CHECK(found.contains(path));
}

TEST_CASE("what a workload refers to is there: better ones, references, sweeps and their parameters") {
    std::set<std::string> paths;
    for (const kernels::Selected& place : kernels::everything())
        paths.insert(kernels::pathOf(place));
    for (const kernels::Selected& place : kernels::everything()) {
        const kernels::Family& family = kernels::families()[place.family];
        const kernels::Group& group = family.groups[place.group];
        const kernels::Variant& variant = kernels::variantOf(place);
        INFO(kernels::pathOf(place));
        if (!variant.better.empty()) {
            CHECK(paths.contains(variant.better));
            CHECK(variant.better != kernels::pathOf(place));
            CHECK_FALSE(variant.good); // a fault to find, or none
        }
        for (const kernels::Expectation& answer : variant.knownAnswers(group.defaultSize.gpu))
            if (!answer.reference.empty()) CHECK(paths.contains(answer.reference));
        if (variant.sweep.empty()) continue;
        const auto sweep = std::ranges::find(family.sweeps, variant.sweep, &kernels::SweepFacts::name);
        REQUIRE(sweep != family.sweeps.end());
        auto all = group.parameters(group.defaultSize.gpu);
        all.insert(all.end(), variant.parameters.begin(), variant.parameters.end());
        for (const std::string& parameter : sweep->parameters)
            CHECK(std::ranges::any_of(
                all, [&](const std::string& each) { return each.starts_with(parameter + "="); }));
    }
}

TEST_CASE("sweeps have several points, and metrics that exist, and only the race is wrong by design") {
    for (const kernels::Family& family : kernels::families()) {
        for (const kernels::SweepFacts& sweep : family.sweeps) {
            INFO(family.name << "/" << sweep.name);
            std::size_t points = 0;
            for (const kernels::Group& group : family.groups)
                points += static_cast<std::size_t>(
                    std::ranges::count(group.variants, sweep.name, &kernels::Variant::sweep));
            CHECK(points >= 2);
            CHECK_FALSE(sweep.title.empty());
            CHECK_FALSE(sweep.metrics.empty());
            for (const std::string& metric : sweep.metrics)
                CHECK(isMetricOrCounter(metric));
            CHECK((sweep.best.empty() || sweep.best == "lowest" || sweep.best == "highest"));
        }
        for (const std::string& metric : family.figures) {
            INFO(family.name << ": " << metric);
            CHECK(isMetricOrCounter(metric));
        }
        CHECK(family.lookAt.size() > 80);
    }
    for (const kernels::Selected& place : kernels::everything())
        CHECK(kernels::variantOf(place).wrongByDesign ==
              (kernels::pathOf(place).starts_with("histogram/racy")));
}

TEST_CASE("every family and variant says what it shows") {
    for (const kernels::Family& family : kernels::families()) {
        INFO(family.name);
        CHECK_FALSE(family.title.empty());
        CHECK(family.shows.size() > 20);
        CHECK_FALSE(family.groups.empty());
    }
    for (const kernels::Selected& place : kernels::everything()) {
        INFO(kernels::pathOf(place));
        CHECK(kernels::variantOf(place).shows.size() > 20);
        CHECK(kernels::variantOf(place).shows.find('\n') == std::string::npos);
    }
}

TEST_CASE("known answers can be checked: a metric or counter that exists, a relation, a reason") {
    for (const kernels::Selected& place : kernels::everything()) {
        const kernels::Group& group = kernels::families()[place.family].groups[place.group];
        const auto answers = kernels::variantOf(place).knownAnswers(group.roundSize(group.defaultSize.gpu));
        INFO(kernels::pathOf(place));
        CHECK_FALSE(answers.empty());
        for (const kernels::Expectation& answer : answers) {
            INFO(answer.metric);
            CHECK_FALSE(answer.why.empty());
            if (answer.relation == "verdict") {
                std::istringstream words(answer.text); // one bound, or several that are right
                for (std::string word; std::getline(words, word, '|');)
                    CHECK((word == "memory" || word == "compute" || word == "latency" || word == "balanced"));
                CHECK_FALSE(answer.text.empty());
                CHECK(answer.gpuOnly);
                continue;
            }
            CHECK(isMetricOrCounter(answer.metric));
            CHECK((answer.relation == "==" || answer.relation == "<=" || answer.relation == ">=" ||
                   (answer.relation == "~" && answer.tolerance > 0)));
            CHECK(answer.value >= 0);
        }
    }
}

TEST_CASE("sizes are rounded once, never to less than was requested, and memory follows them") {
    for (const kernels::Selected& place : kernels::everything()) {
        const kernels::Group& group = kernels::families()[place.family].groups[place.group];
        INFO(kernels::pathOf(place));
        for (const std::size_t size : {group.defaultSize.gpu, group.defaultSize.emulator}) {
            CHECK(group.roundSize(size) == size);
            const auto parameters = group.parameters(size);
            CHECK(std::ranges::find(parameters, "size=" + std::to_string(size)) != parameters.end());
        }
        CHECK(group.defaultSize.emulator <= group.defaultSize.gpu);
        for (const std::size_t wanted : {std::size_t{1}, std::size_t{1000}, std::size_t{1'000'003}}) {
            const std::size_t size = group.roundSize(wanted);
            CHECK(size >= wanted);
            CHECK(group.roundSize(size) == size);
        }
        CHECK(group.deviceBytes(2 * group.defaultSize.gpu) > group.deviceBytes(group.defaultSize.gpu));
    }
}
