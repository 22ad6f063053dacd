// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"

#include "analysis/counter_sets.h"
#include "analysis/metric.h"
#include "analysis/workload_facts.h"
#include "kernels/registry.h"

#include <algorithm>
#include <set>
#include <sstream>

using namespace dormer;

namespace {

bool isMetricOrCounter(const std::string& name) {
    if (analysis::findMetric(name) != nullptr || analysis::findWorkloadMetric(name) != nullptr) return true;
    const auto memory = analysis::findCounterSet("memory");
    REQUIRE(memory);
    return std::ranges::any_of(memory->counters,
                               [&](const analysis::CounterName& counter) { return counter.name == name; });
}

} // namespace

TEST_CASE("the registry holds the families and variants of the suite, each once") {
    const std::set<std::string> wanted{
        "roofline/scale",         "roofline/vector_add",     "roofline/vector_add_fp64",
        "roofline/fma_chain",     "roofline/fma_chain_fp64", "vector_sum/coalesced",
        "vector_sum/uncoalesced", "transpose/copy_row",      "transpose/naive_row",
        "transpose/tiled",        "transpose/tiled_padded",  "histogram/global_atomics",
        "histogram/shared",       "device_wide/reduce",      "device_wide/scan"};
    std::set<std::string> found;
    for (const kernels::Selected& place : kernels::everything()) {
        INFO(kernels::pathOf(place));
        CHECK(found.insert(kernels::pathOf(place)).second);
    }
    CHECK(std::ranges::includes(found, wanted));
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

TEST_CASE("sizes are rounded once, never to less than was asked for, and memory follows them") {
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
